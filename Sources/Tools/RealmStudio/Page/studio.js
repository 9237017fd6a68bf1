// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The page: the file, its views, and the navigation between them by the URL's fragment.

import { showBytes } from "./bytes.js"
import { request, connect, listen } from "./connection.js"
import { attempt, formatBytes, confirm, copyText, grouped, isCommand, make, showStatus } from "./elements.js"
import { editCell } from "./editor.js"
import { showChanges, showDistribution, showVersions } from "./facts.js"
import { showGraph } from "./graph.js"
import { createObject, ObjectPanel } from "./object.js"
import { QueryBar } from "./query.js"
import { Table } from "./table.js"

const main = document.getElementById("main")
const viewTitles = { data: "Data", schema: "Schema", bytes: "Bytes", versions: "Versions", changes: "Changes" }

/** The state and functions shared by all parts of the page. */
const studio = {
  file: undefined,
  class: name => studio.file.classes.find(c => c.name === name),
  byTable: table => studio.file.classes.find(c => c.table === table),
  follow: (table, key) =>
    navigate({ ...currentLocation(), view: "data", name: studio.byTable(table).name, object: key, linked: undefined }),
  show: change => navigate({ ...currentLocation(), ...change }),
  /** Updates the buttons for undo and redo after a change by the page. */
  updateUndo: ({ undo, redo }) => {
    Object.assign(studio.file, { undo, redo })
    updateUndoButtons()
  }
}

// MARK: Locations: #data/Class?q=…&sort=…&linked=…/object

function currentLocation() {
  const [view, name, object] = location.hash.slice(1).split("?")[0].split("/").map(decodePart)
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "")
  return {
    view: viewTitles[view] ? view : "data",
    name: name || undefined,
    object: object ? parseKey(object) : undefined,
    query: query.get("q") ?? "",
    sort: parseValue(query.get("sort"), Array.isArray),
    linked: parseValue(query.get("linked"), value => value && typeof value === "object")
  }
}

