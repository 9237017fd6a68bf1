// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// A treemap of the file's bytes: classes, properties, indexes, and free space.

import { request } from "./connection.js"
import { formatBytes, makeSVG, grouped, make } from "./elements.js"

export async function showBytes(page, studio) {
  page.replaceChildren(make("p.hint", {}, "measuring …"))
  const { stats, microseconds } = await request("stats")
  const width = Math.max(320, page.clientWidth - 30),
    height = Math.max(260, Math.min(560, page.clientHeight - 150))
  const groups = stats.tables.map(table => ({
    name: table.name,
    size: table.bytes,
    parts: [
      ...table.columns.map(part => ({ name: part.name, size: part.bytes })),
      ...table.indexes.map(part => ({ name: `index of ${part.name}`, size: part.bytes })),
      { name: "inverse links", size: table.backlinkBytes },
      { name: "rest", size: table.otherBytes }
    ]
  }))
  groups.push(
    { name: "free", size: stats.freeBytes, isFree: true, parts: [] },
    {
      name: "other",
      size: stats.otherBytes,
      parts: [
        { name: "history", size: stats.historyBytes },
        { name: "names, free lists", size: Math.max(0, stats.otherBytes - stats.historyBytes) }
      ]
    }
  )
  page.replaceChildren(
    make(
      "div.line",
      {},
      make(
        "b",
        {},
        `${formatBytes(stats.fileBytes)} on disk, ${formatBytes(stats.logicalBytes - stats.freeBytes)} in use`
      ),
      make(
        "span.hint",
        {},
        `free: ${formatBytes(stats.freeBytes)} in ${grouped(stats.freeBlocks)} blocks; measured in ${(microseconds / 1000).toFixed(0)} ms`
      )
    ),
    treemap(
      groups.filter(g => g.size > 0),
      width,
      height
    ),
    list(stats, studio)
  )
}

/** Divides a rectangle among parts by their size, into rectangles that are nearly square. */
export function squarified(parts, x, y, width, height) {
  const result = []
  let rest = [...parts].filter(p => p.size > 0).sort((a, b) => b.size - a.size)
  let total = rest.reduce((sum, p) => sum + p.size, 0)
  while (rest.length && width > 0 && height > 0) {
    const side = Math.min(width, height),
      scale = (width * height) / total
    let taken = 0,
      sum = 0,
      worst = Infinity
    for (let count = 1; count <= rest.length; count++) {
      const next = sum + rest[count - 1].size,
        length = (next * scale) / side
      const ratio = Math.max(
        ...[rest[0], rest[count - 1]].map(p => {
          const other = (p.size * scale) / length
          return Math.max(length / other, other / length)
        })
      )
      if (ratio <= worst) [taken, sum, worst] = [count, next, ratio]
      else break
    }
    const length = (sum * scale) / side
    let at = 0
    for (const part of rest.slice(0, taken)) {
      const other = (part.size * scale) / length
      result.push(
        width >= height
          ? { part, x, y: y + at, width: length, height: other }
          : { part, x: x + at, y, width: other, height: length }
      )
      at += other
    }
    if (width >= height) {
      x += length
      width -= length
    } else {
      y += length
      height -= length
    }
    total -= sum
    rest = rest.slice(taken)
  }
  return result
}

function treemap(groups, width, height) {
  const total = groups.reduce((sum, g) => sum + g.size, 0)
  const picture = makeSVG("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": `Bytes of ${groups.map(g => `${g.name} ${formatBytes(g.size)}`).join(", ")}`
  })
  squarified(groups, 0, 0, width, height).forEach(({ part: group, x, y, width, height }, index) => {
    const colour = group.isFree ? "hsl(0 0% 50% / 0.25)" : `hsl(${(index * 67 + 210) % 360} 55% 50% / 0.42)`
    const title = `${group.name}: ${formatBytes(group.size)}, ${((100 * group.size) / total).toFixed(1)} %`
    const cell = (x, y, width, height, text, tip, fill) => {
      const rect = makeSVG(
        "g",
        {},
        makeSVG("title", {}, tip),
        makeSVG("rect", {
          x: x + 0.5,
          y: y + 0.5,
          width: Math.max(0, width - 1),
          height: Math.max(0, height - 1),
          fill,
          stroke: "var(--back)"
        })
      )
      const letters = Math.floor((width - 8) / 7)
      if (letters > 2 && height > 16)
        rect.append(
          makeSVG(
            "text",
            { x: x + 4, y: y + 13, fill: "var(--text)" },
            text.length > letters ? `${text.slice(0, letters - 1)}…` : text
          )
        )
      return rect
    }
    const outer = cell(x, y, width, height, `${group.name}  ${formatBytes(group.size)}`, title, colour)
    outer.querySelector("text")?.setAttribute("font-weight", "700")
    picture.append(outer)
    if (height < 44 || width < 30) return
    for (const inner of squarified(group.parts, x + 3, y + 18, width - 6, height - 21)) {
      picture.append(
        cell(
          inner.x,
          inner.y,
          inner.width,
          inner.height,
          inner.part.name,
          `${group.name}, ${inner.part.name}: ${formatBytes(inner.part.size)}`,
          colour
        )
      )
    }
  })
  return picture
}

function list(stats, studio) {
  const row = (...cells) => make("tr", {}, ...cells)
  const number = text => make("td.number", {}, text)
  return make(
    "table.plain",
    {},
    row(
      make("th", {}, "Class"),
      make("th.number", {}, "objects"),
      make("th.number", {}, "bytes"),
      make("th.number", {}, "per object"),
      make("th.number", {}, "fill"),
      make("th", {}, "largest parts")
    ),
    ...[...stats.tables]
      .sort((a, b) => b.bytes - a.bytes)
      .map(table => {
        const parts = [
          ...table.columns,
          ...table.indexes.map(i => ({ name: `index of ${i.name}`, bytes: i.bytes })),
          { name: "inverse links", bytes: table.backlinkBytes }
        ]
          .filter(p => p.bytes > 0)
          .sort((a, b) => b.bytes - a.bytes)
          .slice(0, 4)
        const name = studio.class(table.name)
          ? make("a", { href: `#data/${encodeURIComponent(table.name)}` }, table.name)
          : table.name
        return row(
          make("td", {}, name),
          number(grouped(table.objects)),
          number(grouped(table.bytes)),
          number(table.objects ? (table.bytes / table.objects).toFixed(1) : ""),
          number(`${Math.round(table.fill * 100)} %`),
          make("td", {}, parts.map(p => `${p.name} ${formatBytes(p.bytes)}`).join(", "))
        )
      })
  )
}
