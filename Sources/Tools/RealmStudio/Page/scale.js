// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The mapping from positions of the scroll bar to positions in the rows. Browsers limit the height of elements, so the
// bar of a longer table moves more slowly than the rows.

/** The maximum height of an element in pixels, which browsers support even at four screen pixels for each. */
export const maxElementHeight = 8_000_000

// Near both ends the bar and the rows move alike. Otherwise the bar would reach its end before the rows do, and small
// moves couldn't reach the last rows.
const margin = 100_000

export class Scale {
  /** `rows` and `bar` are the maximum positions of both, `room` the visible height. All are in pixels. */
  constructor(rows, bar, room) {
    ;[this.rows, this.bar, this.room] = [rows, bar, room]
    this.isExact = rows <= bar + 1
    this.stretch = (rows - 2 * margin) / (bar - 2 * margin)
  }

  /** The position in the rows for the bar's position `at`. */
  rowsAt(at) {
    if (this.isExact || at <= margin) return at
    if (at >= this.bar - margin) return this.rows - (this.bar - at)
    return margin + (at - margin) * this.stretch
  }

  /** The position of the bar for a position in the rows. */
  barAt(top) {
    if (this.isExact || top <= margin) return top
    if (top >= this.rows - margin) return this.bar - (this.rows - top)
    return margin + (top - margin) / this.stretch
  }

  /**
   * The position in the rows after the bar has moved from `old` to `at`.
   *
   * The thumb moves the bar by at least a pixel of the screen, which is thousands of the bar's own. A smaller move, by
   * a finger, the bar's arrows or a screen reader, moves the rows by the same distance.
   */
  positionAfterMove(top, old, at) {
    if (this.isExact) return at
    const minimum = this.bar / this.room / 4
    if (Math.abs(at - old) >= minimum) return this.rowsAt(at)
    return Math.min(this.rows, Math.max(0, top + at - old))
  }
}
