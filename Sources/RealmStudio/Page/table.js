// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// A table of any number of rows, of which only those that can be seen are there.

import { ask } from "./connection.js";
import { attempt, grouped, isCommand, make, say } from "./elements.js";

const pageSize = 100, mostPages = 40, tallest = 8_000_000, mostPicked = 100_000;

export class Table {
  /** `open(key)` shows an object, `edit(key, property, cell)` edits a cell, `sort(name)` orders by a property. */
  constructor(actions) {
    this.actions = actions;
    this.pages = new Map();
    this.count = 0;
    this.cursor = { row: 0, column: 0 };
    this.picked = new Set();
    this.picking = Promise.resolve();
    this.fresh = new Map();
    // `top` is the place in the rows, `barTop` the place of the bar that was seen last.
    this.top = this.barTop = 0;
    this.head = make("div.grid-head", { role: "row" });
    this.moved = make("div.grid-moved", {});
    this.space = make("div.grid-space");
    this.element = make("div.grid", { tabIndex: 0, role: "grid", "aria-label": "Objects" },
      this.head, make("div.grid-rows", {}, this.moved), this.space);
    this.rows = [];
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.element.addEventListener("wheel", event => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", event => this.key(event));
    this.element.addEventListener("mousedown", event => this.press(event));
    this.element.addEventListener("dblclick", event => this.begin(event));
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  /** Shows a class and the first window of its rows. */
  show(schema, answer, sort) {
    this.schema = schema;
    this.pages.clear();
    this.picked.clear();
    this.range = undefined;
    this.fresh.clear();
    this.cursor = { row: 0, column: 0 };
    this.take(answer);
    this.heads(sort);
    this.resized();
    this.scrollTo(0);
  }

  heads(sort) {
    const widths = this.schema.properties.map(p => width(p));
    this.element.style.setProperty("--columns", `5rem ${widths.join(" ")}`);
    this.element.setAttribute("aria-colcount", widths.length + 1);
    this.head.replaceChildren(make("span", { role: "columnheader" }, "#"), ...this.schema.properties.map(p => {
      const direction = sort?.[0] === p.name ? (sort[1] ? "ascending" : "descending") : "none";
      const mark = { ascending: " ▲", descending: " ▼", none: "" }[direction];
      const sortable = !p.collection && p.type !== "link";
      return make("button", {
        role: "columnheader", "aria-sort": direction, title: `${p.name}: ${typeName(p)}`, disabled: !sortable,
        tabIndex: -1, onclick: () => this.actions.sort(p.name),
      }, p.name + mark + " ", make("small", {}, typeName(p)));
    }));
  }

  /** Takes a window of rows. */
  take({ from, rows, count }) {
    this.count = count;
    for (let start = from; start < from + rows.length; start += pageSize) {
      this.pages.delete(start / pageSize);
      this.pages.set(start / pageSize, rows.slice(start - from, start - from + pageSize));
    }
    while (this.pages.size > mostPages) this.pages.delete(this.pages.keys().next().value);
    this.element.setAttribute("aria-rowcount", count + 1);
    this.sized();
  }

  row(index) { return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize]; }

  // Rows are asked for one window after the other, the one that is seen now first.
  async load() {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      for (let page; (page = this.missing()) !== undefined;) {
        const view = this.schema;
        const answer = await ask("rows", { from: page * pageSize, count: pageSize });
        if (view !== this.schema) continue;
        if (answer.rows.length === 0 && answer.count > page * pageSize) break;
        this.take(answer);
        if (answer.rows.length === 0) this.pages.set(page, []);
        this.draw();
      }
    } catch (error) {
      if (error.message !== "the connection is lost") attempt(() => { throw error; });
    } finally {
      this.isLoading = false;
    }
  }

