// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Which rows a place of the scroll bar means. A browser's elements are only so tall: of a longer table the bar moves
// faster than the rows.

/** The most pixels that an element has, also where each of them is four of the screen. */
export const tallest = 8_000_000

// Near both ends the bar moves as the rows do. What moves it by a finger's way comes to the ends, which it could not if
// the bar were at its end before the rows are.
const margin = 100_000

export class Scale {
  /** `rows` and `bar` are how far each of them can be scrolled, `room` how much of the rows can be seen at once. */
  constructor(rows, bar, room) {
    [this.rows, this.bar, this.room] = [rows, bar, room]
    this.isExact = rows <= bar + 1
    this.stretch = (rows - 2 * margin) / (bar - 2 * margin)
  }

  /** The place in the rows that the bar's place `at` means. */
  rowsAt(at) {
    if (this.isExact || at <= margin) return at
    if (at >= this.bar - margin) return this.rows - (this.bar - at)
    return margin + (at - margin) * this.stretch
  }

  /** The place of the bar for a place in the rows. */
  barAt(top) {
    if (this.isExact || top <= margin) return top
    if (top >= this.rows - margin) return this.bar - (this.rows - top)
    return margin + (top - margin) / this.stretch
  }

  /**
   * The place in the rows after the bar has moved from `old` to `at`.
   *
   * The thumb cannot move the bar by less than a pixel of the screen, which are thousands of the bar's own. What moves it
   * by less – a finger, the arrows of the bar, a screen reader – means the rows.
   */
  moved(top, old, at) {
    if (this.isExact) return at
    const least = this.bar / this.room / 4
    if (Math.abs(at - old) >= least) return this.rowsAt(at)
    return Math.min(this.rows, Math.max(0, top + at - old))
  }
}
