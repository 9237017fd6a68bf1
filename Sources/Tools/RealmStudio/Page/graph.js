// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The schema as a graph: a box for each class, a line for each relation with its cardinalities.

import { makeSVG, grouped, make, saveFile } from "./elements.js"
import { typeName } from "./table.js"

const rowHeight = 18,
  headHeight = 26,
  maxRows = 14,
  gap = 70
// A saved picture has no style sheet, so colours are attributes.
const palettes = {
  light: { back: "#ffffff", panel: "#eef1f5", line: "#8a93a1", text: "#1b1f27", faint: "#5b6472", accent: "#1f5fbf" },
  dark: { back: "#14171c", panel: "#232831", line: "#7b8594", text: "#e6e9ee", faint: "#a0a9b7", accent: "#7cb0ff" }
}

export function showGraph(page, studio) {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches
  const picture = draw(studio, palettes[isDark ? "dark" : "light"])
  page.replaceChildren(
    make(
      "div.line",
      {},
      make("b", {}, `${grouped(studio.file.classes.length)} classes`),
      make("span.hint", {}, "A click shows the objects. Lines lead from a property to the class that it links to."),
      make("span.gap"),
      make(
        "button",
        {
          onclick: () => {
            const text = new XMLSerializer().serializeToString(draw(studio, palettes.light))
            saveFile("schema.svg", "image/svg+xml", text)
          }
        },
        "Save SVG"
      )
    ),
    picture
  )
}

function relations(studio) {
  return studio.file.classes.flatMap(from =>
    from.properties
      .filter(p => p.type === "link" && studio.class(p.target))
      .map(property => ({ from, to: studio.class(property.target), property }))
  )
}

/** Arranges classes in columns: each to the right of a class that links to it. */
function placed(studio, all) {
  const depth = new Map()
  const targets = new Set(all.filter(r => r.from !== r.to).map(r => r.to))
  const visit = (c, level, trail) => {
    if (trail.has(c) || (depth.get(c) ?? -1) >= level) return
    depth.set(c, level)
    trail.add(c)
    for (const relation of all) if (relation.from === c && relation.to !== c) visit(relation.to, level + 1, trail)
    trail.delete(c)
  }
  const limit = studio.file.classes.length > 60 ? 0 : 1
  for (const c of studio.file.classes)
    if (!targets.has(c)) visit(c, 0, limit ? new Set() : new Set(studio.file.classes))
  for (const c of studio.file.classes)
    if (!depth.has(c)) visit(c, 0, limit ? new Set() : new Set(studio.file.classes.filter(o => o !== c)))
  const columns = []
  for (const c of studio.file.classes) {
    // Classes of a long column continue in the next one.
    let column = Math.min(depth.get(c) ?? 0, 6)
    while (columns[column]?.length >= 8) column += 1
    while (columns.length <= column) columns.push([])
    columns[column].push(c)
  }
  return columns
}

function size(c) {
  const rows = Math.min(c.properties.length, maxRows + 1)
  const longest = Math.max(
    c.name.length + String(c.count).length + 4,
    ...c.properties.map(p => p.name.length + typeName(p).length + 3)
  )
  return {
    width: Math.min(340, Math.max(130, longest * 7 + 16)),
    height: headHeight + Math.max(1, rows) * rowHeight + 6
  }
}

