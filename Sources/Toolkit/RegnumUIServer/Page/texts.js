// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Texts that the user types. Each edit has a number, so that a batch from before the last edit doesn't overwrite the text.

import { acknowledged, isOnline, send } from "./connection.js"
import { refresh } from "./show.js"
import { isText, tree } from "./tree.js"

export const showText = node => {
    const text = node.props["s.value"]
    if (text === undefined || node.isComposing || node.waits || node.flight || !node.control) return
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

export const typed = node => {
    if (node.isComposing) return
    if (node.flight || !isOnline()) node.waits = true
    else sendEdit(node)
}

export const sendEdit = node => {
    node.waits = false
    node.flight = ++node.edit
    node.flightEvent = send(node, "input", { v: node.kind === "slider" ? Number(node.control.value) : node.control.value, k: node.edit })
}

/// Sends pending edits, which must precede an action that depends on them.
export const sendWaiting = () => {
    for (const node of tree.nodes.values()) if (node.waits) sendEdit(node)
}

/// Sends an action after pending text edits. Without a connection, the control shows the state of the host again.
export const act = (node, action, more) => {
    if (isOnline()) {
        sendWaiting()
        send(node, action, more)
    } else tree.later.add(node), refresh(node)
}

export const acknowledge = ({ ack, edits }) => {
    for (const node of acknowledged(ack)) {
        if (tree.nodes.get(node.id) !== node) continue
        if (node.flight && (edits[node.id] >= node.flight || node.flightEvent <= ack)) node.flight = 0
        if (node.waits && !node.flight) sendEdit(node)
        tree.later.add(node)
    }
}

export const resendEdits = () => {
    for (const node of tree.nodes.values()) if (node.waits || node.flight) sendEdit(node)
}

let saved = []
const pathOf = node => (node.parent ? pathOf(node.parent) + "/" + node.parent.children.indexOf(node) : "")
export const saveUnsent = () => (saved =
    [...tree.nodes.values()].filter(node => isText(node) && (node.waits || node.flight)).map(node => ({
        id: node.id, kind: node.kind, identifier: node.props["a.identifier"], path: pathOf(node),
        text: node.control.value, edit: node.edit,
    })))

/// Restores texts that the host hasn't received, after a complete tree.
export const bringBack = () => {
    for (const text of saved) {
        const all = [...tree.nodes.values()].filter(node => node.kind === text.kind)
        const node = all.find(node => node.id === text.id)
            ?? all.find(node => text.identifier && node.props["a.identifier"] === text.identifier)
            ?? all.find(node => pathOf(node) === text.path)
        if (!node) continue
        node.control.value = text.text
        node.edit = text.edit
        node.waits = true
    }
    saved = []
}