  missing() {
    const [first, last] = [this.firstRow, Math.min(this.count - 1, this.firstRow + this.visible)];
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) {
      if (page >= 0 && page * pageSize < this.count && !this.pages.has(page)) return page;
    }
    return undefined;
  }

  // MARK: Scrolling. A browser's elements are only so tall: of a longer table the bar moves faster than the rows.

  resized() {
    this.rowHeight = this.head.getBoundingClientRect().height || 28;
    this.visible = Math.ceil(this.element.clientHeight / this.rowHeight) + 1;
    this.sized();
    this.draw();
  }

  sized() {
    const height = this.count * this.rowHeight;
    this.ratio = Math.max(1, height / tallest);
    const wanted = `${Math.round(height / this.ratio)}px`;
    if (this.space.style.height !== wanted) this.space.style.height = wanted;
  }

  get furthest() { return Math.max(0, this.count * this.rowHeight - (this.element.clientHeight - this.rowHeight)); }
  get firstRow() { return Math.max(0, Math.floor(this.top / this.rowHeight)); }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    // Where the bar stays, as when the table moves sideways, so do the rows: they are placed more finely than it.
    if (scrollTop !== this.barTop) {
      this.top = this.ratio === 1 ? scrollTop : this.furthest * scrollTop / Math.max(1, scrollHeight - clientHeight);
      this.barTop = scrollTop;
    }
    if (!this.isDrawing) {
      this.isDrawing = true;
      requestAnimationFrame(() => { this.isDrawing = false; this.draw(); });
    }
  }

  scrollTo(top) {
    this.top = Math.min(this.furthest, Math.max(0, top));
    const { scrollHeight, clientHeight } = this.element;
    this.element.scrollTop = this.ratio === 1 ? this.top : this.top / Math.max(1, this.furthest) * (scrollHeight - clientHeight);
    this.barTop = this.element.scrollTop;
    this.draw();
  }

  wheel(event) {
    if (this.ratio === 1 || event.ctrlKey || event.shiftKey || !event.deltaY) return;
    event.preventDefault();
    const unit = [1, this.rowHeight, this.element.clientHeight][event.deltaMode];
    if (event.deltaX) this.element.scrollLeft += event.deltaX * unit;
    this.scrollTo(this.top + event.deltaY * unit);
  }

  reveal(row) {
    const [top, room] = [row * this.rowHeight, this.element.clientHeight - this.rowHeight];
    if (top < this.top) this.scrollTo(top);
    else if (top + this.rowHeight > this.top + room) this.scrollTo(top + this.rowHeight - room);
  }

  // MARK: Drawing

  draw() {
    if (!this.schema) return;
    const first = this.firstRow;
    const count = Math.min(this.visible, Math.max(0, this.count - first));
    while (this.rows.length < count) {
      const row = make("div.grid-row", { role: "row" });
      this.rows.push(row);
      this.moved.append(row);
    }
    while (this.rows.length > count) this.rows.pop().remove();
    this.moved.style.transform = `translateY(${-(this.top - first * this.rowHeight)}px)`;
    for (let place = 0; place < count; place++) this.fill(this.rows[place], first + place);
    if (this.missing() !== undefined) this.load();
  }

  fill(element, index) {
    const row = this.row(index);
    const isPicked = row && this.picked.has(row[0]);
    const cursor = index === this.cursor.row ? this.cursor.column : -1;
    const fresh = row && this.fresh.get(row[0]);
    if (element.shown === row && element.index === index && element.isPicked === isPicked && element.cursor === cursor
      && element.fresh === fresh && row) return;
    if (element.querySelector("input") && element.shown === row) return;
    Object.assign(element, { shown: row, index, isPicked, cursor, fresh });
    element.className = isPicked ? "grid-row picked" : "grid-row";
    element.setAttribute("aria-rowindex", index + 2);
    element.setAttribute("aria-selected", !!isPicked);
    const properties = this.schema.properties;
    while (element.children.length < properties.length + 1) element.append(make("div", { role: "gridcell" }));
    while (element.children.length > properties.length + 1) element.lastChild.remove();
    for (let column = 0; column <= properties.length; column++) {
      const cell = element.children[column];
      let [text, kind] = !row ? [column ? "" : "…", ""] : column ? shown(row[column], properties[column - 1]) : [row[0], "key"];
      if (column === cursor) kind += " cursor";
      if (fresh === true) kind += " new";
      else if (column && fresh?.has(properties[column - 1].name)) kind += " changed";
      if (cell.className !== kind) cell.className = kind;
      if (cell.textContent !== String(text)) cell.textContent = text;
    }
  }

  // MARK: Changes by others

  /** Asks for the rows anew, and marks what has changed. */
  changed({ inserted, modified }, isMarked = true) {
    if (isMarked) {
      for (const key of inserted) this.fresh.set(key, true);
      for (const [key, ...names] of modified) if (this.fresh.get(key) !== true) this.fresh.set(key, new Set(names));
      clearTimeout(this.clock);
      this.clock = setTimeout(() => { this.fresh.clear(); this.draw(); }, 4500);
    }
    return this.refresh();
  }

  async refresh() {
    const schema = this.schema;
    const from = Math.floor(this.firstRow / pageSize) * pageSize;
    const answer = await ask("rows", { from, count: 2 * pageSize });
    if (schema !== this.schema) return;
    this.pages.clear();
    this.take(answer);
    this.cursor.row = Math.max(0, Math.min(this.cursor.row, this.count - 1));
    if (this.top > this.furthest) this.scrollTo(this.furthest);
    this.draw();
  }

  // MARK: Keys and mouse

  move(row, column, isExtending) {
    if (!this.count) return;
    row = Math.min(this.count - 1, Math.max(0, row));
    column = Math.min(this.schema.properties.length, Math.max(0, column));
    // What is chosen first begins where the cursor was.
    if (isExtending) this.anchor ??= this.cursor.row;
    this.cursor = { row, column };
    if (!isExtending) { this.picked.clear(); this.anchor = row; }
    this.picking = this.pick(Math.min(this.anchor, row), Math.max(this.anchor, row));
    this.reveal(row);
    const cell = this.rows[row - this.firstRow]?.children[column];
    if (cell) {
      const [head, box] = [this.element.getBoundingClientRect(), cell.getBoundingClientRect()];
      if (box.right > head.right) this.element.scrollLeft += box.right - head.right;
      if (box.left < head.left) this.element.scrollLeft -= head.left - box.left;
    }
    this.draw();
    this.actions.moved?.(this.row(row));
  }

  /** Chooses rows. The keys of those that are not here are asked for. */
  async pick(low, high) {
    const range = this.range = [low, high];
    this.picked.clear();
    for (let index = low; index <= high && this.row(index); index++) this.picked.add(this.row(index)[0]);
    if (this.picked.size > high - low) return;
    const answer = await attempt(() => ask("keys", { from: low, count: Math.min(mostPicked, high - low + 1) }));
    if (range !== this.range || !answer) return;
    this.picked = new Set(answer.keys);
    if (high - low >= mostPicked) say(`chosen: ${grouped(mostPicked)} of ${grouped(high - low + 1)} objects`);
    this.draw();
  }

  get current() { return this.row(this.cursor.row); }

  /** The keys of the objects that an action is about. */
  get chosen() { return this.picked.size ? [...this.picked] : this.current ? [this.current[0]] : []; }

  key(event) {
    if (event.target !== this.element) return;
    const { row, column } = this.cursor;
    const page = Math.max(1, this.visible - 3);
    const moves = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], PageUp: [row - page, column], PageDown: [row + page, column],
      Home: isCommand(event) ? [0, column] : [row, 0], End: isCommand(event) ? [this.count - 1, column] : [row, Infinity],
    };
    if (event.altKey || (isCommand(event) && !["Home", "End"].includes(event.key))) {
      if (isCommand(event) && event.key === "c") this.picking.then(() => this.chosen.length && this.actions.copy(this.chosen));
      return;
    }
    if (moves[event.key]) this.move(...moves[event.key], event.shiftKey);
    else if (event.key === "Enter" && column === 0 && this.current) this.actions.open(this.current[0]);
    else if ((event.key === "Enter" || event.key === "F2") && this.current) this.beginAt(column);
    else if (event.key === " " && this.current) this.actions.open(this.current[0]);
    else if (event.key === "Delete") this.picking.then(() => this.actions.remove?.(this.chosen));
    else return;
    event.preventDefault();
  }

  cellAt(event) {
    const cell = event.target.closest?.("[role=gridcell]");
    if (!cell) return undefined;
    return { row: cell.parentElement.index, column: [...cell.parentElement.children].indexOf(cell), cell };
  }

  press(event) {
    const place = this.cellAt(event);
    if (!place || event.target.matches("input")) return;
    if (isCommand(event) && this.row(place.row)) {
      const key = this.row(place.row)[0];
      this.range = undefined;
      if (!this.picked.delete(key)) this.picked.add(key);
      this.cursor = { row: place.row, column: place.column };
      this.draw();
      return;
    }
    this.move(place.row, place.column, event.shiftKey);
    if (this.current && place.column === 0 && !event.shiftKey) this.actions.open(this.current[0]);
  }

  begin(event) {
    const place = this.cellAt(event);
    if (place && this.current && place.column) this.beginAt(place.column);
  }

  beginAt(column) {
    if (!column) return this.actions.open(this.current[0]);
    const element = this.rows[this.cursor.row - this.firstRow]?.children[column];
    this.actions.edit(this.current[0], this.schema.properties[column - 1], this.current[column], element);
  }
}

