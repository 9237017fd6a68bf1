// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Editors of values. Each has an element and `json()`, which returns the value as JSON text, or throws an error.

import { request, Real } from "./connection.js"
import { attempt, dialog, make, replaceKeepingFocus, showStatus } from "./elements.js"

const mixedTypes = [
  "null",
  "int",
  "bool",
  "double",
  "float",
  "string",
  "date",
  "data",
  "decimal",
  "uuid",
  "objectId",
  "link",
  "list",
  "dictionary"
]

/** Functions that convert the text of a type to JSON. They throw the expected form if the text is invalid. */
const jsonOfText = {
  int: text => {
    if (!/^-?\d+$/.test(text)) throw new Error("an integer: digits only")
    const number = BigInt(text)
    if (number !== BigInt.asIntN(64, number)) throw new Error("an integer of 64 bits")
    return number.toString()
  },
  double: text => real(text, "a number"),
  float: text => real(text, "a number"),
  decimal: text => {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^[+-]?(inf|nan)$/i.test(text)) throw new Error("a decimal number")
    return JSON.stringify(text)
  },
  string: text => JSON.stringify(text),
  date: text => {
    if (/^T-?\d+:-?\d+$/.test(text)) return JSON.stringify(text)
    if (
      !/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/.test(text) ||
      Number.isNaN(Date.parse(text.slice(0, 10)))
    ) {
      throw new Error("a date as in 2024-01-31 or 2024-01-31T12:00:00Z")
    }
    return JSON.stringify(/T\d\d:\d\d[Z+-]/.test(text) ? text.replace(/(T\d\d:\d\d)/, "$1:00") : text)
  },
  data: text => {
    const digits = text.replace(/\s/g, "")
    if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new Error("pairs of hexadecimal digits")
    return JSON.stringify(digits.toLowerCase())
  },
  uuid: text => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new Error("a UUID")
    return JSON.stringify(text.toLowerCase())
  },
  objectId: text => {
    if (!/^[0-9a-f]{24}$/i.test(text)) throw new Error("24 hexadecimal digits")
    return JSON.stringify(text.toLowerCase())
  }
}

function real(text, what) {
  if (/^[+-]?(inf|nan)$/i.test(text)) return JSON.stringify(text)
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Error(what)
  const [, sign, digits, exponent] = text.match(/^([+-]?)([\d.]+)(.*)$/)
  const whole = digits.startsWith(".") ? `0${digits}` : digits.endsWith(".") ? `${digits}0` : digits
  return `${sign === "-" ? "-" : ""}${whole.replace(/^0+(?=\d)/, "")}${whole.includes(".") || exponent ? "" : ".0"}${exponent}`
}

const defaultTexts = {
  int: "0",
  double: "0",
  float: "0",
  decimal: "0",
  string: "",
  data: "",
  objectId: "",
  date: () => `${new Date().toISOString().slice(0, 19)}Z`,
  uuid: () => crypto.randomUUID?.() ?? "",
  newObjectId: () => [...crypto.getRandomValues(new Uint8Array(12))].map(b => b.toString(16).padStart(2, "0")).join("")
}

export function defaultText(type) {
  const value = defaultTexts[type === "objectId" ? "newObjectId" : type]
  return typeof value === "function" ? value() : value
}

/** The editor of a property; `value` is that of the response. */
export function valueEditor(studio, property, value) {
  if (property.collection === "dictionary") return dictionaryEditor(studio, property, value ?? {})
  if (property.collection) return listEditor(studio, property, value ?? [], property.collection === "list")
  return singleEditor(studio, property, value)
}

// MARK: Single values

function singleEditor(studio, property, value) {
  if (property.type === "mixed") return mixedEditor(studio, value)
  if (property.embedded)
    return nullableEditor(
      true,
      value,
      inner => objectEditor(studio, studio.class(property.target), inner),
      () => ({})
    )
  if (property.type === "link") return linkEditor(studio, property.target, value, property.optional)
  const make = inner => (property.type === "bool" ? boolEditor(inner) : textEditor(property.type, inner))
  return nullableEditor(property.optional, value, make, () =>
    property.type === "bool" ? false : defaultText(property.type)
  )
}

