// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Shows the properties of elements as text, known attributes, and style properties.

import { sizes } from "./places.js"
import { symbols } from "./symbols.js"
import { accepts, container, isAllowed, make, setAttribute, tree } from "./tree.js"

const safeClass = /^[a-zA-Z][a-zA-Z0-9-]*$/
const notStyles = new Set(["class", "fill", "stroke", "line-clamp"])

export function refresh(node) {
  const { props, outer } = node
  if (!outer) return
  const classes = [node.kind, ...(props["l.class"] ?? "").split(" ").filter(name => safeClass.test(name))]
  if (safeClass.test(props["s.role"] ?? "")) classes.push("is-" + props["s.role"])
  if (props["l.line-clamp"]) classes.push("clamped")
  if (accepts(node, "tap") && !["button", "link", "tab", "menu"].includes(node.kind)) classes.push("tappable")
  if (accepts(node, "drag")) classes.push("draggable")
  if (props["s.selected"]) classes.push("selected")
  outer.className = classes.join(" ")
  for (const name of node.styled ?? []) if (props["l." + name] === undefined) outer.style.removeProperty(name)
  node.styled = []
  for (const [name, value] of Object.entries(props)) {
    if (!name.startsWith("l.") || notStyles.has(name.slice(2))) continue
    outer.style.setProperty(name.slice(2), value)
    node.styled.push(name.slice(2))
  }
  if (props["l.line-clamp"]) outer.style.setProperty("-webkit-line-clamp", props["l.line-clamp"])
  describe(node)
  if (show[node.kind]) show[node.kind](node)
  else if (node.kind === "text") showRuns(node)
}

/** Sets the attributes for assistive technology and tests. */
function describe(node) {
  const { props, outer, control } = node
  const disabled = props["s.disabled"] === true
  if ("disabled" in control && control.localName !== "option") control.disabled = disabled
  else setAttribute(control, "aria-disabled", disabled ? "true" : null)
  setAttribute(outer, "data-testid", props["a.identifier"])
  setAttribute(outer, "title", props["a.help"])
  setAttribute(outer, "aria-hidden", props["a.hidden"])
  if (props["a.hidden"] && node.kind !== "image") outer.inert = true
  const name = props["a.label"] ?? (node.kind === "dialog" ? props["s.title"] : undefined)
  const isNamed = node.kind !== "option" && !(node.kind === "image" && !node.symbol)
  if (isNamed) setAttribute(control, "aria-label", name || null)
  setAttribute(control, "aria-description", props["a.hint"])
  setAttribute(control, "aria-valuetext", props["a.value"])
  setAttribute(control, "aria-busy", props["s.busy"] ? "true" : null)
  if (props["s.expanded"] !== undefined) setAttribute(control, "aria-expanded", String(props["s.expanded"]))
  if (props["a.combined"] && name && outer.localName === "div") outer.setAttribute("role", "group")
  const traits = (props["a.traits"] ?? "").split(" ")
  if (node.kind === "text" && name) outer.setAttribute("role", traits.includes("button") ? "button" : "img")
  if (traits.includes("selected")) setAttribute(control, "aria-current", "true")
  if (
    accepts(node, "tap") &&
    ["text", "image", "vstack", "hstack", "zstack", "group", "shape", "box"].includes(node.kind) &&
    control.localName !== "button"
  ) {
    outer.setAttribute("role", "button")
    outer.tabIndex = 0
  }
  if (control.localName === "input" || control.localName === "textarea") {
    setAttribute(control, "inputmode", props["a.inputMode"])
    setAttribute(control, "autocomplete", props["a.autocomplete"] ?? "off")
    setAttribute(control, "autocapitalize", props["a.capitalization"])
    setAttribute(control, "spellcheck", props["a.correction"] === "off" ? "false" : null)
    setAttribute(control, "enterkeyhint", props["a.enterKey"])
    setAttribute(control, "placeholder", props["s.placeholder"])
  }
  if (props["s.focused"] && document.activeElement !== control && !tree.isFirst) tree.wantedFocus = node
}

function showRuns(node) {
  const pieces = node.runs.map(run => {
    const style = new Set(run.s ?? [])
    let piece = document.createTextNode(run.t)
    const wrap = (tag, className) => {
      const outer = make(tag, className)
      outer.append(piece)
      piece = outer
    }
    if (style.has("strong")) wrap("strong")
    if (style.has("emphasis")) wrap("em")
    if (style.has("code")) wrap("code")
    if (style.has("underlined")) wrap("u")
    if (style.has("struck")) wrap("s")
    if (style.has("digits")) wrap("span", "digits")
    if (run.h && isAllowed(run.h)) {
      wrap("a")
      piece.href = run.h
      piece.target = "_blank"
      piece.rel = "noopener noreferrer"
    }
    const looks = Object.entries(run).filter(([name]) => name.startsWith("l."))
    if (looks.length) {
      wrap("span")
      for (const [name, value] of looks) piece.style.setProperty(name.slice(2), value)
    }
    return piece
  })
  node.outer.replaceChildren(...pieces)
}

