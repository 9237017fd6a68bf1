// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// A table of any number of rows. Only the visible rows have elements.

import { request } from "./connection.js"
import { attempt, grouped, isCommand, make, showStatus } from "./elements.js"
import { Scale, maxElementHeight } from "./scale.js"

const pageSize = 100,
  maxPages = 40,
  maxSelected = 100_000
// Rows are positioned relative to a base near them: absolute positions of millions of rows exceed browsers' limits.
const maxDistanceFromBase = 500_000

export class Table {
  /**
   * `open(key)` shows an object, `edit(key, property, cell)` edits a cell, `sort(name)` orders by a property,
   * `copy(keys)` and `remove(keys)` copy and remove the selected objects.
   */
  constructor(actions) {
    this.actions = actions
    this.pages = new Map()
    this.count = 0
    this.cursor = { row: 0, column: 0 }
    this.selectedKeys = new Set()
    this.selecting = Promise.resolve()
    this.changes = new Map()
    this.customWidths = new Map()
    // `top` is the position in the rows, `barTop` the last known position of the bar, both in pixels.
    this.top = this.barTop = this.base = this.height = 0
    // The value of the style sheet, until it's measured.
    this.rowHeight = 1.9 * fontSize()
    this.visible = 40
    this.head = make("div.grid-head", { role: "row" })
    this.rowContainer = make("div.grid-moved", { role: "presentation" })
    this.space = make("div.grid-space", { role: "presentation" })
    this.element = make(
      "div.grid",
      { tabIndex: 0, role: "grid", "aria-label": "Objects", "aria-multiselectable": "true" },
      this.head,
      make("div.grid-rows", { role: "presentation" }, this.rowContainer),
      this.space
    )
    /** The element for row n is at index n modulo their number, so that few change when the table scrolls. */
    this.rows = []
    this.element.addEventListener("scroll", () => this.handleScroll(), { passive: true })
    this.element.addEventListener("scrollend", () => this.placeBar(), { passive: true })
    this.element.addEventListener("keydown", event => this.handleKey(event))
    this.element.addEventListener("mousedown", event => this.handleMouseDown(event))
    this.element.addEventListener("dblclick", event => this.handleDoubleClick(event))
    this.wheelListener = event => this.handleWheel(event)
    const sizes = new ResizeObserver(() => this.measure())
    sizes.observe(this.element)
    sizes.observe(this.head)
  }

  /** Shows a class and the first window of its rows. */
  show(schema, answer, sort) {
    const isOther = this.schema !== schema
    this.schema = schema
    this.pages.clear()
    this.selectedKeys.clear()
    this.range = this.anchor = undefined
    this.changes.clear()
    // A change of the order keeps the column of the cursor.
    this.cursor = { row: 0, column: isOther ? 0 : this.cursor.column }
    this.top = this.drawnTop = this.base = 0
    this.isUpwards = undefined
    this.storeRows(answer)
    this.drawHeader(sort)
    this.draw()
    // Last, because it causes a layout of the new elements.
    this.scrollTo(0, isOther ? { left: 0 } : {})
  }

  /** The scroll position and the cursor. */
  get position() {
    return { top: this.top, cursor: { ...this.cursor } }
  }
  set position({ top, cursor }) {
    this.cursor = { row: Math.max(0, Math.min(cursor.row, this.count - 1)), column: cursor.column }
    this.scrollTo(top)
    this.draw()
  }

  drawHeader(sort) {
    this.widths = [
      5,
      ...this.schema.properties.map(p => this.customWidths.get(`${this.schema.name}.${p.name}`) ?? initialWidth(p))
    ]
    this.setWidths()
    this.element.setAttribute("aria-colcount", this.widths.length)
    this.head.replaceChildren(
      make("span", { role: "columnheader" }, "#"),
      ...this.schema.properties.map((p, index) => {
        const direction = sort?.[0] === p.name ? (sort[1] ? "ascending" : "descending") : "none"
        const mark = { ascending: " ▲", descending: " ▼", none: "" }[direction]
        const sortable = !p.collection && p.type !== "link"
        return make(
          "button",
          {
            role: "columnheader",
            "aria-sort": direction,
            title: `${p.name}: ${typeName(p)}`,
            "aria-disabled": sortable ? undefined : "true",
            tabIndex: -1,
            onclick: () => sortable && this.actions.sort(p.name)
          },
          p.name + mark + " ",
          make("small", {}, typeName(p)),
          make("span.edge", {
            onpointerdown: event => this.drag(event, index + 1),
            onclick: event => event.stopPropagation(),
            ondblclick: event => {
              event.stopPropagation()
              this.fitColumn(index + 1)
            }
          })
        )
      })
    )
  }