function nullableEditor(isOptional, value, inner, initial) {
  const element = make("div.grow")
  let content
  const show = next => {
    content = next === null || next === undefined ? undefined : inner(next)
    const button = (label, onclick) => make("button.small", { type: "button", onclick }, label)
    element.replaceChildren(
      make(
        "div.line",
        {},
        content ? make("div.grow", {}, content.element) : make("span.value.null", {}, "null"),
        !isOptional
          ? null
          : content
            ? button("null", () => show(null))
            : button("set", () => {
                show(initial())
                element.querySelector("input, textarea, select")?.focus()
              })
      )
    )
  }
  show(value === undefined && !isOptional ? initial() : (value ?? (isOptional ? null : initial())))
  return { element, json: () => (content ? content.json() : "null") }
}

function boolEditor(value) {
  const input = make("input", { type: "checkbox", checked: value })
  return { element: make("label", {}, input, " true"), json: () => String(input.checked) }
}

export function textEditor(type, value) {
  const isLong = type === "string" || type === "data"
  const initial = String(value ?? "")
  const input = make(isLong ? "textarea.code" : "input.code", { value: initial, spellcheck: false })
  if (isLong) input.rows = Math.min(8, Math.max(1, Math.ceil(initial.length / 40), initial.split("\n").length))
  const wrong = make("small.error", { role: "alert" })
  const check = () => {
    try {
      const json = jsonOfText[type](input.value)
      input.classList.remove("wrong")
      wrong.textContent = ""
      return json
    } catch (error) {
      input.classList.add("wrong")
      wrong.textContent = error.message
      throw error
    }
  }
  input.addEventListener("input", () => {
    try {
      check()
    } catch {
      /* It is shown. */
    }
  })
  const file =
    type !== "data"
      ? null
      : make("input", {
          type: "file",
          "aria-label": "Data from a file",
          onchange: async event => {
            const bytes = new Uint8Array(await event.target.files[0].arrayBuffer())
            input.value = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("")
            check()
          }
        })
  return { element: make("div", {}, input, file, wrong), json: check }
}

/** An editor of a link. The value is the name of the object. */
function linkEditor(studio, target, value, isOptional = true) {
  const element = make("div.line.grow")
  const show = next => {
    value = next
    element.replaceChildren(
      value === null || value === undefined
        ? make("span.value.null", {}, "null")
        : make(
            "button.link",
            { type: "button", onclick: () => followLink(studio, target, value) },
            `→ ${target} ${value}`
          ),
      make(
        "button.small",
        {
          type: "button",
          onclick: async () => {
            const found = await pickObject(target)
            if (found) show(found.name)
          }
        },
        "choose"
      ),
      !isOptional || value === null || value === undefined
        ? ""
        : make("button.small", { type: "button", onclick: () => show(null) }, "null")
    )
  }
  show(value ?? null)
  return { element, json: () => nameJSON(value) }
}

const nameJSON = value =>
  typeof value === "bigint" || value instanceof Real ? value.toString() : JSON.stringify(value ?? null)

export function followLink(studio, target, value) {
  return attempt(async () => {
    const found = await request("find", { class: target }, { name: nameJSON(value) })
    studio.follow(found.table, found.object)
  })
}

/** Shows a dialog for choosing an object of a class. */
export function pickObject(target) {
  return dialog(`Choose a ${target}`, (box, close) => {
    const choices = make("div.choices")
    const input = make("input", { placeholder: "Search", autofocus: true, "aria-label": "Search" })
    let last = 0
    const search = async () => {
      const number = ++last
      const answer = await attempt(() => request("pick", { class: target, text: input.value }))
      if (number !== last || !answer) return
      replaceKeepingFocus(
        choices,
        [
          ...answer.objects.map(found => make("button", { type: "button", onclick: () => close(found) }, found.label)),
          answer.objects.length ? "" : make("p.hint", {}, "nothing is found")
        ],
        () => input
      )
    }
    input.oninput = search
    input.onkeydown = event => {
      if (event.key === "Enter" || event.key === "ArrowDown") {
        event.preventDefault()
        choices.querySelector("button")?.focus()
      }
    }
    choices.onkeydown = event => {
      const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key]
      if (next) {
        event.preventDefault()
        ;(document.activeElement[next] ?? input).focus()
      }
    }
    box.append(input, choices)
    search()
  })
}

// MARK: Collections and trees

