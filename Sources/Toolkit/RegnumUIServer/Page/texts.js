// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Texts that the user types. Each edit has a number, so that a batch from before the last edit doesn't overwrite the text.

import { acknowledged, isOnline, sendEvent } from "./connection.js"
import { refresh } from "./show.js"
import { isText, tree } from "./tree.js"

export function showText(node) {
  const text = node.props["s.value"]
  if (text === undefined || node.isComposing || node.hasPendingEdit || node.editInFlight || !node.control) return
  const { control } = node
  const old = control.value
  if (old === text) return
  const caret = document.activeElement === control ? control.selectionStart : null
  let same = 0
  while (same < old.length && same < text.length && old[same] === text[same]) same++
  control.value = text
  if (caret === null) return
  const after = caret <= same ? caret : Math.max(same, Math.min(text.length, caret + text.length - old.length))
  control.setSelectionRange(after, after)
}

export function textChanged(node) {
  if (node.isComposing) return
  if (node.editInFlight || !isOnline()) node.hasPendingEdit = true
  else sendEdit(node)
}

export function sendEdit(node) {
  node.hasPendingEdit = false
  node.editInFlight = ++node.edit
  node.editEvent = sendEvent(node, "input", {
    v: node.kind === "slider" ? Number(node.control.value) : node.control.value,
    k: node.edit
  })
}

/** Sends pending edits, which must precede an action that depends on them. */
export function sendPendingEdits() {
  for (const node of tree.nodes.values()) if (node.hasPendingEdit) sendEdit(node)
}

/** Sends an action after pending text edits. Without a connection, the control shows the state of the host again. */
export function sendAction(node, action, more) {
  if (isOnline()) {
    sendPendingEdits()
    sendEvent(node, action, more)
  } else tree.nodesToRefresh.add(node), refresh(node)
}

export function markAcknowledged({ ack, edits }) {
  for (const node of acknowledged(ack)) {
    if (tree.nodes.get(node.id) !== node) continue
    if (node.editInFlight && (edits[node.id] >= node.editInFlight || node.editEvent <= ack)) node.editInFlight = 0
    if (node.hasPendingEdit && !node.editInFlight) sendEdit(node)
    tree.nodesToRefresh.add(node)
  }
}

export function resendEdits() {
  for (const node of tree.nodes.values()) if (node.hasPendingEdit || node.editInFlight) sendEdit(node)
}

let saved = []
const pathOf = node => (node.parent ? pathOf(node.parent) + "/" + node.parent.children.indexOf(node) : "")
export const saveUnsentTexts = () =>
  (saved = [...tree.nodes.values()]
    .filter(node => isText(node) && (node.hasPendingEdit || node.editInFlight))
    .map(node => ({
      id: node.id,
      kind: node.kind,
      identifier: node.props["a.identifier"],
      path: pathOf(node),
      text: node.control.value,
      edit: node.edit
    })))

/** Restores texts that the host hasn't received, after a complete tree. */
export function restoreUnsentTexts() {
  for (const text of saved) {
    const all = [...tree.nodes.values()].filter(node => node.kind === text.kind)
    const node =
      all.find(node => node.id === text.id) ??
      all.find(node => text.identifier && node.props["a.identifier"] === text.identifier) ??
      all.find(node => pathOf(node) === text.path)
    if (!node) continue
    node.control.value = text.text
    node.edit = text.edit
    node.hasPendingEdit = true
  }
  saved = []
}