  // MARK: Column widths, in em

  setWidths() {
    this.element.style.setProperty("--columns", this.widths.map(w => `${w}rem`).join(" "))
    this.element.style.setProperty("--width", `${this.widths.reduce((sum, w) => sum + w)}rem`)
  }

  setColumnWidth(column, width) {
    const property = this.schema.properties[column - 1]
    if (!property) return
    this.widths[column] = Math.min(80, Math.max(3, width))
    this.customWidths.set(`${this.schema.name}.${property.name}`, this.widths[column])
    this.setWidths()
  }

  /** Resizes a column while the right edge of its head is dragged. */
  drag(event, column) {
    event.preventDefault()
    const { target: edge, clientX: start } = event,
      before = this.widths[column]
    edge.setPointerCapture(event.pointerId)
    edge.onpointermove = ({ clientX }) => this.setColumnWidth(column, before + (clientX - start) / fontSize())
    edge.onpointerup = edge.onpointercancel = () => {
      edge.onpointermove = null
    }
  }

  /** Fits the width of a column to its visible texts. */
  fitColumn(column) {
    const context = document.createElement("canvas").getContext("2d")
    const cells = [this.head, ...this.rows].map(row => row.children[column])
    const widths = cells.map(cell => {
      context.font = getComputedStyle(cell).font
      return context.measureText(cell.textContent).width
    })
    // The padding and the line, as in the style sheet.
    this.setColumnWidth(column, (Math.max(...widths) + 2) / fontSize() + 1.1)
  }

  /** Stores a window of rows. */
  storeRows({ from, rows, count }) {
    this.count = count
    for (let start = from; start < from + rows.length; start += pageSize) {
      this.pages.delete(start / pageSize)
      this.pages.set(start / pageSize, rows.slice(start - from, start - from + pageSize))
    }
    while (this.pages.size > maxPages) this.pages.delete(this.pages.keys().next().value)
    this.element.setAttribute("aria-rowcount", count + 1)
    this.updateHeight()
  }

