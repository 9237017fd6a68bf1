// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Functions that create elements of the page in one expression.

/** Creates an element: `make("a.link#id", {href: "…", onclick: …}, "text", child)`. */
export function make(kind, properties = {}, ...children) {
  const [, name, id, classes] = kind.match(/^(\w+)(?:#([\w-]+))?((?:\.[\w-]+)*)$/)
  const element = document.createElement(name)
  if (id) element.id = id
  if (classes) element.className = classes.slice(1).replaceAll(".", " ")
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue
    if (key in element && !key.startsWith("aria")) element[key] = value
    else element.setAttribute(key, value)
  }
  element.append(...children.filter(child => child !== null && child !== undefined))
  return element
}

/** The accessible name of a control. */
const accessibleName = element => element.ariaLabel ?? element.textContent

/**
 * Replaces the children of an element, and preserves the focus, so that a response doesn't interrupt keyboard use. If a
 * removed child had the focus, it moves to the new one of the same name, or else to the result of `other`, or to the
 * first button.
 */
export function replaceKeepingFocus(element, children, other = () => null) {
  const last = document.activeElement
  if (last === element || !element.contains(last)) return element.replaceChildren(...children)
  const namesakes = () =>
    [...element.querySelectorAll(last.localName)].filter(e => accessibleName(e) === accessibleName(last))
  const place = namesakes().indexOf(last)
  element.replaceChildren(...children)
  const successor = namesakes()[place] ?? other(last) ?? element.querySelector("button")
  successor?.focus({ preventScroll: true })
}

export function makeSVG(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const status = document.getElementById("status")

/** Shows a text in the status line. */
export function showStatus(text, isError = false) {
  status.textContent = text
  status.className = isError ? "error" : ""
}

/** Whether Control or Command is pressed. */
export const isCommand = event => event.ctrlKey || event.metaKey

/** Runs `body`. Shows an error in the status line, and returns undefined then. */
export async function attempt(body) {
  try {
    return await body()
  } catch (error) {
    showStatus(error.message, true)
  }
}

export const grouped = number => Number(number).toLocaleString("en-US")

export function formatBytes(count) {
  if (count < 1000) return `${count} B`
  const power = Math.min(4, Math.floor(Math.log10(count) / 3))
  return `${(count / 1000 ** power).toFixed(1)} ${["B", "kB", "MB", "GB", "TB"][power]}`
}

/** Shows a dialog. Resolves to the argument of `close`; undefined for Escape. */
export function dialog(title, fill) {
  return new Promise(resolve => {
    const box = make("dialog", { "aria-label": title }, make("h2", {}, title))
    let result
    const close = value => {
      result = value
      box.close()
    }
    box.onclose = () => {
      box.remove()
      resolve(result)
    }
    fill(box, close)
    document.body.append(box)
    box.showModal()
  })
}

export function confirm(question, verb) {
  return dialog(question, (box, close) =>
    box.append(
      make(
        "div.line",
        {},
        make("button.main", { onclick: () => close(true), autofocus: true }, verb),
        make("button", { onclick: () => close(false) }, "Cancel")
      )
    )
  )
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = make("textarea", { value: text })
    document.body.append(area)
    area.select()
    document.execCommand("copy")
    area.remove()
  }
  showStatus(`copied ${grouped(text.length)} characters`)
}

export function saveFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }))
  make("a", { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
