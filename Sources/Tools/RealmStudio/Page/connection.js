// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The socket to the command: requests with responses, and events.

const sentRequests = new Map()
const listeners = new Map()
let socket,
  lastID = 0,
  delay = 200

/** A JSON number that keeps its digits, such as 1.0. */
export class Real {
  constructor(source) {
    this.source = source
  }
  toString() {
    return this.source
  }
}

// Integers that don't fit become BigInt. In values that can be edited, 1.0 and 1 remain different.
function parse(text) {
  const keepsReals = text.includes('"values":')
  if (!keepsReals && !/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value, context) => {
    const source = context?.source
    if (typeof value !== "number" || source === undefined) return value
    if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source)
    return keepsReals ? new Real(source) : value
  })
}

export function listen(event, body) {
  if (!listeners.has(event)) listeners.set(event, [])
  listeners.get(event).push(body)
}

function notify(event, content) {
  for (const body of listeners.get(event) ?? []) body(content)
}

export function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`)
  socket.onopen = () => {
    delay = 200
    notify("open")
  }
  socket.onmessage = ({ data }) => {
    const message = parse(data)
    if (message.event) return notify(message.event, message.content)
    const sent = sentRequests.get(message.id)
    sentRequests.delete(message.id)
    if (!sent) return
    if (message.error === undefined) return sent.resolve(message)
    const error = new Error(message.error)
    error.position = message.position
    sent.reject(error)
  }
  socket.onclose = () => {
    for (const { reject } of sentRequests.values()) reject(new Error("the connection is lost"))
    sentRequests.clear()
    notify("closed")
    setTimeout(connect, delay)
    delay = Math.min(delay * 2, 5000)
  }
}

/** Sends a request. `raw` has members whose values are JSON texts. */
export function request(name, fields = {}, raw = {}) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) return reject(new Error("the connection is lost"))
    const id = ++lastID
    sentRequests.set(id, { resolve, reject })
    const big = (_, value) => (typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value)
    let text = JSON.stringify({ id, do: name, ...fields }, big)
    for (const [member, json] of Object.entries(raw)) text = `${text.slice(0, -1)},${JSON.stringify(member)}:${json}}`
    socket.send(text)
  })
}
