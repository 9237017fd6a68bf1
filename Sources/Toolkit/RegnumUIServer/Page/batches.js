// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Applies the batches of the host, each completely or not at all.

import { acknowledgeBatch, sendMessage } from "./connection.js"
import { build } from "./elements.js"
import { showPage } from "./pages.js"
import { observeEnds, sizes } from "./places.js"
import { refresh, showNoChoice } from "./show.js"
import { markAcknowledged, restoreUnsentTexts, saveUnsentTexts, showText } from "./texts.js"
import { ancestor, container, isAllowed, isText, tree, visit } from "./tree.js"

const place = document.getElementById("window")
const { nodesToRefresh, changedOptions } = tree

/** Returns whether all elements that a batch refers to exist. */
function isKnown(operations) {
  const made = new Set()
  let isReset = false
  const has = id => made.has(id) || (!isReset && tree.nodes.has(id))
  return operations.every(([name, id, child]) => {
    if (name === "reset") return (isReset = true)
    if (name === "new") return made.add(id)
    if (name === "put") return has(id) && has(child)
    if (["set", "txt", "del"].includes(name)) return has(id)
    return true
  })
}

const operations = {
  reset: () => {
    saveUnsentTexts()
    sizes.disconnect()
    tree.nodes = new Map()
    tree.root = null
  },
  new: (id, kind, props) => {
    const node = {
      id,
      kind,
      props,
      runs: [],
      children: [],
      parent: null,
      edit: 0,
      editInFlight: 0,
      hasPendingEdit: false
    }
    const old = tree.nodes.get(id)
    tree.nodes.set(id, node)
    if (old) return replace(old, node)
    if (tree.root) return
    tree.root = node
    build(node)
    place.replaceChildren(node.outer)
  },
  put: (parentId, id, index) => {
    const [parent, node] = [tree.nodes.get(parentId), tree.nodes.get(id)]
    if (node.parent) node.parent.children.splice(node.parent.children.indexOf(node), 1)
    parent.children.splice(index, 0, node)
    node.parent = parent
    if (!node.outer) build(node)
    const into = container(parent, node)
    if (parent.children.length === 1 && parent.kind === "button") into.textContent = ""
    let next = null
    for (let at = index + 1; at < parent.children.length && !next; at++) {
      const sibling = parent.children[at].outer
      if (sibling?.parentNode === into) next = sibling
    }
    into.insertBefore(node.outer, next)
    if (node.kind === "dialog" && !node.outer.open) opened.add(node)
    if (node.kind === "menu" || parent.kind === "menu") nodesToRefresh.add(parent.kind === "menu" ? parent : node)
    if (parent.kind === "row" || node.kind === "row") nodesToRefresh.add(node.kind === "row" ? node : parent)
    markOption(node)
  },
  del: id => {
    const node = tree.nodes.get(id)
    if (node.outer?.contains(document.activeElement)) tree.lostFocus = neighbour(node)
    if (node.kind === "dialog" && node.outer.open) node.outer.close()
    if (node.parent) node.parent.children.splice(node.parent.children.indexOf(node), 1)
    markOption(node)
    node.outer?.remove()
    visit(node, gone => tree.nodes.delete(gone.id))
  },
  set: (id, props) => {
    const node = tree.nodes.get(id)
    for (const [name, value] of Object.entries(props)) {
      if (value === null) delete node.props[name]
      else node.props[name] = value
    }
    if (props["s.focused"] === null && document.activeElement === node.control) node.control.blur()
    if (isText(node)) nodesToRefresh.add(node)
    refresh(node)
  },
  txt: (id, runs) => {
    const node = tree.nodes.get(id)
    node.runs = runs
    if (node.outer) refresh(node)
    markOption(node)
  },
  scroll: id => (tree.scrollTarget = tree.nodes.get(id)),
  open: address => {
    if (isAllowed(address)) window.open(address, "_blank", "noopener,noreferrer")
  }
}

/** Replaces an element by one of another kind. The children are moved. */
function replace(old, node) {
  Object.assign(node, { parent: old.parent, children: old.children })
  if (node.parent) node.parent.children[node.parent.children.indexOf(old)] = node
  else tree.root = node
  build(node)
  old.outer.replaceWith(node.outer)
  for (const child of node.children) {
    child.parent = node
    container(node, child).append(child.outer)
  }
}

/** The dialogs to open after the batch is applied. */
const opened = new Set()

/** Marks the option that contains an element, because an option shows the text of its content. */
function markOption(node) {
  for (let at = node; at; at = at.parent)
    if (at.kind === "option" && at.outer?.localName === "option") changedOptions.add(at)
}

/** Returns the element that gets the focus after a row is removed. */
function neighbour(node) {
  const row = node.kind === "row" ? node : ancestor(node, "row")
  const siblings = row?.parent?.children.filter(child => child.kind === "row") ?? []
  const at = siblings.indexOf(row)
  return siblings[at + 1] ?? siblings[at - 1] ?? null
}

export function apply(message) {
  if (!isKnown(message.ops)) return sendMessage({ t: "resync" })
  tree.isApplying = true
  const active = document.activeElement
  const scroll = [window.scrollX, window.scrollY]
  const isReset = message.ops[0]?.[0] === "reset"
  for (const [name, ...rest] of message.ops) operations[name]?.(...rest)
  markAcknowledged(message)
  if (isReset) restoreUnsentTexts()
  for (const node of nodesToRefresh) {
    if (isText(node)) showText(node)
    else if (node.outer) refresh(node)
  }
  for (const node of changedOptions) if (node.outer) node.outer.textContent = plain(node.box)
  for (const node of changedOptions) if (node.outer) node.outer.selected = node.props["s.selected"] === true
  for (const picker of new Set([...changedOptions].map(node => node.parent))) showNoChoice(picker)
  for (const node of opened) if (node.outer.isConnected && tree.nodes.has(node.id)) node.outer.showModal()
  changedOptions.clear()
  opened.clear()
  nodesToRefresh.clear()
  showPage()
  if (isReset) window.scrollTo(...scroll)
  keepFocus(active)
  observeEnds()
  tree.scrollTarget?.outer?.scrollIntoView({ block: "center" })
  tree.scrollTarget = null
  tree.isApplying = false
  tree.isFirst = false
  acknowledgeBatch(message.b)
}

function plain(element) {
  const names = [...element.querySelectorAll("[role=img][aria-label]")].map(image => image.getAttribute("aria-label"))
  return element.textContent.trim() || names.join(" ")
}

function keepFocus(active) {
  if (tree.wantedFocus?.control?.isConnected) tree.wantedFocus.control.focus()
  else if (tree.lostFocus?.outer?.isConnected) {
    const inner =
      tree.lostFocus.outer.querySelector("a, button, input, select, textarea, [tabindex]") ?? tree.lostFocus.outer
    inner.focus()
  } else if (
    active?.isConnected &&
    active !== document.activeElement &&
    active !== document.body &&
    !document.querySelector("dialog[open]")
  )
    active.focus()
  tree.wantedFocus = tree.lostFocus = null
}
