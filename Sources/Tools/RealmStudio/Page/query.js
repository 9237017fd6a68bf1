// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The bar above the table: a query with completion, its plan, groups, saved queries and files.

import { request } from "./connection.js"
import { attempt, dialog, grouped, make, showStatus } from "./elements.js"

const words = [
  "AND",
  "OR",
  "NOT",
  "IN",
  "ANY",
  "ALL",
  "NONE",
  "BETWEEN",
  "BEGINSWITH",
  "ENDSWITH",
  "CONTAINS",
  "LIKE",
  "TEXT",
  "TRUEPREDICATE",
  "SORT(",
  "DISTINCT(",
  "LIMIT(",
  "ASC",
  "DESC",
  "true",
  "false",
  "nil"
]
const operators = {
  number: ["==", "!=", "<", "<=", ">", ">=", "IN {", "BETWEEN {"],
  bool: ["== true", "== false"],
  text: ["==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "CONTAINS[c]", "LIKE", "IN {", "TEXT"],
  other: ["==", "!=", "IN {"],
  collection: [".@count", "CONTAINS"]
}

export class QueryBar {
  constructor(studio, actions) {
    this.studio = studio
    this.actions = actions
    this.input = make("input#query", {
      placeholder: "age > 3 AND name BEGINSWITH 'A' SORT(age DESC)",
      spellcheck: false,
      autocomplete: "off",
      "aria-label": "Query",
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": "completion"
    })
    this.list = make("ul#completion", { role: "listbox", hidden: true })
    this.error = make("pre#query-error", { role: "alert", hidden: true })
    this.answer = make("div#answer", { hidden: true })
    this.linked = make("span", {})
    this.saved = make("select", { "aria-label": "Saved queries", onchange: () => this.useSaved() })
    this.exports = make("span.line")
    this.createButton = make("button", { onclick: () => actions.create(), hidden: true }, "New object")
    this.element = make(
      "div",
      {},
      make(
        "div#bar",
        {},
        make(
          "div.line",
          {},
          make("div#query-place", {}, this.input, this.list),
          make(
            "span.line",
            {},
            make("button.main", { onclick: () => this.run() }, "Find"),
            make("button", { onclick: () => this.explain() }, "Plan"),
            make("button", { onclick: () => this.group() }, "Group"),
            make("button", { onclick: () => this.distribution() }, "Distribution")
          )
        ),
        this.error,
        make(
          "div.line",
          {},
          this.createButton,
          this.linked,
          make("span.gap"),
          this.saved,
          make("button", { onclick: () => this.save() }, "Save query"),
          this.exports
        )
      ),
      this.answer
    )
    this.input.addEventListener("input", () => {
      this.showError(undefined)
      this.complete()
    })
    this.input.addEventListener("keydown", event => this.handleKey(event))
    this.input.addEventListener("blur", () => setTimeout(() => this.closeCompletion(), 150))
  }

  focus() {
    this.input.focus()
    this.input.select()
  }

  show(schema, { query, sort, linked }) {
    if (this.schema !== schema) this.answer.hidden = true
    Object.assign(this, { schema, linkedObjects: linked })
    this.input.value = query
    this.showError(undefined)
    this.closeCompletion()
    this.createButton.hidden = !this.studio.file.writable || schema.kind !== "topLevel"
    this.linked.replaceChildren()
    if (linked)
      this.linked.append(
        `only those of ${linked.label} `,
        make(
          "button.small",
          {
            onclick: () => this.studio.show({ linked: undefined })
          },
          "show all"
        )
      )
    const file = format => {
      const search = new URLSearchParams({ table: schema.table, format, query })
      if (sort) search.set("sort", JSON.stringify([sort]))
      if (linked) search.set("linked", JSON.stringify(linked))
      // The server doesn't decode a plus sign as a space.
      return make(
        "a",
        { href: `/export?${search.toString().replaceAll("+", "%20")}`, download: "" },
        format.toUpperCase()
      )
    }
    this.exports.replaceChildren("Result as ", file("json"), file("csv"))
    this.listSaved()
  }

  run() {
    this.closeCompletion()
    this.actions.run(this.input.value.trim())
  }

  /** Shows an error of the query, below its position. */
  showError(error) {
    this.error.hidden = !error
    this.input.setAttribute("aria-invalid", !!error)
    if (!error) return
    const at = error.position
    this.error.textContent =
      at === undefined ? error.message : `${this.input.value}\n${" ".repeat(at)}^ ${error.message}`
  }

  // MARK: Completion

  /** Candidates that depend on the text before the cursor: names, or operators after a path. */
  candidates() {
    const before = this.input.value.slice(0, this.input.selectionStart)
    if ((before.split("'").length - 1) % 2) return { word: "", found: [] }
    const word = before.match(/[\w.@]*$/)[0]
    const parts = word.split(".")
    const last = parts.pop()
    let schema = this.schema,
      previous = before.slice(0, before.length - word.length)
    for (const part of parts) {
      const property = schema?.properties.find(p => p.name === part)
      if (part === "") continue
      if (property?.collection && last.startsWith("@"))
        return { word: last, found: matching(["@count", "@min", "@max", "@sum", "@avg"], last) }
      schema = property?.target ? this.studio.class(property.target) : undefined
    }
    const path = previous.match(/([\w.]+)\s+$/)?.[1]
    const behind = !word && path && this.operatorsAfter(path)
    if (behind) return { word: "", found: behind.map(text => [text, "operator"]) }
    const names = (schema?.properties ?? []).map(p => [p.name, p.type === "link" ? p.target : p.type])
    const found = names.filter(([name]) => name.toLowerCase().startsWith(last.toLowerCase()))
    if (!parts.length && last) found.push(...matching(words, last))
    return { word: last, found }
  }

  operatorsAfter(path) {
    let schema = this.schema,
      property
    for (const name of path.split(".")) {
      property = schema?.properties.find(p => p.name === name)
      if (!property) return undefined
      schema = property.target && this.studio.class(property.target)
    }
    if (property.collection) return operators.collection
    if (["int", "float", "double", "decimal", "date"].includes(property.type)) return operators.number
    return { bool: operators.bool, string: operators.text }[property.type] ?? operators.other
  }

  complete() {
    const { word, found } = this.candidates()
    this.word = word
    const all = found.filter(([text]) => text !== word).slice(0, 40)
    this.list.hidden = all.length === 0
    this.input.setAttribute("aria-expanded", all.length > 0)
    this.list.replaceChildren(
      ...all.map(([text, kind], index) =>
        make(
          "li",
          {
            role: "option",
            id: `choice-${index}`,
            onmousedown: event => {
              event.preventDefault()
              this.insertCompletion(text)
            }
          },
          make("span.code", {}, text),
          make("span.faint", {}, kind)
        )
      )
    )
    this.select(0)
  }

  select(index) {
    const items = [...this.list.children]
    this.chosen = items.length ? (index + items.length) % items.length : 0
    items.forEach((item, position) => {
      item.setAttribute("aria-selected", position === this.chosen)
    })
    items[this.chosen]?.scrollIntoView({ block: "nearest" })
    if (items.length) this.input.setAttribute("aria-activedescendant", `choice-${this.chosen}`)
  }

  insertCompletion(text) {
    const end = this.input.selectionStart,
      start = end - this.word.length
    const rest = this.input.value.slice(end)
    const space = /[({]$/.test(text) || rest.startsWith(" ") ? "" : " "
    this.input.value = this.input.value.slice(0, start) + text + space + rest
    this.input.setSelectionRange(start + text.length + space.length, start + text.length + space.length)
    this.closeCompletion()
  }

  closeCompletion() {
    this.list.hidden = true
    this.input.setAttribute("aria-expanded", "false")
    this.input.removeAttribute("aria-activedescendant")
  }

  handleKey(event) {
    const isOpen = !this.list.hidden
    if (event.key === "ArrowDown" && !isOpen) this.complete()
    else if (event.key === "ArrowDown") this.select(this.chosen + 1)
    else if (event.key === "ArrowUp" && isOpen) this.select(this.chosen - 1)
    else if (event.key === "Tab" && isOpen && !event.shiftKey)
      this.insertCompletion(this.list.children[this.chosen].firstChild.textContent)
    else if (event.key === " " && event.ctrlKey) this.complete()
    else if (event.key === "Escape" && isOpen) this.closeCompletion()
    else if (event.key === "Enter") this.run()
    else return
    event.preventDefault()
  }

  // MARK: Plan and groups

  showAnswer(title, ...children) {
    this.answer.hidden = false
    this.answer.replaceChildren(
      make(
        "div.line",
        {},
        make("b", {}, title),
        make("span.gap"),
        make(
          "button.small",
          {
            onclick: () => {
              this.answer.hidden = true
            },
            "aria-label": "Close"
          },
          "×"
        )
      ),
      ...children
    )
  }

  async explain() {
    const query = this.input.value.trim()
    try {
      const { steps, found, microseconds } = await request("explain", { table: this.schema.table, query })
      const write = step =>
        make(
          "li",
          {},
          step.text,
          " ",
          make(
            "small.faint",
            {},
            [
              step.estimated === null ? null : `estimated ${grouped(step.estimated)}`,
              step.actual === null ? null : `actual ${grouped(step.actual)}`
            ]
              .filter(Boolean)
              .join(", ")
          ),
          step.parts.length ? make("ul.plan", {}, ...step.parts.map(write)) : null
        )
      this.showAnswer(
        `Plan: ${grouped(found)} found in ${(microseconds / 1000).toFixed(1)} ms`,
        make("ul.plan", {}, ...steps.map(write))
      )
      this.showError(undefined)
    } catch (error) {
      this.showError(error)
    }
  }

  group() {
    const plain = this.schema.properties.filter(p => !p.collection && p.type !== "link")
    const numbers = plain.filter(p => ["int", "float", "double", "decimal", "mixed", "date"].includes(p.type))
    const option = (value, text) => make("option", { value }, text ?? value)
    const by = make("select", { "aria-label": "Group by" }, ...plain.map(p => option(p.name)))
    // A primary key would result in groups of one object each.
    by.value = (
      plain.find(p => p.type === "string" && !p.primaryKey) ??
      plain.find(p => !p.primaryKey) ??
      plain[0]
    )?.name
    const operation = make(
      "select",
      { "aria-label": "Aggregate" },
      option("", "count"),
      ...["sum", "average", "min", "max"].map(o => option(o))
    )
    const of = make("select", { "aria-label": "Of", hidden: true }, ...numbers.map(p => option(p.name)))
    const result = make("div", {})
    const run = async () => {
      of.hidden = !operation.value
      try {
        const answer = await request("group", {
          table: this.schema.table,
          query: this.input.value.trim(),
          linked: this.linkedObjects,
          by: by.value,
          operation: operation.value,
          of: of.value
        })
        result.replaceChildren(
          make("p.hint", {}, `${grouped(answer.count)} groups`),
          make(
            "table.plain",
            {},
            make(
              "tr",
              {},
              make("th", {}, by.value),
              make("th.number", {}, operation.value ? `${operation.value} of ${of.value}` : "count")
            ),
            ...answer.groups.map(([key, value]) =>
              make("tr", {}, make("td", {}, key ?? "null"), make("td.number", {}, value ?? "null"))
            )
          )
        )
      } catch (error) {
        result.replaceChildren(make("p.error", {}, error.message))
      }
    }
    for (const select of [by, operation, of]) select.onchange = run
    this.showAnswer("Groups", make("div.line", {}, "by ", by, operation, of), result)
    if (plain.length) run()
  }

  async distribution() {
    const name = await dialog("Distribution of", (box, close) =>
      box.append(
        make(
          "div.choices",
          {},
          ...this.schema.properties.map(p => make("button", { onclick: () => close(p.name) }, p.name))
        )
      )
    )
    if (!name) return
    await attempt(async () => {
      const element = await this.actions.distribution(name)
      this.showAnswer(`Distribution of ${name}`, element)
    })
  }

  // MARK: Saved queries, stored by the browser per file and class

  get storageKey() {
    return `regnum-queries ${this.studio.file.path} ${this.schema.name}`
  }
  get savedQueries() {
    try {
      return JSON.parse(localStorage.getItem(this.storageKey)) ?? []
    } catch {
      return []
    }
  }

  listSaved() {
    const all = this.savedQueries
    this.saved.hidden = !all.length
    this.saved.replaceChildren(
      make("option", { value: "" }, "Saved queries"),
      ...all.map(query => make("option", { value: query }, query)),
      make("option", { value: "forget" }, "Forget the query of the line")
    )
  }

  useSaved() {
    const query = this.saved.value
    this.saved.value = ""
    if (query === "forget") {
      localStorage.setItem(
        this.storageKey,
        JSON.stringify(this.savedQueries.filter(other => other !== this.input.value.trim()))
      )
      return this.listSaved()
    }
    if (query) {
      this.input.value = query
      this.run()
    }
  }

  save() {
    const query = this.input.value.trim()
    if (!query) return showStatus("there is no query to save")
    localStorage.setItem(
      this.storageKey,
      JSON.stringify([query, ...this.savedQueries.filter(other => other !== query)].slice(0, 50))
    )
    this.listSaved()
    showStatus("saved in this browser")
  }
}

function matching(all, word) {
  return all.filter(text => text.toLowerCase().startsWith(word.toLowerCase())).map(text => [text, ""])
}