  row(index) {
    return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize]
  }

  // Requests one window of rows after the other, the visible ones first.
  async loadMissing() {
    if (this.isLoading) return
    this.isLoading = true
    try {
      for (let page; (page = this.nextMissingPage()) !== undefined; ) {
        const view = this.schema
        const answer = await request("rows", { from: page * pageSize, count: pageSize })
        if (view !== this.schema) continue
        if (answer.rows.length === 0 && answer.count > page * pageSize) break
        this.storeRows(answer)
        if (answer.rows.length === 0) this.pages.set(page, [])
        this.drawSoon()
      }
    } catch (error) {
      if (error.message !== "the connection is lost")
        attempt(() => {
          throw error
        })
    } finally {
      this.isLoading = false
    }
  }

  /** The next window to request: a visible one, else the next in the direction of scrolling. */
  nextMissingPage() {
    const [first, last] = [this.firstRow, Math.min(this.count - 1, this.firstRow + this.visible)].map(row =>
      Math.floor(row / pageSize)
    )
    const wanted = []
    for (let page = first; page <= last; page++) wanted.push(page)
    // The direction is undefined until the table has scrolled.
    if (this.isUpwards !== undefined) wanted.push(...(this.isUpwards ? [first - 1, first - 2] : [last + 1, last + 2]))
    return wanted.find(page => page >= 0 && page * pageSize < this.count && !this.pages.has(page))
  }

  // MARK: Scrolling

  /** Measures the table. Other functions use the results, so that the browser lays out once per frame. */
  measure() {
    const { clientHeight } = this.element
    // The table has no size while another view is shown.
    if (!clientHeight) return
    this.height = clientHeight
    this.rowHeight = this.head.getBoundingClientRect().height || 28
    this.visible = Math.ceil(this.rowsHeight / this.rowHeight) + 1
    this.element.style.setProperty("--room", `${this.rowsHeight}px`)
    this.updateHeight()
    this.draw()
  }

  /** The visible height of the rows. */
  get rowsHeight() {
    return Math.max(0, this.height - this.rowHeight)
  }
  get maxTop() {
    return this.scale.rows
  }
  get firstRow() {
    return Math.max(0, Math.floor(this.top / this.rowHeight))
  }

  updateHeight() {
    const height = this.count * this.rowHeight,
      shown = Math.min(maxElementHeight, Math.round(height))
    this.scale = new Scale(Math.max(0, height - this.rowsHeight), Math.max(0, shown - this.rowsHeight), this.rowsHeight)
    if (this.shownHeight !== shown) this.space.style.height = `${(this.shownHeight = shown)}px`
    // An inexact table handles the wheel itself. With other tables, the browser doesn't wait for a listener.
    if (this.scale.isExact) this.element.removeEventListener("wheel", this.wheelListener)
    else this.element.addEventListener("wheel", this.wheelListener, { passive: false })
  }

  handleScroll() {
    const { scrollTop } = this.element
    // Horizontal scrolling must not move the rows, whose positions are more precise than the bar's.
    if (scrollTop === this.barTop) return
    this.top = this.scale.positionAfterMove(this.top, this.barTop, scrollTop)
    this.barTop = scrollTop
    // The bar is at its end, but the rows aren't.
    if (scrollTop <= 0 ? this.top > 0 : scrollTop >= this.scale.bar - 1 && this.top < this.maxTop - 1) this.placeBar()
    this.drawSoon()
  }

  /** Moves the bar to the position of the rows. */
  placeBar(sideways = {}) {
    const top = this.scale.barAt(this.top)
    if (Math.abs(top - this.barTop) < 1 && sideways.left === undefined) return
    this.element.scrollTo({ top, behavior: "instant", ...sideways })
    this.barTop = this.element.scrollTop
  }

  scrollTo(top, sideways) {
    this.top = Math.min(this.maxTop, Math.max(0, top))
    this.drawSoon()
    this.placeBar(sideways)
  }

  handleWheel(event) {
    if (event.ctrlKey || event.shiftKey || !event.deltaY) return
    event.preventDefault()
    const unit = [1, this.rowHeight, this.height][event.deltaMode]
    if (event.deltaX) this.element.scrollLeft += event.deltaX * unit
    this.scrollTo(this.top + event.deltaY * unit)
  }

  reveal(row) {
    const top = row * this.rowHeight
    if (top < this.top) this.scrollTo(top)
    else if (top + this.rowHeight > this.top + this.rowsHeight) this.scrollTo(top + this.rowHeight - this.rowsHeight)
  }

  // MARK: Drawing

  /** Draws once in the next frame, even if it's called several times. */
  drawSoon() {
    this.frame ??= requestAnimationFrame(() => this.draw())
  }

  draw() {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    this.frame = undefined
    if (!this.schema) return
    const number = Math.min(this.visible, this.count)
    while (this.rows.length < number) {
      const row = make("div.grid-row", { role: "row" })
      this.rows.push(row)
      this.rowContainer.append(row)
    }
    while (this.rows.length > number) this.rows.pop().remove()
    if (this.top !== this.drawnTop) this.isUpwards = this.top < this.drawnTop
    this.drawnTop = this.top
    if (Math.abs(this.top - this.base) > maxDistanceFromBase) this.base = this.firstRow * this.rowHeight
    // Align with the pixels of the screen, so that texts are sharp.
    const offset = Math.round((this.base - this.top) * devicePixelRatio) / devicePixelRatio
    if (this.offset !== offset) this.rowContainer.style.transform = `translateY(${(this.offset = offset)}px)`
    const first = Math.max(0, Math.min(this.firstRow, this.count - number))
    for (let index = first; index < first + number; index++) this.fill(this.rows[index % number], index)
    const isCursorDrawn = this.cursor.row >= first && this.cursor.row < first + number
    if (isCursorDrawn) this.element.setAttribute("aria-activedescendant", "cursor")
    else this.element.removeAttribute("aria-activedescendant")
    if (this.nextMissingPage() !== undefined) this.loadMissing()
  }

  /** The element of a row; undefined unless the row is drawn. */
  rowElement(index) {
    const element = this.rows[index % this.rows.length]
    return element?.index === index ? element : undefined
  }

  fill(element, index) {
    const place = `${index * this.rowHeight - this.base}px`
    if (element.place !== place) element.style.top = element.place = place
    const row = this.row(index)
    const isPicked = !!row && this.selectedKeys.has(row[0])
    const cursor = index === this.cursor.row ? this.cursor.column : -1
    const change = row && this.changes.get(row[0])
    if (
      element.shown === row &&
      element.index === index &&
      element.isPicked === isPicked &&
      element.cursor === cursor &&
      element.change === change &&
      element.schema === this.schema &&
      row
    )
      return
    if (this.editedCell?.parentElement === element && element.shown?.[0] !== row?.[0]) this.editedCell.firstChild.blur()
    if (element.index !== index) element.setAttribute("aria-rowindex", index + 2)
    if (element.isPicked !== isPicked) {
      element.className = isPicked ? "grid-row picked" : "grid-row"
      element.setAttribute("aria-selected", isPicked)
    }
    Object.assign(element, { shown: row, index, isPicked, cursor, change, schema: this.schema })
    const properties = this.schema.properties
    while (element.children.length < properties.length + 1) {
      element.append(make("div", { role: "gridcell", "aria-colindex": element.children.length + 1 }, ""))
    }
    while (element.children.length > properties.length + 1) element.lastChild.remove()
    let cell = element.firstChild
    for (let column = 0; column <= properties.length; column++, cell = cell.nextSibling) {
      if (cell === this.editedCell) continue
      let [text, kind] = !row
        ? [column ? "" : "…", ""]
        : column
          ? cellText(row[column], properties[column - 1])
          : [row[0], "key"]
      if (column === cursor) kind += " cursor"
      if (change === true) kind += " new"
      else if (column && change?.has(properties[column - 1].name)) kind += " changed"
      updateCell(cell, String(text), kind, column === cursor)
    }
  }

  // MARK: Commits of other programs

  /** Requests the rows again, and marks the changes. */
  applyChanges({ inserted, modified }, isMarked = true) {
    if (!isMarked) return this.refresh()
    for (const key of inserted) this.changes.set(key, true)
    for (const [key, ...names] of modified) if (this.changes.get(key) !== true) this.changes.set(key, new Set(names))
    // The new marks stay as long as the others.
    clearTimeout(this.clock)
    return this.refresh().finally(() => this.removeMarksLater())
  }

  /** Begins once the marks are shown. */
  removeMarksLater() {
    clearTimeout(this.clock)
    this.clock = setTimeout(() => {
      this.changes.clear()
      this.draw()
    }, 4500)
  }

  /** Coalesces commits in quick succession. */
  refresh() {
    this.isStale = this.refreshing !== undefined
    this.refreshing ??= this.reload().finally(() => {
      this.refreshing = undefined
      if (this.isStale) this.refresh()
    })
    return this.refreshing
  }

  async reload() {
    const schema = this.schema
    const from = Math.floor(this.firstRow / pageSize) * pageSize
    const answer = await request("rows", { from, count: 2 * pageSize })
    if (schema !== this.schema) return
    this.pages.clear()
    this.storeRows(answer)
    this.cursor.row = Math.max(0, Math.min(this.cursor.row, this.count - 1))
    if (this.top > this.maxTop) this.scrollTo(this.maxTop)
    this.drawSoon()
  }

  // MARK: Keys and mouse

  moveCursor(row, column, isExtending) {
    if (!this.count) return
    row = Math.min(this.count - 1, Math.max(0, row))
    column = Math.min(this.schema.properties.length, Math.max(0, column))
    // A selection starts at the previous row of the cursor.
    if (isExtending) this.anchor ??= this.cursor.row
    this.cursor = { row, column }
    if (!isExtending) {
      this.selectedKeys.clear()
      this.anchor = row
    }
    this.selecting = this.selectRows(Math.min(this.anchor, row), Math.max(this.anchor, row))
    this.reveal(row)
    this.draw()
    const cell = this.head.children[column]
    if (cell) {
      const [grid, box] = [this.element.getBoundingClientRect(), cell.getBoundingClientRect()]
      const right = grid.left + this.element.clientWidth
      if (box.right > right) this.element.scrollLeft += box.right - right
      if (box.left < grid.left) this.element.scrollLeft -= grid.left - box.left
    }
  }

  /** Selects rows. Requests the keys of rows that aren't loaded. */
  async selectRows(low, high) {
    const range = (this.range = [low, high])
    this.selectedKeys.clear()
    for (let index = low; index <= high && this.row(index); index++) this.selectedKeys.add(this.row(index)[0])
    if (this.selectedKeys.size > high - low) return
    const answer = await attempt(() => request("keys", { from: low, count: Math.min(maxSelected, high - low + 1) }))
    if (range !== this.range || !answer) return
    this.selectedKeys = new Set(answer.keys)
    if (high - low >= maxSelected) showStatus(`chosen: ${grouped(maxSelected)} of ${grouped(high - low + 1)} objects`)
    this.draw()
  }

  get currentRow() {
    return this.row(this.cursor.row)
  }

  /** The keys of the objects for an action: the selected ones, or that of the cursor. */
  get actionKeys() {
    return this.selectedKeys.size ? [...this.selectedKeys] : this.currentRow ? [this.currentRow[0]] : []
  }

  handleKey(event) {
    if (event.target !== this.element) return
    const { row, column } = this.cursor
    const page = Math.max(1, this.visible - 3)
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: isCommand(event) ? [0, column] : [row, 0],
      End: isCommand(event) ? [this.count - 1, column] : [row, Infinity]
    }
    if (event.altKey || (isCommand(event) && !["Home", "End"].includes(event.key))) {
      if (isCommand(event) && event.key === "a" && this.count) {
        event.preventDefault()
        this.anchor = 0
        this.selecting = this.selectRows(0, this.count - 1).then(() => this.draw())
      }
      if (isCommand(event) && event.key === "c")
        this.selecting.then(() => this.actionKeys.length && this.actions.copy(this.actionKeys))
      return
    }
    if (moves[event.key]) this.moveCursor(...moves[event.key], event.shiftKey)
    else if (event.key === "Enter" && column === 0 && this.currentRow) this.actions.open(this.currentRow[0])
    else if ((event.key === "Enter" || event.key === "F2") && this.currentRow) this.editColumn(column)
    else if (event.key === " " && this.currentRow) this.actions.open(this.currentRow[0])
    else if (event.key === "+" || event.key === "-")
      this.setColumnWidth(column, this.widths[column] + (event.key === "+" ? 2 : -2))
    else if (event.key === "s" && column) this.head.children[column].click()
    else if (event.key === "Delete") this.selecting.then(() => this.actions.remove?.(this.actionKeys))
    else return
    event.preventDefault()
  }

  cellAt(event) {
    const cell = event.target.closest?.("[role=gridcell]")
    if (!cell) return undefined
    return { row: cell.parentElement.index, column: [...cell.parentElement.children].indexOf(cell), cell }
  }

  handleMouseDown(event) {
    const place = this.cellAt(event)
    if (!place || event.target.matches("input")) return
    if (isCommand(event) && this.row(place.row)) {
      const key = this.row(place.row)[0]
      this.range = undefined
      if (!this.selectedKeys.delete(key)) this.selectedKeys.add(key)
      this.cursor = { row: place.row, column: place.column }
      this.draw()
      return
    }
    this.moveCursor(place.row, place.column, event.shiftKey)
    if (this.currentRow && place.column === 0 && !event.shiftKey) this.actions.open(this.currentRow[0])
  }

  handleDoubleClick(event) {
    const place = this.cellAt(event)
    if (place && this.currentRow && place.column) this.editColumn(place.column)
  }

  /** Marks a cell as having an editor until `endEditing`. Drawing its row doesn't change the cell. */
  beginEditing(cell) {
    this.editedCell = cell
  }

  endEditing(cell) {
    if (this.editedCell === cell) this.editedCell = undefined
    cell.replaceChildren("")
    Object.assign(cell, { className: "", kind: "", text: "" })
    cell.parentElement.shown = undefined
    this.draw()
  }

  editColumn(column) {
    if (!column) return this.actions.open(this.currentRow[0])
    this.reveal(this.cursor.row)
    this.draw()
    const element = this.rowElement(this.cursor.row)?.children[column]
    this.actions.edit(this.currentRow[0], this.schema.properties[column - 1], this.currentRow[column], element)
  }
}