export function typeName(property) {
  let name = property.type === "link" ? property.target : property.type;
  if (property.optional && property.type !== "mixed" && property.type !== "link") name += "?";
  return { list: `[${name}]`, set: `{${name}}`, dictionary: `[key: ${name}]` }[property.collection] ?? name;
}

function width(property) {
  if (property.collection) return "14rem";
  return { bool: "6rem", int: "8rem", float: "8rem", double: "9rem", decimal: "9rem", date: "13rem", uuid: "19rem",
    objectId: "14rem", string: "15rem" }[property.type] ?? "13rem";
}

/** The text of a cell, and its class. */
function shown(cell, property) {
  if (cell === null || cell === undefined) return ["null", "null"];
  const numeric = ["int", "float", "double", "decimal"].includes(property.type) && !property.collection;
  if (typeof cell === "string") return [cell, numeric ? "number" : ""];
  if (cell.l) return [`→ ${cell.s}`, ""];
  if (property.collection || cell.t === "list" || cell.t === "dictionary") return [`${cell.n}  ${cell.s}`, "some"];
  if (property.type === "mixed") return [`${cell.s} (${cell.t})`, ""];
  if (cell.n !== undefined) return [property.type === "data" ? `${cell.n} bytes ${cell.s}` : `${cell.s}…`, ""];
  return [cell.s, ""];
}
