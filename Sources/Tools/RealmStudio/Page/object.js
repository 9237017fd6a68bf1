// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The panel with one object: its properties, their editors, and the objects that link to it.

import { request } from "./connection.js"
import { attempt, copyText, dialog, grouped, isCommand, make, replaceKeepingFocus, showStatus } from "./elements.js"
import { defaultText, followLink, textEditor, typeAndContent, valueEditor } from "./editor.js"
import { typeName } from "./table.js"

export class ObjectPanel {
  constructor(studio, actions) {
    this.studio = studio
    this.actions = actions
    this.element = make("aside#object", { hidden: true, "aria-label": "Object" })
    this.element.addEventListener("keydown", event => {
      if (event.key === "Escape" && !event.target.matches("textarea")) {
        event.preventDefault()
        this.actions.close()
      }
    })
  }

  hide() {
    this.element.hidden = true
    this.key = undefined
    this.editing = undefined
  }

  async show(schema, key) {
    const isOther = this.key !== key || this.schema?.table !== schema.table
    if (isOther) this.editing = undefined
    Object.assign(this, { schema, key })
    await this.refresh()
  }

  /** Reads the object again. An open editor stays unchanged. */
  async refresh() {
    const { schema, key } = this
    const detail = await request("object", { table: schema.table, object: key })
    if (this.key !== key || this.schema !== schema) return
    this.detail = detail
    if (!this.editing) this.draw()
    else this.editing.note.textContent = "The object has changed meanwhile."
  }

  showDeleted() {
    this.editing = undefined
    replaceKeepingFocus(this.element, [
      make("p.error", {}, "The object was deleted."),
      make("button", { onclick: () => this.actions.close() }, "Close")
    ])
  }

  /** Edits a property as soon as the object is shown. */
  async editProperty(name) {
    this.propertyToEdit = name
    if (this.detail && !this.element.hidden && this.detail.object === this.key) this.draw()
  }

  draw() {
    const { schema, detail, studio } = this
    const isWritable = studio.file.writable
    this.element.hidden = false
    replaceKeepingFocus(
      this.element,
      [
        make(
          "div.line",
          {},
          make("h2.grow", {}, `${schema.name} ${detail.label}`),
          make(
            "button.small",
            { onclick: () => this.actions.close(), "aria-label": "Close", title: "Close (Escape)" },
            "×"
          )
        ),
        make(
          "div.line",
          {},
          make(
            "button",
            {
              onclick: () =>
                attempt(async () =>
                  copyText((await request("json", { table: schema.table, objects: [this.key] })).text)
                )
            },
            "Copy as JSON"
          ),
          isWritable && schema.kind === "topLevel"
            ? make("button", { onclick: () => this.actions.duplicate([this.key]) }, "Duplicate")
            : null,
          isWritable && schema.kind === "topLevel"
            ? make("button.danger", { onclick: () => this.actions.remove([this.key]) }, "Delete")
            : null
        ),
        ...schema.properties.map((property, index) => this.propertyRow(property, index)),
        this.incomingLinks()
      ],
      last => this.propertyElement(last.closest("[data-property]")?.dataset.property)?.querySelector("button")
    )
    const propertyToEdit = this.propertyToEdit
    this.propertyToEdit = undefined
    if (propertyToEdit) this.edit(schema.properties.find(p => p.name === propertyToEdit))
  }

  /** The element that shows a property. */
  propertyElement(name) {
    return this.element.querySelector(`[data-property="${CSS.escape(name)}"]`)
  }

  propertyRow(property, index) {
    const value = this.detail.values[index]
    const isTooLong = value?.$tooLong === 1
    const canEdit = this.studio.file.writable && !property.primaryKey && !isTooLong
    return make(
      "div.property",
      { "data-property": property.name },
      make(
        "div.name",
        {},
        make("b", {}, property.name),
        make("small", {}, typeName(property) + (property.primaryKey ? ", primary key" : "")),
        make("span.gap"),
        canEdit
          ? make("button.small", { onclick: () => this.edit(property), "aria-label": `Edit ${property.name}` }, "Edit")
          : null
      ),
      isTooLong
        ? this.tooLongValue(property, this.detail.cells[index])
        : this.valueElement(property, value, this.detail.cells[index])
    )
  }

  tooLongValue(property, cell) {
    return make(
      "div.value",
      {},
      `${grouped(cell.n)} elements `,
      property.type === "link" ? this.showInTableButton(property) : cell.s
    )
  }

  showInTableButton(property) {
    return make(
      "button.link",
      {
        onclick: () =>
          this.studio.show({
            name: property.target,
            object: undefined,
            query: "",
            linked: {
              table: this.schema.table,
              object: this.key,
              property: property.name,
              label: `${this.schema.name} ${this.detail.label}`
            }
          })
      },
      "show in the table"
    )
  }

