// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The page: the file, its views, and the navigation between them by the URL's fragment.

import { showBytes } from "./bytes.js"
import { ask, connect, listen } from "./connection.js"
import { attempt, bytes, confirm, copy, grouped, isCommand, make, say } from "./elements.js"
import { editCell } from "./editor.js"
import { showChanges, showDistribution, showVersions } from "./facts.js"
import { showGraph } from "./graph.js"
import { createObject, ObjectPanel } from "./object.js"
import { QueryBar } from "./query.js"
import { Table } from "./table.js"

const main = document.getElementById("main")
const views = { data: "Data", schema: "Schema", bytes: "Bytes", versions: "Versions", changes: "Changes" }

/** The state and functions shared by all parts of the page. */
const studio = {
  file: undefined,
  class: name => studio.file.classes.find(c => c.name === name),
  byTable: table => studio.file.classes.find(c => c.table === table),
  follow: (table, key) => go({ ...place(), view: "data", name: studio.byTable(table).name, object: key, linked: undefined }),
  show: change => go({ ...place(), ...change }),
  /** Updates the buttons for undo and redo after a change by the page. */
  took: ({ undo, redo }) => {
    Object.assign(studio.file, { undo, redo })
    buttons()
  },
}

// MARK: Locations: #data/Class?q=…&sort=…&linked=…/object

function place() {
  const [view, name, object] = location.hash.slice(1).split("?")[0].split("/").map(decoded)
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "")
  return {
    view: views[view] ? view : "data", name: name || undefined, object: object ? key(object) : undefined,
    query: query.get("q") ?? "", sort: parsed(query.get("sort"), Array.isArray),
    linked: parsed(query.get("linked"), value => value && typeof value === "object"),
  }
}

/** Decodes a part of the URL. Returns a part with a malformed escape unchanged. */
function decoded(part) {
  try { return decodeURIComponent(part) } catch { return part }
}

/** Parses a value in the URL; returns undefined unless `fits` accepts it. */
function parsed(text, fits) {
  try {
    const value = JSON.parse(text)
    return fits(value) ? value : undefined
  } catch { return undefined }
}

/** Parses an object key, which may exceed the exact range of a Number. */
function key(text) {
  const number = Number(text)
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text)
}

function address({ view, name, object, query, sort, linked }) {
  let path = `#${view}`
  if (name) path += `/${encodeURIComponent(name)}`
  if (name && object !== undefined) path += `/${object}`
  const search = new URLSearchParams()
  if (query) search.set("q", query)
  if (sort) search.set("sort", JSON.stringify(sort))
  if (linked) search.set("linked", JSON.stringify(linked))
  return search.size ? `${path}?${search}` : path
}

function go(to, replaces = false) {
  if (to.name !== place().name) Object.assign(to, { query: to.query !== place().query ? to.query : "", sort: undefined })
  const next = address(to)
  if (next === location.hash) return
  if (replaces) { history.replaceState(history.state, "", next); arrive() } else location.hash = next
}

// MARK: The data view

const classes = make("nav#classes", { "aria-label": "Classes" })
const table = new Table({
  open: key => go({ ...place(), object: key }),
  edit: async (key, property, cell, element) => {
    if (!studio.file.writable) return cell?.l ? studio.follow(...cell.l) : go({ ...place(), object: key })
    if (!await editCell(studio, shown.table, key, property, cell, element, table)) {
      go({ ...place(), object: key })
      return panel.focus(property.name)
    }
    // After a click elsewhere, another element has the focus.
    if (document.activeElement === document.body) table.element.focus()
  },
  sort: name => {
    const { sort } = place()
    const next = sort?.[0] !== name ? [name, true] : sort[1] ? [name, false] : undefined
    go({ ...place(), sort: next })
  },
  copy: async keys => attempt(async () => copy((await ask("json", { table: shown.table, objects: keys })).text)),
  remove: keys => studio.file.writable && remove(keys),
})
const panel = new ObjectPanel(studio, {
  close: () => { go({ ...place(), object: undefined }); table.element.focus() },
  duplicate: keys => duplicate(keys), remove: keys => remove(keys),
})
const bar = new QueryBar(studio, {
  run: query => go({ ...place(), query }),
  distribution: property => showDistribution(shown, property),
  create: () => createObject(studio, shown).then(key => key !== undefined && go({ ...place(), object: key })),
})
const data = make("section#data", {}, bar.element, table.element)
let shown, wanted
// The position of the table for each entry of the browser's history, restored by Back.
const seen = new Map()
let here, settled

