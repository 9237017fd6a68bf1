// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Sends the user's actions with mouse, keyboard, and touch to the host.

import { sendEvent } from "./connection.js"
import { recordLink } from "./pages.js"
import { showNoChoice } from "./show.js"
import { sendAction, showText, textChanged } from "./texts.js"
import { accepts, isText, tree } from "./tree.js"

export function listen(node) {
  const { outer, control, kind } = node
  if (isText(node)) {
    const isColor = control.type === "color"
    control.addEventListener("input", () => textChanged(node))
    control.addEventListener("compositionstart", () => (node.isComposing = true))
    control.addEventListener("compositionend", () => {
      node.isComposing = false
      textChanged(node)
    })
    if (isColor) return
    control.addEventListener("keydown", event => {
      if (event.key === "Enter" && kind !== "editor" && !event.isComposing && accepts(node, "commit"))
        sendAction(node, "commit")
      if (event.key === "Escape" && accepts(node, "dismiss")) {
        event.preventDefault()
        sendAction(node, "dismiss")
      }
    })
    showText(node)
  } else if (kind === "toggle") {
    control.addEventListener("change", () => sendAction(node, "input", { v: control.checked }))
  } else if (kind === "slider") {
    control.addEventListener("input", () => textChanged(node))
  } else if (kind === "date") {
    control.addEventListener("change", () => {
      const date = dateOf(control, node.props["s.value"])
      if (date) sendAction(node, "input", { v: { date: date.getTime() / 1000 } })
    })
  } else if (kind === "picker" && control.localName === "select") {
    control.addEventListener("change", () => {
      const option = tree.nodes.get(Number(control.value))
      if (option) sendAction(option, "choose")
      showNoChoice(node)
    })
  } else if (kind === "option" && outer.localName === "button") {
    // Keeps the focus in the search field. Otherwise, the list of suggestions would be closed.
    outer.addEventListener("pointerdown", event => event.preventDefault())
    outer.addEventListener("click", () => sendAction(node, "choose"))
  } else if (kind !== "menu" && kind !== "dialog") listenToTaps(node)
  if (control !== outer || isText(node) || kind === "button") {
    control.addEventListener("focus", () => focusChanged(node, true))
    control.addEventListener("blur", () => focusChanged(node, false))
  }
}

function focusChanged(node, isFocused) {
  if (tree.isApplying || !accepts(node, "focus") || tree.nodes.get(node.id) !== node) return
  sendAction(node, "focus", { v: isFocused })
}

const isInner = (event, node) =>
  event.target.closest("a, button, input, select, textarea, label, [role=button]") !== null &&
  event.target.closest("a, button, input, select, textarea, label, [role=button]") !== node.control

function listenToTaps(node) {
  const { control, kind } = node
  control.addEventListener("click", event => {
    if (kind === "link") event.preventDefault()
    if (isInner(event, node)) return
    const action = ["tap", "refresh"].find(action => accepts(node, action))
    if (!action || node.props["s.disabled"]) return
    event.stopPropagation()
    if (kind === "link") recordLink(node.id)
    sendAction(node, action)
  })
  if (["button", "link", "tab"].includes(kind) || control.localName === "button") return
  control.addEventListener("keydown", event => {
    if (event.target === control && accepts(node, "tap") && ["Enter", " "].includes(event.key)) {
      event.preventDefault()
      sendAction(node, "tap")
    }
  })
  let timer
  control.addEventListener("pointerdown", () => {
    if (accepts(node, "longPress")) timer = setTimeout(() => sendAction(node, "longPress"), 500)
  })
  for (const name of ["pointerup", "pointerleave"]) control.addEventListener(name, () => clearTimeout(timer))
  control.addEventListener("pointerdown", event => {
    if (event.button === 0 && accepts(node, "drag")) drag(node, event)
  })
  if (kind === "row") listenToRow(node)
}

