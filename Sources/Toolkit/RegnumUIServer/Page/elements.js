// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Creates the document nodes of elements, by their kinds.

import { listen } from "./actions.js"
import { refresh } from "./show.js"
import { symbols } from "./symbols.js"
import { sendAction } from "./texts.js"
import { accepts, ancestor, isAllowed, make, setAttribute, tree } from "./tree.js"

// Each maker returns the outer node, the container of the children, and the control that the user acts on.
const simple = (tag, attributes) => () => {
  const outer = make(tag, "", attributes)
  return { outer, box: outer, control: outer }
}
function labelled(control) {
  const outer = make("label")
  const box = make("span", "label-text")
  outer.append(box, control)
  return { outer, box, control }
}
const input = type => () => {
  const control = make("input", "", { type })
  return { outer: control, box: make("span"), control }
}
const makers = {
  text: node => {
    const level = node.props["s.level"] === 1 || (node.props["a.traits"] ?? "").includes("header")
    const outer = level ? make(ancestor(node, "dialog") ? "h2" : "h1", "", { tabindex: "-1" }) : make("span")
    return { outer, box: outer, control: outer }
  },
  image: node => {
    const outer = make("span")
    const [, kind, name] = /^(symbol|image):(.*)$/s.exec(node.props["s.source"] ?? "") ?? []
    if (kind === "symbol") return { outer, box: outer, control: outer, symbol: name }
    const picture = make("img", "", { alt: node.props["a.label"] ?? "", loading: "lazy" })
    const address = kind ? "/img/" + encodeURIComponent(name) : (node.props["s.source"] ?? "")
    if (isAllowed(address)) picture.src = address
    outer.append(picture)
    return { outer, box: outer, control: picture }
  },
  button: simple("button", { type: "button" }),
  link: node => {
    const address = node.props["s.address"]
    const outer = make("a")
    if (address === undefined || isAllowed(address)) outer.href = address ?? "#"
    if (address) {
      outer.target = "_blank"
      outer.rel = "noopener noreferrer"
    }
    return { outer, box: outer, control: outer }
  },
  field: node => input({ color: "color", search: "search" }[node.props["s.role"]] ?? "text")(),
  secureField: input("password"),
  editor: () => {
    const outer = make("textarea", "", { rows: "4" })
    return { outer, box: make("span"), control: outer }
  },
  toggle: () => labelled(make("input", "", { type: "checkbox", role: "switch" })),
  slider: () => labelled(make("input", "", { type: "range" })),
  date: node => {
    const [day, hour] = [node.props["s.day"], node.props["s.hour"]]
    return labelled(make("input", "", { type: day && hour ? "datetime-local" : day ? "date" : "time" }))
  },
  progress: () => labelled(make("progress", "", { max: "1" })),
  picker: node => {
    const isOpen = /Segmented|Inline/.test(node.props["l.class"] ?? "")
    const control = isOpen ? make("span", "choices", { role: "radiogroup" }) : make("select")
    if (!isOpen) return labelled(control)
    const [outer, box] = [make("div"), make("span", "label-text")]
    outer.append(box, control)
    return { outer, box, control }
  },
  option: node => {
    const parent = node.parent
    if (parent?.kind === "picker" && parent.control.localName === "select") {
      const outer = make("option", "", { value: String(node.id) })
      return { outer, box: make("span"), control: outer }
    }
    const outer = make("button", "", { type: "button", role: parent?.kind === "picker" ? "radio" : "option" })
    return { outer, box: outer, control: outer }
  },
  stepper: simple("div", { role: "group" }),
  list: node => {
    if (node.parent?.kind === "search") return simple("div", { role: "listbox", "aria-label": "Suggestions" })(node)
    return simple("ul")(node)
  },
  form: simple("ul"),
  row: () => {
    const outer = make("li")
    const box = make("div", "content")
    outer.append(box)
    return { outer, box, control: outer }
  },
  section: node => {
    const isInList = ["list", "form"].includes(node.parent?.kind)
    const outer = make(isInList ? "li" : "section", "", isInList ? { role: "none" } : {})
    const [head, box, foot] = [make("div", "head"), make(isInList ? "ul" : "div", "box"), make("div", "foot")]
    outer.append(head, box, foot)
    return { outer, box, control: outer, head, foot }
  },
  group: node => {
    const role = node.props["s.role"]
    if (role !== "header") return simple("div")(node)
    const outer = make("h2")
    if (node.props["s.expanded"] === undefined) return { outer, box: outer, control: outer }
    const control = make("button", "disclosure", { type: "button" })
    outer.append(control)
    return { outer, box: control, control }
  },
  box: simple("div", { role: "group" }),
  bar: node => (node.props["s.role"] === "tablist" ? simple("div", { role: "tablist" }) : simple("nav"))(node),
  tab: simple("button", { type: "button", role: "tab" }),
  dialog: node => {
    const outer = make("dialog", "", node.props["s.alert"] ? { role: "alertdialog" } : {})
    const box = make("div", "sheet")
    outer.append(box)
    if (accepts(node, "dismiss") && node.props["s.role"] !== "dialog") {
      const close = make("button", "close", { type: "button", "aria-label": "Close" })
      close.append(symbols.draw("xmark"))
      close.addEventListener("click", () => sendAction(node, "dismiss"))
      outer.prepend(close)
    }
    outer.addEventListener("cancel", event => {
      event.preventDefault()
      if (accepts(node, "dismiss")) sendAction(node, "dismiss")
    })
    outer.addEventListener("click", event => {
      if (event.target === outer && accepts(node, "dismiss") && !node.props["s.alert"]) sendAction(node, "dismiss")
    })
    // A browser closes a dialog on a second Escape, even if the page prevents it.
    outer.addEventListener("close", () => {
      if (tree.nodes.get(node.id) === node && outer.isConnected && !tree.isApplying) outer.showModal()
    })
    return { outer, box, control: outer }
  },
  menu: node => {
    const outer = make("div")
    const button = make("button", "menu-button", { type: "button", "aria-haspopup": "true" })
    const items = make("div", "items", { role: "group" })
    items.hidden = true
    outer.append(button, items)
    const toggle = open => {
      items.hidden = !open
      setAttribute(button, "aria-expanded", String(open))
    }
    toggle(false)
    button.addEventListener("click", () => {
      if (accepts(node, "tap")) sendAction(node, "tap")
      toggle(items.hidden)
    })
    items.addEventListener("click", event => {
      if (event.target.closest("button, a")) {
        toggle(false)
        button.focus()
      }
    })
    outer.addEventListener("keydown", event => {
      if (event.key === "Escape" && !items.hidden) {
        toggle(false)
        button.focus()
        event.stopPropagation()
      }
    })
    outer.addEventListener("focusout", event => {
      if (event.relatedTarget && !outer.contains(event.relatedTarget)) toggle(false)
    })
    return { outer, box: items, control: button }
  },
  divider: simple("hr"),
  spacer: simple("div", { "aria-hidden": "true" }),
  search: simple("div", { role: "search" })
}

export function build(node) {
  Object.assign(node, (makers[node.kind] ?? simple("div"))(node))
  node.outer.dataset.id = node.id
  if (node.control !== node.outer) node.control.dataset.id = node.id
  listen(node)
  if (node.parent?.kind === "tabs" && node.kind !== "bar") node.outer.setAttribute("role", "tabpanel")
  refresh(node)
}