function badge(node) {
  const text = node.props["s.badge"]
  if (!text) return node.badge?.remove(), (node.badge = null)
  node.badge ??= make("span", "count")
  node.badge.textContent = text
  node.outer.append(node.badge)
}

/** Shows the accessible name of a button without content. */
function showName(node) {
  if (node.children.length || node.kind === "field") return
  const glyph = { Decrement: "−", Increment: "+", More: "⋯" }[node.props["a.label"]]
  node.control.textContent =
    node.props["s.role"] === "back" ? "‹ " + node.props["a.label"] : (glyph ?? node.props["a.label"] ?? "")
}

const pad = (number, length = 2) => String(number).padStart(length, "0")
function dateText(type, text) {
  const date = new Date(text ?? NaN)
  if (Number.isNaN(date.getTime())) return ""
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`
  return { date: day, time, "datetime-local": `${day}T${time}` }[type]
}

const show = {
  button: showName,
  menu: node => {
    const hasLabel = node.children.some(child => container(node, child) === node.control)
    if (!hasLabel) node.control.textContent = node.props["a.label"] === "More" ? "⋯" : (node.props["a.label"] ?? "")
    else for (const text of [...node.control.childNodes]) if (text.nodeType === 3) text.remove()
  },
  image: node => {
    if (!node.symbol) return
    node.outer.replaceChildren(symbols.draw(node.symbol))
    node.outer.setAttribute("role", "img")
  },
  toggle: node => (node.control.checked = node.props["s.checked"] === true),
  slider: node => {
    setAttribute(node.control, "min", node.props["s.minimum"] ?? 0)
    setAttribute(node.control, "max", node.props["s.maximum"] ?? 1)
    setAttribute(node.control, "step", node.props["s.step"] ?? "any")
    if (!node.editInFlight && !node.hasPendingEdit) node.control.value = node.props["s.value"] ?? 0
  },
  progress: node => {
    if (node.props["s.value"] === undefined) node.control.removeAttribute("value")
    else node.control.value = node.props["s.value"]
  },
  date: node => {
    const type = node.control.type
    setAttribute(node.control, "min", dateText(type, node.props["s.minimum"]) || null)
    setAttribute(node.control, "max", dateText(type, node.props["s.maximum"]) || null)
    node.control.value = dateText(type, node.props["s.value"])
  },
  option: node => {
    if (node.outer.localName === "option") {
      node.outer.disabled = node.props["s.disabled"] === true
      node.outer.selected = node.props["s.selected"] === true
      tree.changedOptions.add(node)
    } else
      setAttribute(
        node.outer,
        node.parent?.kind === "picker" ? "aria-checked" : "aria-selected",
        String(node.props["s.selected"] === true)
      )
  },
  tab: node => {
    setAttribute(node.outer, "aria-selected", String(node.props["s.selected"] === true))
    badge(node)
  },
  row: node => {
    badge(node)
    showRowControls(node)
    if (node.props["s.selected"] !== undefined)
      setAttribute(node.outer, "aria-current", node.props["s.selected"] ? "true" : null)
    if (accepts(node, "tap")) node.outer.tabIndex = 0
  },
  shape: node => {
    const { props, outer } = node
    if (props["s.path"]) outer.replaceChildren(symbols.path(props["s.path"], props["l.fill"], props["l.stroke"]))
    else if (props["l.fill"]) outer.style.setProperty("background", props["l.fill"])
    else if (props["l.stroke"]) {
      const [width, ...color] = props["l.stroke"].split(" ")
      outer.style.setProperty("border", `${width} solid ${color.join(" ")}`)
    }
  },
  zstack: node => {
    if (node.props["s.role"] !== "measured" || node.isMeasured) return
    node.isMeasured = true
    sizes.observe(node.outer)
  }
}

export function showNoChoice(picker) {
  if (picker?.control?.localName !== "select") return
  if (!picker.children.some(child => child.kind === "option" && child.props["s.selected"]))
    picker.control.selectedIndex = -1
}

/** Adds buttons that delete or move a row, as an alternative to dragging it. The row handles their clicks. */
function showRowControls(node) {
  const wanted = [
    accepts(node, "delete") && "Delete",
    accepts(node, "move") && "Move up",
    accepts(node, "move") && "Move down"
  ].filter(Boolean)
  if (node.controls?.join() === wanted.join()) return
  node.controls = wanted
  node.tools?.remove()
  node.tools = null
  node.outer.draggable = accepts(node, "move")
  if (!wanted.length) return
  node.tools = make("span", "tools")
  for (const name of wanted) {
    const button = make("button", name === "Delete" ? "delete" : "move", {
      type: "button",
      "aria-label": name,
      title: name
    })
    button.append(symbols.draw({ Delete: "trash", "Move up": "arrow.up", "Move down": "arrow.down" }[name]))
    node.tools.append(button)
  }
  node.outer.append(node.tools)
}