function listEditor(studio, property, values, isOrdered) {
  const element = make("div.tree")
  const elementProperty = {
    ...property,
    collection: undefined,
    optional: property.optional && property.type !== "link"
  }
  const items = []
  const button = (label, title, onclick) =>
    make("button.small", { type: "button", title, "aria-label": title, onclick }, label)
  const add = value => {
    const item = { editor: elementEditor(studio, elementProperty, value) }
    item.row = make(
      "div.line",
      {},
      item.editor.element,
      isOrdered ? button("↑", "Move up", () => move(item, -1)) : null,
      isOrdered ? button("↓", "Move down", () => move(item, 1)) : null,
      button("×", "Remove", () => {
        items.splice(items.indexOf(item), 1)
        item.row.remove()
      })
    )
    items.push(item)
    element.insertBefore(item.row, more)
    return item
  }
  const move = (item, by) => {
    const at = items.indexOf(item),
      to = at + by
    if (to < 0 || to >= items.length) return
    items.splice(at, 1)
    items.splice(to, 0, item)
    element.insertBefore(item.row, items[to + 1]?.row ?? more)
  }
  const more = make(
    "button.small",
    {
      type: "button",
      onclick: async () => {
        const initial = await newElementValue(property)
        if (initial !== undefined) add(initial).row.querySelector("input, textarea, select")?.focus()
      }
    },
    "+ add"
  )
  element.append(more)
  values.forEach(add)
  return { element, json: () => `[${items.map(item => item.editor.json()).join(",")}]` }
}

/** The value of a new element; undefined if the user cancels. */
async function newElementValue(property) {
  if (property.type === "mixed") return ""
  if (property.embedded) return {}
  if (property.type === "link") return (await pickObject(property.target))?.name
  return property.type === "bool" ? false : defaultText(property.type)
}

function elementEditor(studio, property, value) {
  if (property.embedded) return objectEditor(studio, studio.class(property.target), value ?? {})
  return singleEditor(studio, property, value)
}

function dictionaryEditor(studio, property, values) {
  const element = make("div.tree")
  const isMixed = property.type === "mixed"
  const items = []
  const elementProperty = {
    ...property,
    collection: undefined,
    optional: property.optional || property.type === "link"
  }
  const add = (key, value) => {
    const input = make("input.code", { value: key, "aria-label": "Key", size: 10, spellcheck: false })
    input.style.width = "8rem"
    const item = { input, editor: singleEditor(studio, elementProperty, value) }
    item.row = make(
      "div.line",
      {},
      input,
      item.editor.element,
      make(
        "button.small",
        {
          type: "button",
          "aria-label": "Remove",
          onclick: () => {
            items.splice(items.indexOf(item), 1)
            item.row.remove()
          }
        },
        "×"
      )
    )
    items.push(item)
    element.insertBefore(item.row, more)
    return item
  }
  const more = make(
    "button.small",
    {
      type: "button",
      onclick: async () => {
        const initial = await newElementValue(property)
        if (initial !== undefined) add("", initial).input.focus()
      }
    },
    "+ add"
  )
  element.append(more)
  for (const [key, value] of Object.entries(values)) add(isMixed && key.startsWith("$$") ? key.slice(1) : key, value)
  return {
    element,
    json: () => {
      const keys = items.map(item => item.input.value)
      if (new Set(keys).size < keys.length) throw new Error("two entries have the same key")
      return `{${items
        .map(item => {
          const key = item.input.value
          return `${JSON.stringify(isMixed && key.startsWith("$") ? `$${key}` : key)}:${item.editor.json()}`
        })
        .join(",")}}`
    }
  }
}

/** An editor of an embedded object: a tree of its properties. */
export function objectEditor(studio, schema, values) {
  const editors = schema.properties.map(property => {
    const key = property.name.startsWith("$") ? `$${property.name}` : property.name
    return [key, valueEditor(studio, property, values[key])]
  })
  const element = make(
    "div.tree",
    {},
    ...schema.properties.map((property, index) =>
      make("div.line", {}, make("span.faint", {}, property.name), make("div.grow", {}, editors[index][1].element))
    )
  )
  return {
    element,
    json: () => `{${editors.map(([key, inner]) => `${JSON.stringify(key)}:${inner.json()}`).join(",")}}`
  }
}

// MARK: Mixed values