/** Decodes a part of the URL. Returns a part with a malformed escape unchanged. */
function decodePart(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Parses a value in the URL; returns undefined unless `fits` accepts it. */
function parseValue(text, fits) {
  try {
    const value = JSON.parse(text)
    return fits(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Parses an object key, which may exceed the exact range of a Number. */
function parseKey(text) {
  const number = Number(text)
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text)
}

function fragment({ view, name, object, query, sort, linked }) {
  let path = `#${view}`
  if (name) path += `/${encodeURIComponent(name)}`
  if (name && object !== undefined) path += `/${object}`
  const search = new URLSearchParams()
  if (query) search.set("q", query)
  if (sort) search.set("sort", JSON.stringify(sort))
  if (linked) search.set("linked", JSON.stringify(linked))
  return search.size ? `${path}?${search}` : path
}

function navigate(to, replaces = false) {
  if (to.name !== currentLocation().name)
    Object.assign(to, { query: to.query !== currentLocation().query ? to.query : "", sort: undefined })
  const next = fragment(to)
  if (next === location.hash) return
  if (replaces) {
    history.replaceState(history.state, "", next)
    showLocation()
  } else location.hash = next
}

// MARK: The data view

const classes = make("nav#classes", { "aria-label": "Classes" })
const table = new Table({
  open: key => navigate({ ...currentLocation(), object: key }),
  edit: async (key, property, cell, element) => {
    if (!studio.file.writable)
      return cell?.l ? studio.follow(...cell.l) : navigate({ ...currentLocation(), object: key })
    if (!(await editCell(studio, shownClass.table, key, property, cell, element, table))) {
      navigate({ ...currentLocation(), object: key })
      return panel.editProperty(property.name)
    }
    // After a click elsewhere, another element has the focus.
    if (document.activeElement === document.body) table.element.focus()
  },
  sort: name => {
    const { sort } = currentLocation()
    const next = sort?.[0] !== name ? [name, true] : sort[1] ? [name, false] : undefined
    navigate({ ...currentLocation(), sort: next })
  },
  copy: async keys =>
    attempt(async () => copyText((await request("json", { table: shownClass.table, objects: keys })).text)),
  remove: keys => studio.file.writable && remove(keys)
})
const panel = new ObjectPanel(studio, {
  close: () => {
    navigate({ ...currentLocation(), object: undefined })
    table.element.focus()
  },
  duplicate: keys => duplicate(keys),
  remove: keys => remove(keys)
})
const queryBar = new QueryBar(studio, {
  run: query => navigate({ ...currentLocation(), query }),
  distribution: property => showDistribution(shownClass, property),
  create: () =>
    createObject(studio, shownClass).then(key => key !== undefined && navigate({ ...currentLocation(), object: key }))
})
const dataView = make("section#data", {}, queryBar.element, table.element)
let shownClass, requestedView
// The position of the table for each entry of the browser's history, restored by Back.
const savedPositions = new Map()
let entry, shownEntry

async function showData(to) {
  if (!classes.isConnected) main.replaceChildren(classes, dataView, panel.element)
  const schema = studio.class(to.name) ?? studio.file.classes.find(c => c.kind === "topLevel") ?? studio.file.classes[0]
  dataView.hidden = !schema
  if (!schema) return showStatus("the file has no classes")
  if (!to.name) return navigate({ ...to, name: schema.name }, true)
  drawClasses(schema)
  const key = JSON.stringify([schema.table, to.query, to.sort, to.linked])
  if (key !== requestedView) {
    const isOther = shownClass?.table !== schema.table
    requestedView = key
    if (isOther) panel.hide()
    queryBar.show(schema, to)
    try {
      const start = performance.now()
      const fields = {
        table: schema.table,
        query: to.query,
        sort: to.sort ? [to.sort] : [],
        linked: to.linked,
        count: 100
      }
      const answer = await request("view", fields)
      if (key !== requestedView) return
      shownClass = schema
      table.show(schema, answer, to.sort)
      if (savedPositions.has(entry)) table.position = savedPositions.get(entry)
      shownEntry = entry
      queryBar.showError(undefined)
      await new Promise(requestAnimationFrame)
      studio.lastView = performance.now() - start
      showStatus(
        `${grouped(answer.count)} of ${grouped(schema.count)} ${schema.name} in ${(answer.microseconds / 1000).toFixed(1)} ms, shown after ${studio.lastView.toFixed(0)} ms`
      )
    } catch (error) {
      requestedView = undefined
      queryBar.showError(error)
      if (isOther) {
        shownClass = schema
        table.show(schema, { from: 0, rows: [], count: 0 }, to.sort)
      }
    }
  } else shownEntry = entry
  if (to.object === undefined) panel.hide()
  else
    attempt(async () => {
      await panel.show(schema, to.object)
      const { index } = await request("index", { object: to.object })
      if (index !== null && table.currentRow?.[0] !== to.object) {
        table.cursor = { row: index, column: table.cursor.column }
        table.selectedKeys.clear()
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
    const [href, count] = [fragment({ view: "data", name: c.name }), grouped(c.count)]
    if (link.getAttribute("href") !== href || link.kind !== c.kind) {
      Object.assign(link, {
        href,
        kind: c.kind,
        title: c.kind === "topLevel" ? c.name : `${c.name}: ${c.kind}`,
        className: c.kind === "embedded" ? "embedded" : ""
      })
      link.firstChild.textContent = c.name
    }
    if (link.lastChild.textContent !== count) link.lastChild.textContent = count
    if (c === current) link.setAttribute("aria-current", "true")
    else link.removeAttribute("aria-current")
  })
}

async function duplicate(keys) {
  await attempt(async () => {
    const answer = await request("duplicate", { table: shownClass.table, objects: keys })
    studio.updateUndo(answer)
    navigate({ ...currentLocation(), object: answer.objects[0] })
    showStatus(`duplicated ${keys.length === 1 ? "the object" : grouped(keys.length) + " objects"}`)
  })
}

async function remove(keys) {
  if (!keys.length) return
  const text = keys.length === 1 ? "this object" : `${grouped(keys.length)} objects`
  if (!(await confirm(`Delete ${text}? Links to it become null. Undo brings it back.`, "Delete"))) return
  await attempt(async () => {
    studio.updateUndo(await request("delete", { table: shownClass.table, objects: keys }))
    table.selectedKeys.clear()
    if (keys.includes(currentLocation().object)) navigate({ ...currentLocation(), object: undefined }, true)
    showStatus(`deleted ${text}`)
    table.element.focus()
  })
}

// MARK: Navigation

async function showLocation() {
  if (!studio.file) return
  if (shownEntry === entry) savedPositions.set(entry, table.position)
  if (history.state?.entry === undefined) history.replaceState({ entry: Math.random() }, "")
  entry = history.state.entry
  const to = currentLocation()
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
  requestedView = undefined
  showStatus("")
  const show = { schema: showGraph, bytes: showBytes, versions: showVersions, changes: showChanges }[to.view]
  await attempt(() => show(page, studio))
}

function updateUndoButtons() {
  for (const name of ["undo", "redo"]) {
    const button = document.getElementById(name)
    button.hidden = !studio.file?.writable
    button.disabled = !studio.file?.[name]
    button.textContent = `${name === "undo" ? "Undo" : "Redo"}${studio.file?.[name] ? ` ${studio.file[name]}` : ""}`
  }
}

async function undoOrRedo(what) {
  await attempt(async () => {
    const answer = await request(what)
    studio.updateUndo(answer)
    showStatus(`${what === "undo" ? "undid" : "did again"}: ${answer.title}`)
  })
}

function showOpenForm() {
  const { path, refusal, needsKey, asksForPath } = studio.file
  const wrong = make("p.error", { role: "alert" }, refusal ?? "")
  const send = async (what, fields) => {
    try {
      studio.file = await request(what, fields)
      showFile()
    } catch (error) {
      wrong.textContent = error.message
    }
  }
  const field = (name, label, type, what) => {
    const input = make("input", {
      name,
      type,
      required: true,
      autofocus: true,
      size: 60,
      autocomplete: "off",
      spellcheck: false
    })
    return make(
      "form",
      {
        onsubmit: event => {
          event.preventDefault()
          send(what, { [name]: input.value.trim() })
        }
      },
      make("label", {}, label, make("br"), input),
      " ",
      make("button.main", {}, "Open")
    )
  }
  main.replaceChildren(
    make(
      "section.page",
      {},
      make("h1", {}, path ? path.split("/").pop() : "Open a file"),
      wrong,
      path && needsKey
        ? field(
            "key",
            "The file may be encrypted. Its key, as 128 hexadecimal digits, stays in the command's process:",
            "password",
            "unlock"
          )
        : null,
      !asksForPath ? null : field("path", "The path of the file:", "text", "open")
    )
  )
  main.querySelector("input")?.focus()
}

function showFile() {
  const { path, writable, classes: all, bytes: size } = studio.file
  document.getElementById("file").textContent = path?.split("/").pop() ?? "Realm studio"
  document.getElementById("file").title = path ?? ""
  document.getElementById("mode").textContent = all
    ? `${writable ? "can be changed" : "read-only"} · ${formatBytes(size)}`
    : ""
  updateUndoButtons()
  if (!all) return showOpenForm()
  document
    .getElementById("views")
    .replaceChildren(
      ...Object.entries(viewTitles).map(([view, title]) => make("a", { href: `#${view}`, "data-view": view }, title))
    )
  requestedView = undefined
  showLocation()
}

listen("open", () =>
  attempt(async () => {
    document.getElementById("offline").hidden = true
    studio.file = await request("file")
    showFile()
  })
)
listen("closed", () => {
  document.getElementById("offline").hidden = false
})
listen("trouble", ({ error }) => showStatus(error, true))
listen("commit", async change => {
  studio.file.version = change.version
  let isNew = false
  for (const changed of change.classes) {
    const schema = studio.byTable(changed.table)
    if (schema) schema.count = changed.count
    else isNew ||= changed.class !== null
  }
  if (isNew) {
    studio.file = await request("file")
    return showFile()
  }
  if (currentLocation().view === "changes") return showLocation()
  if (currentLocation().view !== "data") return
  drawClasses(shownClass)
  if (!shownClass) return
  const ours = change.classes.find(c => c.table === shownClass.table) ?? { inserted: [], modified: [], deleted: [] }
  await attempt(() => table.applyChanges(ours))
  if (panel.key !== undefined) {
    if (ours.deleted.includes(panel.key)) panel.showDeleted()
    else attempt(() => panel.refresh())
  }
})

document.getElementById("undo").onclick = () => undoOrRedo("undo")
document.getElementById("redo").onclick = () => undoOrRedo("redo")
document.getElementById("back").onclick = () => history.back()
document.getElementById("forward").onclick = () => history.forward()
addEventListener("hashchange", showLocation)
addEventListener("keydown", event => {
  if (event.target.matches("input, textarea, select") || !isCommand(event) || event.key.toLowerCase() !== "z") return
  if (!studio.file?.writable) return
  event.preventDefault()
  undoOrRedo(event.shiftKey ? "redo" : "undo")
})
addEventListener("keydown", event => {
  if (event.key === "/" && !event.target.matches("input, textarea, select")) {
    event.preventDefault()
    queryBar.focus()
  }
})
connect()
