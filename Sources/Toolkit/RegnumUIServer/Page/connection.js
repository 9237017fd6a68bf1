// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The socket to the host: sends events in order, and passes batches to their handler.

import { make } from "./tree.js"

const pageKey = document.querySelector('meta[name="regnum-page"]').content
const notice = document.getElementById("notice")
let socket = null
let session = null
let lastBatch = 0
let events = 0
let [wait, timer, isOver, isWelcome] = [250, null, false, false]
let pending = []
/** `apply` applies a batch; `resendEdits` sends unacknowledged edits again. */
let handlers = null

export const isOnline = () => isWelcome && socket?.readyState === WebSocket.OPEN
export function sendMessage(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

export function sendEvent(node, action, more = {}) {
  if (!isOnline()) return 0
  const n = ++events
  pending.push({ n, node })
  sendMessage({ t: "e", n, id: node.id, a: action, ...more })
  return n
}

/** Returns the elements of newly acknowledged events. */
export function acknowledged(ack) {
  const done = pending.filter(event => event.n <= ack)
  pending = pending.filter(event => event.n > ack)
  return done.map(event => event.node)
}

export const environment = () => ({
  w: window.innerWidth,
  h: window.innerHeight,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  lang: navigator.language,
  tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
  touch: matchMedia("(pointer: coarse)").matches
})

let acknowledgementTimer = null
export function acknowledgeBatch(batch) {
  lastBatch = batch
  if (acknowledgementTimer !== null) return
  acknowledgementTimer = setTimeout(() => {
    acknowledgementTimer = null
    sendMessage({ t: "seen", b: lastBatch })
  }, 100)
}

function showNotice(text, canReload) {
  const isShown = !!text
  if (notice.hidden === !isShown && notice.firstChild?.textContent === text) return
  notice.hidden = !isShown
  notice.replaceChildren(document.createTextNode(text ?? ""))
  if (!canReload) return
  const button = make("button", "", { type: "button" })
  button.textContent = "Reload"
  button.addEventListener("click", () => location.reload())
  notice.append(" ", button)
}

const closingMessages = {
  replaced: "This window is open in another tab.",
  expired: "The program was started again, or this window was closed there.",
  protocol: "The program and this page do not understand each other."
}

function handleMessage(message) {
  if (message.t === "welcome") {
    session = message.session
    isWelcome = true
    wait = 250
    document.documentElement.classList.remove("offline")
    showNotice(null)
    pending = []
    if (message.resume) handlers.resendEdits()
    else lastBatch = 0
  } else if (message.t === "b") {
    const isReset = message.ops[0]?.[0] === "reset"
    if (isReset || message.b > lastBatch) handlers.apply(message)
    if (isReset) handlers.resendEdits()
  } else if (message.t === "bye") {
    if (message.why === "stopping") return showNotice("The program has ended.")
    isOver = true
    showNotice(closingMessages[message.why] ?? closingMessages.protocol, true)
  }
}

/** Connects now, and again whenever the connection is lost. */
export function start(receivers) {
  handlers = receivers
  connect()
  window.addEventListener("online", connect)
  document.addEventListener("visibilitychange", () => document.hidden || connect())
}

function connect() {
  clearTimeout(timer)
  if (isOver || (socket && socket.readyState <= WebSocket.OPEN)) return
  socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/socket")
  const opened = socket
  let wasOpen = false
  socket.addEventListener("open", () => {
    wasOpen = true
    const resumed = session === null ? {} : { session }
    sendMessage({ t: "hello", v: 1, key: pageKey, ...resumed, seen: lastBatch, ...environment() })
  })
  socket.addEventListener("message", event => opened === socket && handleMessage(JSON.parse(event.data)))
  socket.addEventListener("close", () => {
    if (opened !== socket) return
    isWelcome = false
    document.documentElement.classList.add("offline")
    if (isOver) return
    if (notice.hidden) showNotice("The connection is lost. Trying again …")
    if (!wasOpen) checkForRestart()
    timer = setTimeout(connect, wait)
    wait = Math.min(wait * 2, 4000)
  })
}

/** Detects a restarted app, which has another key, so that connecting again can't succeed. */
async function checkForRestart() {
  try {
    const answer = await fetch("/ui.css")
    if (answer.status !== 403) return
    isOver = true
    showNotice("The program was started again. Open the address that it has printed.", true)
  } catch {
    // Still not connected. The next attempt checks again.
  }
}

// Without a connection, only text fields respond.
document.addEventListener(
  "click",
  event => {
    if (
      document.documentElement.classList.contains("offline") &&
      !event.target.closest("#notice, input[type=text], textarea")
    ) {
      event.preventDefault()
      event.stopPropagation()
    }
  },
  true
)