/** The type and the content of a mixed value in a response. */
export function typeAndContent(value) {
  if (value === null || value === undefined) return ["null", null]
  if (value instanceof Real) return ["double", value.toString()]
  if (typeof value === "bigint" || typeof value === "number") return ["int", String(value)]
  if (typeof value === "boolean") return ["bool", value]
  if (typeof value === "string") return ["string", value]
  if (Array.isArray(value)) return ["list", value]
  const keys = Object.keys(value)
  if (keys.length === 1 && /^\$[^$]/.test(keys[0])) return [keys[0].slice(1), value[keys[0]]]
  return ["dictionary", value]
}

function mixedEditor(studio, value) {
  const element = make("div.grow")
  const body = make("div")
  const types = make(
    "select.small",
    { "aria-label": "Type" },
    ...mixedTypes.map(type => make("option", { value: type }, type))
  )
  let inner
  const show = (type, content) => {
    types.value = type
    inner = mixedBodyEditor(studio, type, content)
    body.replaceChildren(inner.element)
  }
  types.onchange = async () => {
    const type = types.value
    if (type !== "link")
      return show(type, type === "list" ? [] : type === "dictionary" ? {} : type === "bool" ? false : defaultText(type))
    const target = await dialog("Link to a", (box, close) =>
      box.append(
        make(
          "div.choices",
          {},
          ...studio.file.classes
            .filter(c => c.kind === "topLevel")
            .map(c => make("button", { onclick: () => close(c.name) }, c.name))
        )
      )
    )
    const found = target && (await pickObject(target))
    if (found) show("link", [target, found.name])
    else show("null", null)
  }
  show(...typeAndContent(value))
  element.append(types, body)
  return { element, json: () => inner.json() }
}

function mixedBodyEditor(studio, type, content) {
  const anything = { type: "mixed", optional: true }
  switch (type) {
    case "null":
      return { element: make("span.value.null", {}, "null"), json: () => "null" }
    case "bool":
      return boolEditor(content)
    case "list":
      return listEditor(studio, anything, content, true)
    case "dictionary":
      return dictionaryEditor(studio, anything, content)
    case "link": {
      const [target, object] = content
      const named =
        object !== null && typeof object === "object" && !(object instanceof Real) ? Object.values(object)[0] : object
      const inner = linkEditor(studio, target, named)
      return {
        element: inner.element,
        json: () => {
          const json = inner.json()
          return json === "null" ? json : `{"$link":[${JSON.stringify(target)},${json}]}`
        }
      }
    }
    default: {
      const inner = textEditor(type, content)
      return {
        element: inner.element,
        json: () => {
          const json = inner.json()
          const isTagged = !["int", "string"].includes(type) && !(type === "double" && !json.startsWith('"'))
          return isTagged
            ? `{${JSON.stringify(`$${type}`)}:${json.startsWith('"') ? json : JSON.stringify(json)}}`
            : json
        }
      }
    }
  }
}

/** Edits a cell in the table. Returns false if the value needs a larger editor. */
export async function editCell(studio, table, key, property, cell, element, grid) {
  if (property.collection || property.type === "mixed" || property.embedded || property.primaryKey) return false
  const save = async json => {
    studio.updateUndo(
      await request("set", { table, object: key }, { values: `{${JSON.stringify(property.name)}:${json}}` })
    )
    showStatus(`${property.name} is set`)
  }
  if (property.type === "link") {
    const found = await pickObject(property.target)
    if (found) await attempt(() => save(nameJSON(found.name)))
    return true
  }
  if (property.type === "bool") {
    await attempt(() => save(String(cell !== "true")))
    return true
  }
  if (cell?.n !== undefined || !element) return false
  await new Promise(done => {
    const initial = cell ?? ""
    const input = make("input.cell-editor", { value: initial, "aria-label": property.name, spellcheck: false })
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      grid.endEditing(element)
      done()
    }
    let saving
    const commit = async () => {
      try {
        const isNull = input.value === "" && property.optional && property.type !== "string"
        saving ??= save(isNull ? "null" : jsonOfText[property.type](input.value))
        await saving
        end()
      } catch (error) {
        saving = undefined
        input.classList.add("wrong")
        showStatus(`${property.name}: ${error.message}`, true)
      }
    }
    input.onkeydown = event => {
      event.stopPropagation()
      if (event.key === "Escape") end()
      if (event.key === "Enter") commit()
    }
    // Leaving the field saves a changed text.
    input.onblur = async () => {
      if (!isOver && input.value !== initial) await commit()
      end()
    }
    grid.beginEditing(element)
    element.replaceChildren(input)
    input.focus()
    input.select()
  })
  return true
}
