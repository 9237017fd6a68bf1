// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The top page: its title, address, and the browser's buttons.

import { sendEvent } from "./connection.js"
import { sendAction } from "./texts.js"
import { accepts, tree } from "./tree.js"

let depth = 0
let [lastLink, links] = [null, []]
/** Records the link that pushes the next page, which the browser's Forward button taps again. */
export const recordLink = id => (lastLink = id)
let [isGoing, wantedDepth] = [false, null]

function topPage() {
  const find = node => {
    if (node.kind === "dialog") return null
    if (node.kind === "page") return node
    for (const child of node.children) {
      const found = find(child)
      if (found) return found
    }
    return null
  }
  return tree.root && find(tree.root)
}

export function showPage() {
  const page = topPage()
  if (!page) return
  const title = page.props["s.title"]
  if (document.title !== title) document.title = title
  const now = page.props["s.level"] ?? 0
  if (now > depth) {
    while (depth < now) {
      links[depth] = lastLink
      depth++
      if (wantedDepth === null) history.pushState({ depth }, "", "#" + depth)
    }
    page.outer.querySelector("h1")?.focus()
  } else if (now < depth) {
    const steps = now - depth
    depth = now
    if (wantedDepth === null) {
      isGoing = true
      history.go(steps)
    }
    page.outer.querySelector("h1")?.focus()
  }
  if (wantedDepth !== null) {
    if (wantedDepth < depth && accepts(page, "back")) sendEvent(page, "back")
    else wantedDepth = null
  }
}

window.addEventListener("popstate", event => {
  if (isGoing) return (isGoing = false)
  const [page, wanted] = [topPage(), event.state?.depth ?? 0]
  if (!page || wanted === depth) return
  if (wanted < depth) {
    wantedDepth = wanted
    sendAction(page, "back")
  } else {
    const link = tree.nodes.get(links[depth])
    wantedDepth = depth + 1
    if (link) sendAction(link, "tap")
  }
})
