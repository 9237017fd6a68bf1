// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Measures elements whose sizes the app reads, and observes the ends of lists that can load more rows.

import { environment, sendEvent, sendMessage } from "./connection.js"
import { accepts, tree } from "./tree.js"

let sizeTimer = null
const measured = {}
function reportSizes() {
  clearTimeout(sizeTimer)
  sizeTimer = setTimeout(() => {
    sendMessage({ t: "size", ...environment(), r: { ...measured } })
    for (const id in measured) delete measured[id]
  }, 50)
}
export const sizes = new ResizeObserver(entries => {
  for (const { target, contentRect } of entries) measured[target.dataset.id] = [contentRect.width, contentRect.height]
  reportSizes()
})
window.addEventListener("resize", reportSizes)
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", reportSizes)

/** Notifies the host when the last element of a list with more rows is near the viewport. */
const ends = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries) {
      const node = isIntersecting && tree.nodes.get(endings.get(target))
      if (node && accepts(node, "more")) sendEvent(node, "more")
    }
  },
  { rootMargin: "800px" }
)
let endings = new Map()
export function observeEnds() {
  const found = new Map()
  for (const node of tree.nodes.values()) {
    if (!accepts(node, "more")) continue
    const last = node.box?.lastElementChild
    if (last) found.set(last, node.id)
  }
  for (const element of endings.keys()) if (!found.has(element)) ends.unobserve(element)
  const added = [...found.keys()].filter(element => !endings.has(element))
  endings = found
  for (const element of added) ends.observe(element)
}
