// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The distribution of a property, the pinned versions, and the feed of changes.

import { request } from "./connection.js"
import { formatBytes, makeSVG, grouped, make, replaceKeepingFocus } from "./elements.js"

// MARK: Distribution

export async function showDistribution(schema, property) {
  const answer = await request("distribution", { table: schema.table, property })
  const facts = [`${grouped(answer.count)} objects`, `${grouped(answer.nulls)} null`]
  facts.push(
    answer.different === undefined
      ? "more than 200,000 different values"
      : `${grouped(answer.different)} different values`
  )
  return make(
    "div",
    {},
    make("p.hint", {}, `${facts.join(", ")}; ${(answer.microseconds / 1000).toFixed(0)} ms`),
    make("div.line.top", {}, answer.bins ? histogram(answer) : "", top(answer))
  )
}

function limit(value, measure) {
  if (measure === "date") {
    const date = new Date(value * 1000)
    return Number.isNaN(date.getTime()) ? String(value) : date.toISOString().slice(0, 10)
  }
  return Number(Number(value).toPrecision(6)).toLocaleString("en-US")
}

function histogram({ bins, least, greatest, measure }) {
  const width = 420,
    height = 130,
    most = Math.max(...bins)
  const picture = makeSVG("svg", {
    viewBox: `0 0 ${width} ${height + 18}`,
    width,
    height: height + 18,
    role: "img",
    "aria-label": `Histogram of ${measure} from ${limit(least, measure)} to ${limit(greatest, measure)}: ${bins.join(", ")}`
  })
  const step = width / bins.length
  bins.forEach((count, index) => {
    const size = count ? Math.max(1, (count / most) * height) : 0
    const from = Number(least) + ((greatest - least) / bins.length) * index
    picture.append(
      makeSVG(
        "g",
        {},
        makeSVG("title", {}, `from ${limit(from, measure)}: ${grouped(count)}`),
        makeSVG("rect", { x: index * step, y: 0, width: step, height, fill: "transparent" }),
        makeSVG("rect", {
          x: index * step + 0.5,
          y: height - size,
          width: Math.max(0.5, step - 1),
          height: size,
          fill: "var(--accent)"
        })
      )
    )
  })
  picture.append(
    makeSVG("text", { x: 0, y: height + 14, fill: "var(--faint)" }, limit(least, measure)),
    makeSVG("text", { x: width / 2, y: height + 14, fill: "var(--faint)", "text-anchor": "middle" }, measure),
    makeSVG("text", { x: width, y: height + 14, fill: "var(--faint)", "text-anchor": "end" }, limit(greatest, measure))
  )
  return picture
}

function top({ top, count }) {
  if (!top.length) return make("p.hint", {}, "nearly all values are different")
  return make(
    "table.plain",
    {},
    make("tr", {}, make("th", {}, "most frequent"), make("th.number", {}, "objects"), make("th.number", {}, "%")),
    ...top.map(([value, number]) =>
      make(
        "tr",
        {},
        make("td", {}, value === "" ? "(empty)" : value),
        make("td.number", {}, grouped(number)),
        make("td.number", {}, ((100 * number) / count).toFixed(1))
      )
    )
  )
}

// MARK: Versions

export async function showVersions(page, studio) {
  const { pins } = await request("pins")
  const age = since => {
    const seconds = Math.max(0, Date.now() / 1000 - since / 1e9)
    if (seconds < 120) return `${Math.round(seconds)} s`
    return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
  }
  replaceKeepingFocus(page, [
    make("p", {}, `The newest version is ${grouped(pins.version)}; the file has ${formatBytes(studio.file.bytes)}.`),
    make("p.hint", {}, "The file can't reuse the space of versions that programs pin."),
    make(
      "table.plain",
      {},
      make(
        "tr",
        {},
        ...["version", "behind", "bytes held", "process", "for", "holders", "kept by"].map(text => make("th", {}, text))
      ),
      ...pins.pins.map(pin =>
        make(
          "tr",
          {},
          ...[
            grouped(pin.version),
            grouped(pins.version - pin.version),
            grouped(pin.bytesHeld),
            pin.process,
            age(Number(pin.since)),
            grouped(pin.holders),
            pin.label
          ].map(text => make("td", {}, String(text)))
        )
      )
    ),
    pins.pins.length ? "" : make("p", {}, "No program keeps a version."),
    make("button", { onclick: () => showVersions(page, studio) }, "Look again")
  ])
}

// MARK: Changes

export async function showChanges(page, studio) {
  const { changes } = await request("feed")
  const line = change =>
    make(
      "section.feed",
      {},
      make("b", {}, `Version ${grouped(change.version)}`),
      " ",
      make("small.faint", {}, new Date(change.time * 1000).toLocaleTimeString()),
      ...change.classes
        .filter(c => c.class)
        .map(c => {
          const [inserted, deleted, modified] = c.counts
          const name = studio.class(c.class)
            ? make("a", { href: `#data/${encodeURIComponent(c.class)}` }, c.class)
            : c.class
          const counts = [
            inserted && `${grouped(inserted)} new`,
            deleted && `${grouped(deleted)} deleted`,
            modified && `${grouped(modified)} changed`
          ]
          return make("div", {}, name, ` ${counts.filter(Boolean).join(", ")}`, make("pre", {}, c.lines.join("\n")))
        })
    )
  replaceKeepingFocus(page, [
    make(
      "p.hint",
      {},
      "What was committed since the command was started, by any program; the newest first. Commits in quick succession may be one."
    ),
    ...changes.toReversed().map(line),
    changes.length ? "" : make("p", {}, "Nothing has changed yet.")
  ])
}
