// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The page: the state of the server, refreshed every two seconds, and its users.

import { load, perform } from "./requests.js"
import { fill, formatCount, formatDuration, formatListed, formatTime } from "./tables.js"

const element = id => document.getElementById(id)
const refreshInterval = 2000

// MARK: Status

async function refresh() {
  try {
    show(await load("/status"))
    element("offline").hidden = true
  } catch {
    element("offline").hidden = false
  }
  setTimeout(refresh, refreshInterval)
}

function show(status) {
  const age = (new Date(status.time) - new Date(status.started)) / 1000
  element("summary").textContent =
    `${formatCount(status.connectionCount)} connections, running for ${formatDuration(age)}`
  const lag = item => (item.lag ? [item.lag.versions, item.lag.bytes] : ["busy", "busy"])
  const subscriptions = item => item.subscriptions.map(s => `${s.className}: ${s.query}`).join("; ")
  element("sessions-count").textContent = formatListed(status.sessionCount, status.sessions.length)
  fill(
    element("sessions"),
    status.sessions.map(s => [s.app, s.user, s.partition, String(s.file), s.version, ...lag(s), subscriptions(s)])
  )
  element("absent-count").textContent = formatListed(status.absentFileCount, status.absentFiles.length)
  fill(
    element("absent"),
    status.absentFiles.map(f => [f.app, f.partition, String(f.file), formatTime(f.seen), ...lag(f), subscriptions(f)])
  )
  element("partitions-count").textContent = formatListed(status.partitionCount, status.partitions.length)
  fill(
    element("partitions"),
    status.partitions.map(p =>
      p.isBusy
        ? [p.app, p.partition, "busy", "", "", ""]
        : [p.app, p.partition, p.version, p.versionCount, p.fileCount, p.logBytes]
    )
  )
  element("queries-count").textContent = formatListed(status.queryCount, status.queries.length)
  fill(
    element("queries"),
    status.queries.map(q => [q.app, q.className, q.query, q.viewCount, q.evaluationCount, q.objectCount])
  )
  fill(
    element("ingests"),
    status.ingests.map(i => [i.app, i.partition, i.newest, i.backlog])
  )
  element("problems-count").textContent = formatListed(status.problemCount, status.problems.length)
  fill(
    element("problems"),
    status.problems.map(p => [
      formatTime(p.time),
      p.level,
      p.text,
      Object.entries(p.details)
        .map(([name, value]) => `${name}: ${value}`)
        .join(", ")
    ])
  )
}

// MARK: Apps

async function showApps() {
  const apps = await load("/apps")
  fill(
    element("apps"),
    apps.map(a => [a.app, a.mode, a.partitionCount, a.bytes, a.userCount])
  )
  element("app").replaceChildren(...apps.map(a => new Option(a.app)))
}

// MARK: Users

/** The listed users, and the request for more of them. */
let listed = [],
  next

/** The number of list requests. Only the response to the last one is shown. */
let listCount = 0

async function list(isMore = false) {
  const number = ++listCount
  const parameters = isMore ? next : { app: element("app").value, text: element("text").value.trim() }
  element("more").hidden = true
  try {
    const { page } = await perform("list", parameters)
    if (number !== listCount) return
    listed = isMore ? [...listed, ...page.users] : page.users
    next = page.next === undefined ? undefined : { ...parameters, after: page.next }
    showUsers()
  } finally {
    if (number === listCount) element("more").hidden = next === undefined
  }
}

function showUsers() {
  fill(
    element("users"),
    listed.map(user => [
      user.id,
      [user.email, ...user.keys.map(k => k.name)].filter(Boolean).join(", "),
      user.providers.join(", "),
      formatTime(user.created),
      user.sessionCount,
      user.isDisabled ? "disabled" : "",
      buttons(user)
    ])
  )
  element("more").hidden = next === undefined
  element("result").textContent = listed.length || next ? "" : "No user matches."
  element("result").className = ""
}

function buttons(user) {
  const place = document.createElement("span")
  const add = (title, action, change) => {
    const button = document.createElement("button")
    button.textContent = title
    button.ariaLabel = `${title} ${user.email ?? user.id}`
    button.onclick = () =>
      attempt(async () => {
        await perform(action, { app: user.app, user: user.id })
        Object.assign(user, change)
        showUsers()
        element("result").textContent = `${user.email ?? user.id}: ${title} is done.`
      })
    place.append(button)
  }
  if (user.isDisabled) add("Enable", "enable", { isDisabled: false })
  else add("Disable", "disable", { isDisabled: true })
  add("Revoke log-ins", "revoke", { sessionCount: 0 })
  return place
}

/** Runs `body`, and shows its error. */
async function attempt(body) {
  try {
    await body()
  } catch (error) {
    element("result").textContent = error.message
    element("result").className = "error"
  }
}

element("search").onsubmit = event => {
  event.preventDefault()
  attempt(list)
}
element("more").onclick = () => attempt(() => list(true))

refresh()
attempt(async () => {
  await showApps()
  await list()
})