export function typeName(property) {
  let name = property.type === "link" ? property.target : property.type
  if (property.optional && property.type !== "mixed" && property.type !== "link") name += "?"
  return { list: `[${name}]`, set: `{${name}}`, dictionary: `[key: ${name}]` }[property.collection] ?? name
}

const fontSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

/** The initial width of a column. */
function initialWidth(property) {
  if (property.collection) return 14
  return (
    { bool: 6, int: 8, float: 8, double: 9, decimal: 9, date: 13, uuid: 19, objectId: 14, string: 15 }[property.type] ??
    13
  )
}

/** Sets the text of a cell. Changes only attributes that differ, because rows are reused while scrolling. */
function updateCell(cell, text, kind, isCursor) {
  if (cell.kind !== kind) cell.className = cell.kind = kind
  if (cell.text !== text) cell.firstChild.data = cell.text = text
  if (isCursor) cell.id = "cursor"
  else if (cell.id) cell.removeAttribute("id")
}

/** The text of a cell, and its class. */
function cellText(cell, property) {
  if (cell === null || cell === undefined) return ["null", "null"]
  const numeric = ["int", "float", "double", "decimal"].includes(property.type) && !property.collection
  if (typeof cell === "string") return [cell, numeric ? "number" : ""]
  if (cell.l) return [`→ ${cell.s}`, ""]
  if (property.collection || cell.t === "list" || cell.t === "dictionary") return [`${cell.n}  ${cell.s}`, "some"]
  if (property.type === "mixed") return [`${cell.s} (${cell.t})`, ""]
  if (cell.n !== undefined) return [property.type === "data" ? `${cell.n} bytes ${cell.s}` : `${cell.s}…`, ""]
  return [cell.s, ""]
}
