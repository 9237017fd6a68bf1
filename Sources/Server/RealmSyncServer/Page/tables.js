// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Tables whose rows are replaced by newer ones.

/**
 * Sets the rows of a table. A value is a text, a number, or an element. A cell whose value is unchanged is left as it is,
 * so that a selection in it remains.
 */
export function fill(table, rows) {
  const body = table.tBodies[0]
  while (body.rows.length > rows.length) body.deleteRow(-1)
  rows.forEach((values, index) => {
    const row = body.rows[index] ?? body.insertRow()
    values.forEach((value, column) => {
      set(row.cells[column] ?? row.insertCell(), value)
    })
  })
}

function set(cell, value) {
  if (value instanceof Element) return cell.replaceChildren(value)
  const text = typeof value === "number" ? formatCount(value) : value
  if (cell.textContent !== text) cell.textContent = text
  cell.className = typeof value === "number" ? "number" : ""
}

export const formatCount = number => number.toLocaleString("en-US")

export const formatTime = text => new Date(text).toLocaleString()

export function formatDuration(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** The number of elements, and how many of them are listed. */
export const formatListed = (count, listed) =>
  count > listed ? `${formatCount(count)}, of which ${formatCount(listed)} are listed` : formatCount(count)