  /** Read-only values, with links to other objects. */
  valueElement(property, value, cell) {
    if (value === null) return make("div.value.null", {}, "null")
    if (property.collection === "dictionary") {
      return make(
        "div.tree",
        {},
        ...Object.entries(value).map(([key, inner]) =>
          make(
            "div.line",
            {},
            make("b", {}, key),
            make("div.grow", {}, this.valueElement({ ...property, collection: undefined }, inner))
          )
        ),
        Object.keys(value).length ? "" : make("span.faint", {}, "empty")
      )
    }
    if (property.collection) {
      return make(
        "div.tree",
        {},
        ...value.map(inner => this.valueElement({ ...property, collection: undefined }, inner)),
        value.length ? "" : make("span.faint", {}, "empty"),
        property.type === "link" && !property.embedded && value.length > 1 ? this.showInTableButton(property) : ""
      )
    }
    if (property.embedded) {
      const schema = this.studio.class(property.target)
      return make(
        "div.tree",
        {},
        ...schema.properties.map(p =>
          make(
            "div.line",
            {},
            make("span.faint", {}, p.name),
            make("div.grow", {}, this.valueElement(p, value[p.name.startsWith("$") ? `$${p.name}` : p.name] ?? null))
          )
        )
      )
    }
    if (property.type === "link") {
      const open = cell?.l ? () => this.studio.follow(...cell.l) : () => followLink(this.studio, property.target, value)
      return make("div.value", {}, make("button.link", { onclick: open }, `→ ${property.target} ${cell?.s ?? value}`))
    }
    if (property.type === "mixed") return this.mixedElement(value)
    const shown =
      property.type === "data"
        ? `${value.length / 2} bytes\n${value.slice(0, 4000)}${value.length > 4000 ? "…" : ""}`
        : String(value)
    return make("div.value", { className: property.type === "string" ? "value" : "value code" }, shown)
  }

  mixedElement(value) {
    const [type, content] = typeAndContent(value)
    const anything = { type: "mixed" }
    if (type === "null") return make("div.value.null", {}, "null")
    if (type === "list") return this.valueElement({ ...anything, collection: "list" }, content)
    if (type === "dictionary") return this.valueElement({ ...anything, collection: "dictionary" }, content)
    if (type === "link") {
      const [target, name] = content
      const plain = name !== null && typeof name === "object" ? Object.values(name)[0] : name
      return make("button.link", { onclick: () => followLink(this.studio, target, plain) }, `→ ${target} ${plain}`)
    }
    return make("div.value", {}, String(content), " ", make("small", {}, type))
  }

  incomingLinks() {
    const some = this.detail.incoming.filter(link => link.count > 0)
    if (!some.length) return make("p.hint", {}, "Nothing links here.")
    return make(
      "div.incoming",
      {},
      make("b", {}, "Linked from"),
      ...some.map(link =>
        make(
          "div.property",
          {},
          make(
            "div.name",
            {},
            `${link.class}.${link.property}`,
            make("small", {}, grouped(link.count)),
            link.count > 1
              ? make(
                  "button.link",
                  {
                    onclick: () =>
                      this.studio.show({
                        name: link.class,
                        object: undefined,
                        query: "",
                        linked: {
                          table: this.schema.table,
                          object: this.key,
                          property: link.property,
                          origin: link.class,
                          label: `${this.schema.name} ${this.detail.label}`
                        }
                      })
                  },
                  "show in the table"
                )
              : null
          ),
          make(
            "div.tree",
            {},
            ...link.objects.map(([key, label]) =>
              make(
                "div",
                {},
                make("button.link", { onclick: () => this.studio.follow(link.table, key) }, `← ${link.class} ${label}`)
              )
            )
          )
        )
      )
    )
  }

  // MARK: Editing

  edit(property) {
    const index = this.schema.properties.indexOf(property)
    const place = this.propertyElement(property.name)
    if (!place || !this.studio.file.writable || property.primaryKey) return
    const inner = valueEditor(this.studio, property, this.detail.values[index])
    const note = make("small.error", { role: "alert" })
    const end = () => {
      this.editing = undefined
      this.refresh().catch(() => this.draw())
    }
    const save = async () => {
      try {
        const { key, schema } = this
        const values = `{${JSON.stringify(property.name)}:${inner.json()}}`
        const answer = await request("set", { table: schema.table, object: key }, { values })
        this.studio.updateUndo(answer)
        showStatus(`${property.name} is set`)
        end()
      } catch (error) {
        note.textContent = error.message
      }
    }
    const form = make(
      "form.editor",
      {
        onsubmit: event => {
          event.preventDefault()
          save()
        }
      },
      inner.element,
      make(
        "div.line",
        {},
        make("button.main", {}, "Save"),
        make("button", { type: "button", onclick: end }, "Cancel"),
        note
      )
    )
    form.addEventListener("keydown", event => {
      if (event.key === "Escape") {
        event.stopPropagation()
        event.preventDefault()
        end()
      }
      if (event.key === "Enter" && isCommand(event)) {
        event.preventDefault()
        save()
      }
    })
    this.editing = { note }
    place.replaceChildren(place.firstChild, form)
    form.querySelector("input, textarea, select, button")?.focus()
  }
}

/** Creates an object. If the class has a primary key, shows a dialog for it. */
export async function createObject(studio, schema) {
  const primary = schema.properties.find(p => p.primaryKey)
  const create = async values => {
    const answer = await request("create", { table: schema.table }, { values })
    studio.updateUndo(answer)
    showStatus(`created ${schema.name}`)
    return answer.object
  }
  if (!primary) return attempt(() => create("{}"))
  return dialog(`New ${schema.name}`, (box, close) => {
    const isText = primary.type === "string" || primary.type === "int"
    const inner = textEditor(primary.type, isText ? "" : defaultText(primary.type))
    const note = make("p.error", { role: "alert" })
    box.append(
      make(
        "form",
        {
          onsubmit: async event => {
            event.preventDefault()
            try {
              close(await create(`{${JSON.stringify(primary.name)}:${inner.json()}}`))
            } catch (error) {
              note.textContent = error.message
            }
          }
        },
        make("label", {}, `${primary.name}, the primary key: `),
        inner.element,
        note,
        make(
          "div.line",
          {},
          make("button.main", {}, "Create"),
          make("button", { type: "button", onclick: () => close() }, "Cancel")
        )
      )
    )
    inner.element.querySelector("input, textarea").focus()
  })
}