async function showData(to) {
  if (!classes.isConnected) main.replaceChildren(classes, data, panel.element)
  const schema = studio.class(to.name) ?? studio.file.classes.find(c => c.kind === "topLevel") ?? studio.file.classes[0]
  data.hidden = !schema
  if (!schema) return say("the file has no classes")
  if (!to.name) return go({ ...to, name: schema.name }, true)
  drawClasses(schema)
  const key = JSON.stringify([schema.table, to.query, to.sort, to.linked])
  if (key !== wanted) {
    const isOther = shown?.table !== schema.table
    wanted = key
    if (isOther) panel.hide()
    bar.show(schema, to)
    try {
      const start = performance.now()
      const fields = { table: schema.table, query: to.query, sort: to.sort ? [to.sort] : [], linked: to.linked, count: 100 }
      const answer = await ask("view", fields)
      if (key !== wanted) return
      shown = schema
      table.show(schema, answer, to.sort)
      if (seen.has(here)) table.position = seen.get(here)
      settled = here
      bar.failed(undefined)
      await new Promise(requestAnimationFrame)
      studio.lastView = performance.now() - start
      say(`${grouped(answer.count)} of ${grouped(schema.count)} ${schema.name} in ${(answer.microseconds / 1000).toFixed(1)} ms, shown after ${studio.lastView.toFixed(0)} ms`)
    } catch (error) {
      wanted = undefined
      bar.failed(error)
      if (isOther) { shown = schema; table.show(schema, { from: 0, rows: [], count: 0 }, to.sort) }
    }
  } else settled = here
  if (to.object === undefined) panel.hide()
  else attempt(async () => {
    await panel.show(schema, to.object)
    const { index } = await ask("index", { object: to.object })
    if (index !== null && table.current?.[0] !== to.object) {
      table.cursor = { row: index, column: table.cursor.column }
      table.picked.clear()
      table.reveal(index)
      table.draw()
    }
  })
}

// The links are updated in place, because one of them may have the focus.
function drawClasses(current) {
  const all = studio.file.classes
  while (classes.children.length > all.length) classes.lastChild.remove()
  while (classes.children.length < all.length) classes.append(make("a", {}, make("span", {}), make("span.count", {})))
  all.forEach((c, index) => {
    const link = classes.children[index]
    const [href, count] = [address({ view: "data", name: c.name }), grouped(c.count)]
    if (link.getAttribute("href") !== href || link.kind !== c.kind) {
      Object.assign(link, { href, kind: c.kind, title: c.kind === "topLevel" ? c.name : `${c.name}: ${c.kind}`,
        className: c.kind === "embedded" ? "embedded" : "" })
      link.firstChild.textContent = c.name
    }
    if (link.lastChild.textContent !== count) link.lastChild.textContent = count
    if (c === current) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current")
  })
}

async function duplicate(keys) {
  await attempt(async () => {
    const answer = await ask("duplicate", { table: shown.table, objects: keys })
    studio.took(answer)
    go({ ...place(), object: answer.objects[0] })
    say(`duplicated ${keys.length === 1 ? "the object" : grouped(keys.length) + " objects"}`)
  })
}

async function remove(keys) {
  if (!keys.length) return
  const text = keys.length === 1 ? "this object" : `${grouped(keys.length)} objects`
  if (!await confirm(`Delete ${text}? Links to it become null. Undo brings it back.`, "Delete")) return
  await attempt(async () => {
    studio.took(await ask("delete", { table: shown.table, objects: keys }))
    table.picked.clear()
    if (keys.includes(place().object)) go({ ...place(), object: undefined }, true)
    say(`deleted ${text}`)
    table.element.focus()
  })
}

// MARK: Navigation

async function arrive() {
  if (!studio.file) return
  if (settled === here) seen.set(here, table.position)
  if (history.state?.here === undefined) history.replaceState({ here: Math.random() }, "")
  here = history.state.here
  const to = place()
  document.title = [to.name, studio.file.path?.split("/").pop()].filter(Boolean).join(" – ")
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === to.view) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
  if (to.view === "data") {
    // The link back from another view restores the current location.
    document.querySelector("#views a[data-view=data]").href = location.hash || "#data"
    return showData(to)
  }
  // A view that is drawn again keeps the focus.
  const isThere = main.firstChild?.dataset.view === to.view
  const page = isThere ? main.firstChild : make("section.page", { tabIndex: -1, "data-view": to.view })
  if (!isThere) main.replaceChildren(page)
  wanted = undefined
  say("")
  const show = { schema: showGraph, bytes: showBytes, versions: showVersions, changes: showChanges }[to.view]
  await attempt(() => show(page, studio))
}

