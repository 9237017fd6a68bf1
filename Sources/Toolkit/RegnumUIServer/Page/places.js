// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Measures elements whose sizes the app reads, and observes the ends of lists that can load more rows.

import { facts, send, tell } from "./connection.js"
import { can, tree } from "./tree.js"

let sizeTimer = null
const measured = {}
const tellSize = () => {
    clearTimeout(sizeTimer)
    sizeTimer = setTimeout(() => {
        tell({ t: "size", ...facts(), r: { ...measured } })
        for (const id in measured) delete measured[id]
    }, 50)
}
export const sizes = new ResizeObserver(entries => {
    for (const { target, contentRect } of entries) measured[target.dataset.id] = [contentRect.width, contentRect.height]
    tellSize()
})
window.addEventListener("resize", tellSize)
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tellSize)

/// Notifies the host when the last element of a list with more rows is near the viewport.
const ends = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
        const node = isIntersecting && tree.nodes.get(endings.get(target))
        if (node && can(node, "more")) send(node, "more")
    }
}, { rootMargin: "800px" })
let endings = new Map()
export const observeEnds = () => {
    const found = new Map()
    for (const node of tree.nodes.values()) {
        if (!can(node, "more")) continue
        const last = node.box?.lastElementChild
        if (last) found.set(last, node.id)
    }
    for (const element of endings.keys()) if (!found.has(element)) ends.unobserve(element)
    const new_ = [...found.keys()].filter(element => !endings.has(element))
    endings = found
    for (const element of new_) ends.observe(element)
}