export function draw(studio, colours) {
  const all = relations(studio)
  const boxes = new Map()
  let x = 20,
    bottom = 0
  for (const column of placed(studio, all)) {
    let y = 20,
      widest = 0
    for (const c of column) {
      const { width, height } = size(c)
      boxes.set(c, { x, y, width, height })
      y += height + 40
      widest = Math.max(widest, width)
    }
    bottom = Math.max(bottom, y)
    x += widest + gap
  }
  const picture = makeSVG("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${x} ${bottom}`,
    width: x,
    height: bottom,
    role: "img",
    "aria-label": `Schema: ${studio.file.classes.length} classes, ${all.length} relations`,
    "font-family": "system-ui, sans-serif",
    "font-size": 12
  })
  picture.append(
    makeSVG("rect", { width: x, height: bottom, fill: colours.back }),
    makeSVG(
      "defs",
      {},
      makeSVG(
        "marker",
        { id: "arrow", viewBox: "0 0 10 10", refX: 10, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto" },
        makeSVG("path", { d: "M0 0L10 5L0 10z", fill: colours.accent })
      )
    )
  )
  for (const [c, box] of boxes) picture.append(boxOf(studio, c, box, colours))
  const arrivals = new Map()
  for (const relation of all) {
    // Lines to the same class end below each other, so that their cardinalities are legible.
    const before = arrivals.get(relation.to) ?? 0
    arrivals.set(relation.to, before + 1)
    picture.append(...lineOf(relation, before, boxes, colours))
  }
  return picture
}

function boxOf(studio, c, { x, y, width, height }, colours) {
  const write = (text, at, attributes) => makeSVG("text", { y: at, fill: colours.text, ...attributes }, text)
  const group = makeSVG(
    "g",
    {
      transform: `translate(${x} ${y})`,
      cursor: "pointer",
      role: "link",
      tabindex: 0,
      "aria-label": `Class ${c.name}`
    },
    makeSVG("rect", {
      width,
      height,
      rx: 6,
      fill: colours.back,
      stroke: colours.line,
      "stroke-dasharray": c.kind === "embedded" ? "5 3" : "none"
    }),
    makeSVG("path", {
      d: `M0 6a6 6 0 0 1 6-6h${width - 12}a6 6 0 0 1 6 6v${headHeight - 6}H0z`,
      fill: colours.panel,
      stroke: "none"
    }),
    write(c.name, 18, { x: 8, "font-weight": 700 }),
    write(grouped(c.count), 18, { x: width - 8, "text-anchor": "end", fill: colours.faint })
  )
  const rows = c.properties.slice(0, maxRows)
  rows.forEach((property, index) => {
    const at = headHeight + 14 + index * rowHeight
    const mark = property.primaryKey ? "★ " : property.index ? "⌕ " : ""
    group.append(
      write(mark + property.name, at, { x: 8 }),
      write(typeName(property), at, { x: width - 8, "text-anchor": "end", fill: colours.faint })
    )
  })
  if (c.properties.length > maxRows)
    group.append(
      write(`… ${c.properties.length - maxRows} more`, headHeight + 14 + maxRows * rowHeight, {
        x: 8,
        fill: colours.faint
      })
    )
  const open = () => studio.show({ view: "data", name: c.name, object: undefined })
  group.addEventListener("click", open)
  group.addEventListener("keydown", event => event.key === "Enter" && open())
  return group
}

function lineOf({ from, to, property }, before, boxes, colours) {
  const [a, b] = [boxes.get(from), boxes.get(to)]
  const row = Math.min(from.properties.indexOf(property), maxRows)
  const start = { y: a.y + headHeight + 10 + row * rowHeight, x: a.x + a.width }
  const isRight = b.x > a.x
  const end = {
    x: isRight ? b.x : b.x + b.width,
    y: b.y + headHeight / 2 + Math.min(before * 14, b.height - headHeight)
  }
  const bend = isRight ? Math.max(30, (end.x - start.x) / 2) : 46
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x + (isRight ? -bend : bend)} ${end.y} ${end.x} ${end.y}`
  const count = property.collection ? "*" : property.optional ? "0..1" : "1"
  const label = (text, x, y) => makeSVG("text", { x, y, fill: colours.accent, "font-size": 11 }, text)
  return [
    makeSVG(
      "path",
      { d: path, fill: "none", stroke: colours.accent, "marker-end": "url(#arrow)" },
      makeSVG("title", {}, `${from.name}.${property.name} → ${to.name}`)
    ),
    label(to.kind === "embedded" ? "1" : "*", start.x + 4, start.y - 4),
    label(count, isRight ? end.x - 30 : end.x + 14, end.y - 5)
  ]
}
