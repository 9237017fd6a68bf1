// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The tree of elements by their ids, and the helpers shared by all modules of the page.

export const tree = {
  nodes: new Map(),
  root: null,
  /** Events while a batch is applied aren't user actions. */
  isApplying: false,
  /** Whether no batch has been applied. */
  isFirst: true,
  /** The element that the host focuses, and the element that receives the focus of a removed row. */
  wantedFocus: null,
  lostFocus: null,
  scrollTarget: null,
  /** The elements to refresh, and the options whose texts to update, after a batch is applied. */
  nodesToRefresh: new Set(),
  changedOptions: new Set()
}

export function make(tag, className, attributes = {}) {
  const element = document.createElement(tag)
  if (className) element.className = className
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}
export function setAttribute(element, name, value) {
  if (value === undefined || value === null || value === false) element.removeAttribute(name)
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value)
}
export function isAllowed(address) {
  try {
    return ["http:", "https:", "mailto:", "tel:"].includes(new URL(address, location.href).protocol)
  } catch {
    return false
  }
}
export const accepts = (node, action) => (node.props.do ?? "").split(" ").includes(action)
export const isText = node => ["field", "secureField", "editor"].includes(node.kind)
export function ancestor(node, kind) {
  for (let at = node.parent; at; at = at.parent) if (at.kind === kind) return at
  return null
}
/** Returns the container of a child in its parent. */
export function container(parent, child) {
  if (parent.kind === "picker") return child.kind === "option" ? parent.control : parent.box
  if (parent.kind === "section")
    return { header: parent.head, footer: parent.foot }[child.props["s.role"]] ?? parent.box
  if (parent.kind === "menu") return ["text", "image", "hstack"].includes(child.kind) ? parent.control : parent.box
  return parent.box
}

export function visit(node, body) {
  body(node)
  for (const child of node.children) visit(child, body)
}