function buttons() {
  for (const name of ["undo", "redo"]) {
    const button = document.getElementById(name)
    button.hidden = !studio.file?.writable
    button.disabled = !studio.file?.[name]
    button.textContent = `${name === "undo" ? "Undo" : "Redo"}${studio.file?.[name] ? ` ${studio.file[name]}` : ""}`
  }
}

async function again(what) {
  await attempt(async () => {
    const answer = await ask(what)
    studio.took(answer)
    say(`${what === "undo" ? "undid" : "did again"}: ${answer.title}`)
  })
}

function gate() {
  const { path, refusal, needsKey, asksForPath } = studio.file
  const wrong = make("p.error", { role: "alert" }, refusal ?? "")
  const send = async (what, fields) => {
    try {
      studio.file = await ask(what, fields)
      begin()
    } catch (error) { wrong.textContent = error.message }
  }
  const field = (name, label, type, what) => {
    const input = make("input", { name, type, required: true, autofocus: true, size: 60, autocomplete: "off", spellcheck: false })
    return make("form", { onsubmit: event => { event.preventDefault(); send(what, { [name]: input.value.trim() }) } },
      make("label", {}, label, make("br"), input), " ", make("button.main", {}, "Open"))
  }
  main.replaceChildren(make("section.page", {},
    make("h1", {}, path ? path.split("/").pop() : "Open a file"), wrong,
    path && needsKey ? field("key", "The file may be encrypted. Its key, as 128 hexadecimal digits, stays in the command's process:", "password", "unlock") : null,
    !asksForPath ? null : field("path", "The path of the file:", "text", "open")))
  main.querySelector("input")?.focus()
}

function begin() {
  const { path, writable, classes: all, bytes: size } = studio.file
  document.getElementById("file").textContent = path?.split("/").pop() ?? "Realm studio"
  document.getElementById("file").title = path ?? ""
  document.getElementById("mode").textContent = all ? `${writable ? "can be changed" : "read-only"} · ${bytes(size)}` : ""
  buttons()
  if (!all) return gate()
  document.getElementById("views").replaceChildren(...Object.entries(views).map(([view, title]) =>
    make("a", { href: `#${view}`, "data-view": view }, title)))
  wanted = undefined
  arrive()
}

listen("open", () => attempt(async () => {
  document.getElementById("offline").hidden = true
  studio.file = await ask("file")
  begin()
}))
listen("closed", () => { document.getElementById("offline").hidden = false })
listen("trouble", ({ error }) => say(error, true))
listen("commit", async change => {
  studio.file.version = change.version
  let isNew = false
  for (const changed of change.classes) {
    const schema = studio.byTable(changed.table)
    if (schema) schema.count = changed.count; else isNew ||= changed.class !== null
  }
  if (isNew) { studio.file = await ask("file"); return begin() }
  if (place().view === "changes") return arrive()
  if (place().view !== "data") return
  drawClasses(shown)
  if (!shown) return
  const ours = change.classes.find(c => c.table === shown.table) ?? { inserted: [], modified: [], deleted: [] }
  await attempt(() => table.changed(ours))
  if (panel.key !== undefined) {
    if (ours.deleted.includes(panel.key)) panel.gone()
    else attempt(() => panel.refresh())
  }
})

document.getElementById("undo").onclick = () => again("undo")
document.getElementById("redo").onclick = () => again("redo")
document.getElementById("back").onclick = () => history.back()
document.getElementById("forward").onclick = () => history.forward()
addEventListener("hashchange", arrive)
addEventListener("keydown", event => {
  if (event.target.matches("input, textarea, select") || !isCommand(event) || event.key.toLowerCase() !== "z") return
  if (!studio.file?.writable) return
  event.preventDefault()
  again(event.shiftKey ? "redo" : "undo")
})
addEventListener("keydown", event => {
  if (event.key === "/" && !event.target.matches("input, textarea, select")) { event.preventDefault(); bar.focus() }
})
connect()