/** Sends the movements of a drag until it ends, at most once per animation frame. */
function drag(node, down) {
  const box = node.control.getBoundingClientRect()
  const start = [down.clientX - box.left, down.clientY - box.top]
  let [distance, last, frame] = [0, start, 0]
  const sendMovement = end => {
    frame = 0
    if (accepts(node, "drag")) sendAction(node, "drag", { v: { drag: [...start, ...last, distance], end } })
  }
  const moved = event => {
    last = [event.clientX - box.left, event.clientY - box.top]
    distance = Math.max(distance, Math.hypot(last[0] - start[0], last[1] - start[1]))
    frame ||= requestAnimationFrame(() => sendMovement(false))
  }
  const ended = event => {
    document.removeEventListener("pointermove", moved)
    for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, ended)
    if (event.type === "pointerup") moved(event)
    cancelAnimationFrame(frame)
    sendMovement(true)
    if (distance < 10) return
    // The click after a drag isn't a tap.
    const stop = event => (event.preventDefault(), event.stopPropagation())
    document.addEventListener("click", stop, { capture: true, once: true })
    setTimeout(() => document.removeEventListener("click", stop, { capture: true }))
  }
  document.addEventListener("pointermove", moved)
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, ended)
}

let dragged = null
function listenToRow(node) {
  node.outer.addEventListener("click", event => {
    const button = event.target.closest("button")
    if (!button || button.parentNode !== node.tools) return
    event.stopPropagation()
    if (button.className === "delete") sendAction(node, "delete")
    else move(node, button.title === "Move up" ? -1 : 1)
  })
  node.outer.addEventListener("keydown", event => {
    if (event.target.matches("input, textarea, select")) return
    if (event.key === "Delete" && accepts(node, "delete")) sendAction(node, "delete")
    else if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key) && accepts(node, "move")) {
      move(node, event.key === "ArrowUp" ? -1 : 1)
    } else return
    event.preventDefault()
    event.stopPropagation()
  })
  node.outer.addEventListener("dragstart", () => (dragged = node))
  node.outer.addEventListener("dragover", event => {
    if (dragged && dragged.parent === node.parent) event.preventDefault()
  })
  node.outer.addEventListener("drop", event => {
    event.preventDefault()
    if (!dragged || dragged === node) return
    const box = node.outer.getBoundingClientRect()
    const rows = node.parent.children.filter(child => child.kind === "row")
    const isBelow = event.clientY > box.top + box.height / 2
    const before = isBelow ? rows[rows.indexOf(node) + 1] : node
    sendEvent(dragged, "move", before ? { to: before.id } : {})
    dragged = null
  })
}

function move(node, step) {
  const rows = node.parent.children.filter(child => child.kind === "row")
  const at = rows.indexOf(node)
  if (at + step < 0 || at + step >= rows.length) return
  const before = rows[step < 0 ? at - 1 : at + 2]
  sendAction(node, "move", before ? { to: before.id } : {})
}

function dateOf(control, old) {
  const now = new Date(old)
  const time = /^(\d+):(\d+)/.exec(control.value)
  const day = /^(\d+)-(\d+)-(\d+)/.exec(control.value)
  if (control.type === "datetime-local") return control.value ? new Date(control.value) : null
  if (control.type === "date" && day) now.setFullYear(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
  else if (control.type === "time" && time) now.setHours(Number(time[1]), Number(time[2]), 0, 0)
  else return null
  return now
}

/** Triggers buttons by their shortcuts. The bits are those of `EventModifiers`; the Control key has the bit of Command. */
document.addEventListener("keydown", event => {
  const held = (event.ctrlKey || event.metaKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0)
  const key = { Enter: "\r", Escape: "\x1b" }[event.key] ?? event.key.toLowerCase()
  if (event.defaultPrevented || (event.key === "Enter" && event.target.matches("button, a, textarea"))) return
  for (const node of tree.nodes.values()) {
    if (node.props["a.shortcut"]?.toLowerCase() !== held + key || !node.outer?.isConnected) continue
    event.preventDefault()
    return sendAction(node, "tap")
  }
})
