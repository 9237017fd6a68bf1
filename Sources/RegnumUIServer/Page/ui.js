// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.
"use strict"

// The page of a window. It keeps a tree of elements by the operations of the host, shows it, and tells the host what
// the user does. What comes from the host is data: it becomes text and values of known attributes, never markup.

;(() => {
    const pageKey = document.querySelector('meta[name="regnum-page"]').content
    const place = document.getElementById("window")
    const notice = document.getElementById("notice")

    /// All elements by their ids.
    let nodes = new Map()
    let root = null
    let isApplying = false

    // ---------------------------------------------------------------------------------------------- Small helpers

    const make = (tag, className, attributes = {}) => {
        const element = document.createElement(tag)
        if (className) element.className = className
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
        return element
    }
    const put = (element, name, value) => {
        if (value === undefined || value === null || value === false) element.removeAttribute(name)
        else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value)
    }
    const isAllowed = address => {
        try {
            return ["http:", "https:", "mailto:", "tel:"].includes(new URL(address, location.href).protocol)
        } catch {
            return false
        }
    }
    const can = (node, action) => (node.props.do ?? "").split(" ").includes(action)
    const isText = node => ["field", "secureField", "editor"].includes(node.kind)
    const holds = (node, kind) => {
        for (let at = node.parent; at; at = at.parent) if (at.kind === kind) return at
        return null
    }
    const visit = (node, body) => {
        body(node)
        for (const child of node.children) visit(child, body)
    }

    // ---------------------------------------------------------------------------------------------- What elements are

    // Each maker returns the outer element, the one that children go into, and the one that the user acts on.
    const simple = (tag, attributes) => node => {
        const outer = make(tag, "", attributes)
        return { outer, box: outer, control: outer }
    }
    const labelled = (node, control) => {
        const outer = make("label")
        const box = make("span", "label-text")
        outer.append(box, control)
        return { outer, box, control }
    }
    const input = type => node => {
        const control = make("input", "", { type })
        return { outer: control, box: make("span"), control }
    }
    const makers = {
        text: node => {
            const level = node.props["s.level"] === 1 || (node.props["a.traits"] ?? "").includes("header")
            const outer = level ? make(holds(node, "dialog") ? "h2" : "h1", "", { tabindex: "-1" }) : make("span")
            return { outer, box: outer, control: outer }
        },
        image: node => {
            const outer = make("span")
            const [, kind, name] = /^(symbol|image):(.*)$/s.exec(node.props["s.source"] ?? "") ?? []
            if (kind === "symbol") return { outer, box: outer, control: outer, symbol: name }
            const picture = make("img", "", { alt: node.props["a.label"] ?? "", loading: "lazy" })
            const address = kind ? "/img/" + encodeURIComponent(name) : node.props["s.source"] ?? ""
            if (isAllowed(address)) picture.src = address
            outer.append(picture)
            return { outer, box: outer, control: picture }
        },
        button: simple("button", { type: "button" }),
        link: node => {
            const address = node.props["s.address"]
            const outer = make("a")
            if (address === undefined || isAllowed(address)) outer.href = address ?? "#"
            if (address) {
                outer.target = "_blank"
                outer.rel = "noopener noreferrer"
            }
            return { outer, box: outer, control: outer }
        },
        field: node => input({ color: "color", search: "search" }[node.props["s.role"]] ?? "text")(node),
        secureField: input("password"),
        editor: node => {
            const outer = make("textarea", "", { rows: "4" })
            return { outer, box: make("span"), control: outer }
        },
        toggle: node => labelled(node, make("input", "", { type: "checkbox", role: "switch" })),
        slider: node => labelled(node, make("input", "", { type: "range" })),
        date: node => {
            const [day, hour] = [node.props["s.day"], node.props["s.hour"]]
            return labelled(node, make("input", "", { type: day && hour ? "datetime-local" : day ? "date" : "time" }))
        },
        progress: node => labelled(node, make("progress", "", { max: "1" })),
        picker: node => {
            const isOpen = /Segmented|Inline/.test(node.props["l.class"] ?? "")
            const control = isOpen ? make("span", "choices", { role: "radiogroup" }) : make("select")
            if (!isOpen) return labelled(node, control)
            const [outer, box] = [make("div"), make("span", "label-text")]
            outer.append(box, control)
            return { outer, box, control }
        },
        option: node => {
            const parent = node.parent
            if (parent?.kind === "picker" && parent.control.localName === "select") {
                const outer = make("option", "", { value: String(node.id) })
                return { outer, box: make("span"), control: outer }
            }
            const outer = make("button", "", { type: "button", role: parent?.kind === "picker" ? "radio" : "option" })
            return { outer, box: outer, control: outer }
        },
        stepper: simple("div", { role: "group" }),
        list: node => {
            if (node.parent?.kind === "search") return simple("div", { role: "listbox", "aria-label": "Suggestions" })(node)
            return simple("ul")(node)
        },
        form: simple("ul"),
        row: node => {
            const outer = make("li")
            const box = make("div", "content")
            outer.append(box)
            return { outer, box, control: outer }
        },
        section: node => {
            const isInList = ["list", "form"].includes(node.parent?.kind)
            const outer = make(isInList ? "li" : "section", "", isInList ? { role: "none" } : {})
            const [head, box, foot] = [make("div", "head"), make(isInList ? "ul" : "div", "box"), make("div", "foot")]
            outer.append(head, box, foot)
            return { outer, box, control: outer, head, foot }
        },
        group: node => {
            const role = node.props["s.role"]
            if (role !== "header") return simple("div")(node)
            const outer = make("h2")
            if (node.props["s.expanded"] === undefined) return { outer, box: outer, control: outer }
            const control = make("button", "disclosure", { type: "button" })
            outer.append(control)
            return { outer, box: control, control }
        },
        box: simple("div", { role: "group" }),
        bar: node => (node.props["s.role"] === "tablist" ? simple("div", { role: "tablist" }) : simple("nav"))(node),
        tab: simple("button", { type: "button", role: "tab" }),
        dialog: node => {
            const outer = make("dialog", "", node.props["s.alert"] ? { role: "alertdialog" } : {})
            const box = make("div", "sheet")
            outer.append(box)
            if (can(node, "dismiss") && node.props["s.role"] !== "dialog") {
                const close = make("button", "close", { type: "button", "aria-label": "Close" })
                close.append(symbols.draw("xmark"))
                close.addEventListener("click", () => act(node, "dismiss"))
                outer.prepend(close)
            }
            outer.addEventListener("cancel", event => {
                event.preventDefault()
                if (can(node, "dismiss")) act(node, "dismiss")
            })
            outer.addEventListener("click", event => {
                if (event.target === outer && can(node, "dismiss") && !node.props["s.alert"]) act(node, "dismiss")
            })
            // A browser closes a dialog at a second Escape, whatever the page says.
            outer.addEventListener("close", () => {
                if (nodes.get(node.id) === node && outer.isConnected && !isApplying) outer.showModal()
            })
            return { outer, box, control: outer }
        },
        menu: node => {
            const outer = make("div")
            const button = make("button", "menu-button", { type: "button", "aria-haspopup": "true" })
            const items = make("div", "items", { role: "group" })
            items.hidden = true
            outer.append(button, items)
            const toggle = open => {
                items.hidden = !open
                put(button, "aria-expanded", String(open))
            }
            toggle(false)
            button.addEventListener("click", () => {
                if (can(node, "tap")) act(node, "tap")
                toggle(items.hidden)
            })
            items.addEventListener("click", event => {
                if (event.target.closest("button, a")) {
                    toggle(false)
                    button.focus()
                }
            })
            outer.addEventListener("keydown", event => {
                if (event.key === "Escape" && !items.hidden) {
                    toggle(false)
                    button.focus()
                    event.stopPropagation()
                }
            })
            outer.addEventListener("focusout", event => {
                if (event.relatedTarget && !outer.contains(event.relatedTarget)) toggle(false)
            })
            return { outer, box: items, control: button }
        },
        divider: simple("hr"),
        spacer: simple("div", { "aria-hidden": "true" }),
        search: simple("div", { role: "search" }),
    }

    /// Where a child of an element goes.
    const holder = (parent, child) => {
        if (parent.kind === "picker") return child.kind === "option" ? parent.control : parent.box
        if (parent.kind === "section") return { header: parent.head, footer: parent.foot }[child.props["s.role"]] ?? parent.box
        if (parent.kind === "menu") return ["text", "image", "hstack"].includes(child.kind) ? parent.control : parent.box
        return parent.box
    }

    const build = node => {
        Object.assign(node, (makers[node.kind] ?? simple("div"))(node))
        node.outer.dataset.id = node.id
        if (node.control !== node.outer) node.control.dataset.id = node.id
        listen(node)
        if (node.parent?.kind === "tabs" && node.kind !== "bar") node.outer.setAttribute("role", "tabpanel")
        refresh(node)
    }

    // ---------------------------------------------------------------------------------------------- What they show

    const safeClass = /^[a-zA-Z][a-zA-Z0-9-]*$/
    const notStyles = new Set(["class", "fill", "stroke", "line-clamp"])

    const refresh = node => {
        const { props, outer, control } = node
        if (!outer) return
        const classes = [node.kind, ...(props["l.class"] ?? "").split(" ").filter(name => safeClass.test(name))]
        if (safeClass.test(props["s.role"] ?? "")) classes.push("is-" + props["s.role"])
        if (props["l.line-clamp"]) classes.push("clamped")
        if (can(node, "tap") && !["button", "link", "tab", "menu"].includes(node.kind)) classes.push("tappable")
        if (props["s.selected"]) classes.push("selected")
        outer.className = classes.join(" ")
        for (const name of node.styled ?? []) if (props["l." + name] === undefined) outer.style.removeProperty(name)
        node.styled = []
        for (const [name, value] of Object.entries(props)) {
            if (!name.startsWith("l.") || notStyles.has(name.slice(2))) continue
            outer.style.setProperty(name.slice(2), value)
            node.styled.push(name.slice(2))
        }
        if (props["l.line-clamp"]) outer.style.setProperty("-webkit-line-clamp", props["l.line-clamp"])
        describe(node)
        if (show[node.kind]) show[node.kind](node)
        else if (node.kind === "text") showRuns(node)
    }

    /// What assistive technology and tests are told.
    const describe = node => {
        const { props, outer, control } = node
        const disabled = props["s.disabled"] === true
        if ("disabled" in control && control.localName !== "option") control.disabled = disabled
        else put(control, "aria-disabled", disabled ? "true" : null)
        put(outer, "data-testid", props["a.identifier"])
        put(outer, "title", props["a.help"])
        put(outer, "aria-hidden", props["a.hidden"])
        if (props["a.hidden"] && node.kind !== "image") outer.inert = true
        const name = props["a.label"] ?? (node.kind === "dialog" ? props["s.title"] : undefined)
        const isNamed = node.kind !== "option" && !(node.kind === "image" && !node.symbol)
        if (isNamed) put(control, "aria-label", name || null)
        put(control, "aria-description", props["a.hint"])
        put(control, "aria-valuetext", props["a.value"])
        put(control, "aria-busy", props["s.busy"] ? "true" : null)
        if (props["s.expanded"] !== undefined) put(control, "aria-expanded", String(props["s.expanded"]))
        if (props["a.combined"] && name && outer.localName === "div") outer.setAttribute("role", "group")
        const traits = (props["a.traits"] ?? "").split(" ")
        if (node.kind === "text" && name) outer.setAttribute("role", traits.includes("button") ? "button" : "img")
        if (traits.includes("selected")) put(control, "aria-current", "true")
        if (can(node, "tap") && ["text", "image", "vstack", "hstack", "zstack", "group", "shape", "box"].includes(node.kind)
            && control.localName !== "button") {
            outer.setAttribute("role", "button")
            outer.tabIndex = 0
        }
        if (control.localName === "input" || control.localName === "textarea") {
            put(control, "inputmode", props["a.inputMode"])
            put(control, "autocomplete", props["a.autocomplete"] ?? "off")
            put(control, "autocapitalize", props["a.capitalization"])
            put(control, "spellcheck", props["a.correction"] === "off" ? "false" : null)
            put(control, "enterkeyhint", props["a.enterKey"])
            put(control, "placeholder", props["s.placeholder"])
        }
        if (props["s.focused"] && document.activeElement !== control && !isFirst) wantedFocus = node
    }

    const showRuns = node => {
        const pieces = node.runs.map(run => {
            const style = new Set(run.s ?? [])
            let piece = document.createTextNode(run.t)
            const wrap = (tag, className) => {
                const outer = make(tag, className)
                outer.append(piece)
                piece = outer
            }
            if (style.has("strong")) wrap("strong")
            if (style.has("emphasis")) wrap("em")
            if (style.has("code")) wrap("code")
            if (style.has("underlined")) wrap("u")
            if (style.has("struck")) wrap("s")
            if (style.has("digits")) wrap("span", "digits")
            if (run.h && isAllowed(run.h)) {
                wrap("a")
                piece.href = run.h
                piece.target = "_blank"
                piece.rel = "noopener noreferrer"
            }
            const looks = Object.entries(run).filter(([name]) => name.startsWith("l."))
            if (looks.length) {
                wrap("span")
                for (const [name, value] of looks) piece.style.setProperty(name.slice(2), value)
            }
            return piece
        })
        node.outer.replaceChildren(...pieces)
    }

    const badge = node => {
        const text = node.props["s.badge"]
        if (!text) return node.badge?.remove(), (node.badge = null)
        node.badge ??= make("span", "count")
        node.badge.textContent = text
        node.outer.append(node.badge)
    }

    /// A button without content shows its name.
    const named = node => {
        if (node.children.length || node.kind === "field") return
        const glyph = { Decrement: "−", Increment: "+", More: "⋯" }[node.props["a.label"]]
        node.control.textContent = node.props["s.role"] === "back" ? "‹ " + node.props["a.label"] : glyph ?? node.props["a.label"] ?? ""
    }

    const pad = (number, length = 2) => String(number).padStart(length, "0")
    const dateText = (type, text) => {
        const date = new Date(text ?? NaN)
        if (isNaN(date)) return ""
        const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
        const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`
        return { date: day, time, "datetime-local": `${day}T${time}` }[type]
    }

    const show = {
        button: named,
        menu: node => {
            const hasLabel = node.children.some(child => holder(node, child) === node.control)
            if (!hasLabel) node.control.textContent = node.props["a.label"] === "More" ? "⋯" : node.props["a.label"] ?? ""
            else for (const text of [...node.control.childNodes]) if (text.nodeType === 3) text.remove()
        },
        image: node => {
            if (!node.symbol) return
            node.outer.replaceChildren(symbols.draw(node.symbol))
            node.outer.setAttribute("role", "img")
        },
        toggle: node => (node.control.checked = node.props["s.checked"] === true),
        slider: node => {
            put(node.control, "min", node.props["s.minimum"] ?? 0)
            put(node.control, "max", node.props["s.maximum"] ?? 1)
            put(node.control, "step", node.props["s.step"] ?? "any")
            if (!node.flight && !node.waits) node.control.value = node.props["s.value"] ?? 0
        },
        progress: node => {
            if (node.props["s.value"] === undefined) node.control.removeAttribute("value")
            else node.control.value = node.props["s.value"]
        },
        date: node => {
            const type = node.control.type
            put(node.control, "min", dateText(type, node.props["s.minimum"]) || null)
            put(node.control, "max", dateText(type, node.props["s.maximum"]) || null)
            node.control.value = dateText(type, node.props["s.value"])
        },
        option: node => {
            if (node.outer.localName === "option") {
                node.outer.disabled = node.props["s.disabled"] === true
                node.outer.selected = node.props["s.selected"] === true
                changedOptions.add(node)
            } else put(node.outer, node.parent?.kind === "picker" ? "aria-checked" : "aria-selected", String(node.props["s.selected"] === true))
        },
        tab: node => {
            put(node.outer, "aria-selected", String(node.props["s.selected"] === true))
            badge(node)
        },
        row: node => {
            badge(node)
            showRowControls(node)
            if (node.props["s.selected"] !== undefined) put(node.outer, "aria-current", node.props["s.selected"] ? "true" : null)
            if (can(node, "tap")) node.outer.tabIndex = 0
        },
        shape: node => {
            const { props, outer } = node
            if (props["s.path"]) outer.replaceChildren(symbols.path(props["s.path"], props["l.fill"], props["l.stroke"]))
            else if (props["l.fill"]) outer.style.setProperty("background", props["l.fill"])
            else if (props["l.stroke"]) {
                const [width, ...color] = props["l.stroke"].split(" ")
                outer.style.setProperty("border", `${width} solid ${color.join(" ")}`)
            }
        },
        zstack: node => {
            if (node.props["s.role"] !== "measured" || node.isMeasured) return
            node.isMeasured = true
            sizes.observe(node.outer)
        },
    }

    /// What a row can do for those who do not drag: delete, move up, move down.
    const showRowControls = node => {
        const wanted = [can(node, "delete") && "Delete", can(node, "move") && "Move up", can(node, "move") && "Move down"].filter(Boolean)
        if (node.controls?.join() === wanted.join()) return
        node.controls = wanted
        node.tools?.remove()
        node.tools = null
        node.outer.draggable = can(node, "move")
        if (!wanted.length) return
        node.tools = make("span", "tools")
        for (const name of wanted) {
            const button = make("button", name === "Delete" ? "delete" : "move", { type: "button", "aria-label": name, title: name })
            button.append(symbols.draw({ Delete: "trash", "Move up": "arrow.up", "Move down": "arrow.down" }[name]))
            button.addEventListener("click", event => {
                event.stopPropagation()
                if (name === "Delete") act(node, "delete")
                else move(node, name === "Move up" ? -1 : 1)
            })
            node.tools.append(button)
        }
        node.outer.append(node.tools)
    }

    // ---------------------------------------------------------------------------------------------- Batches

    let isFirst = true
    let wantedFocus = null
    const changedOptions = new Set()

    /// Whether all elements that a batch speaks of are known.
    const isKnown = operations => {
        const made = new Set()
        let isReset = false
        const has = id => made.has(id) || (!isReset && nodes.has(id))
        return operations.every(([name, id, child]) => {
            if (name === "reset") return (isReset = true)
            if (name === "new") return made.add(id)
            if (name === "put") return has(id) && has(child)
            if (["set", "txt", "del"].includes(name)) return has(id)
            return true
        })
    }

    const operations = {
        reset: () => {
            saved = unsent()
            sizes.disconnect()
            nodes = new Map()
            root = null
        },
        new: (id, kind, props) => {
            const node = { id, kind, props, runs: [], children: [], parent: null, edit: 0, flight: 0, waits: false }
            const old = nodes.get(id)
            nodes.set(id, node)
            if (old) return replace(old, node)
            if (root) return
            root = node
            build(node)
            place.replaceChildren(node.outer)
        },
        put: (parentId, id, index) => {
            const [parent, node] = [nodes.get(parentId), nodes.get(id)]
            if (node.parent) node.parent.children.splice(node.parent.children.indexOf(node), 1)
            parent.children.splice(index, 0, node)
            node.parent = parent
            if (!node.outer) build(node)
            const into = holder(parent, node)
            if (parent.children.length === 1 && parent.kind === "button") into.textContent = ""
            let next = null
            for (let at = index + 1; at < parent.children.length && !next; at++) {
                const sibling = parent.children[at].outer
                if (sibling?.parentNode === into) next = sibling
            }
            into.insertBefore(node.outer, next)
            if (node.kind === "dialog" && !node.outer.open) opened.add(node)
            if (node.kind === "menu" || parent.kind === "menu") later.add(parent.kind === "menu" ? parent : node)
            if (parent.kind === "row" || node.kind === "row") later.add(node.kind === "row" ? node : parent)
            noteOption(node)
        },
        del: id => {
            const node = nodes.get(id)
            if (node.outer?.contains(document.activeElement)) lostFocus = neighbour(node)
            if (node.kind === "dialog" && node.outer.open) node.outer.close()
            if (node.parent) node.parent.children.splice(node.parent.children.indexOf(node), 1)
            noteOption(node)
            node.outer?.remove()
            visit(node, gone => nodes.delete(gone.id))
        },
        set: (id, props) => {
            const node = nodes.get(id)
            for (const [name, value] of Object.entries(props)) {
                if (value === null) delete node.props[name]
                else node.props[name] = value
            }
            if (props["s.focused"] === null && document.activeElement === node.control) node.control.blur()
            if (isText(node)) later.add(node)
            refresh(node)
        },
        txt: (id, runs) => {
            const node = nodes.get(id)
            node.runs = runs
            if (node.outer) refresh(node)
            noteOption(node)
        },
        scroll: id => (scrollTarget = nodes.get(id)),
        open: address => {
            if (isAllowed(address)) window.open(address, "_blank", "noopener,noreferrer")
        },
    }

    /// Another kind of element in the same place, with what was in it.
    const replace = (old, node) => {
        Object.assign(node, { parent: old.parent, children: old.children })
        if (node.parent) node.parent.children[node.parent.children.indexOf(old)] = node
        else root = node
        build(node)
        old.outer.replaceWith(node.outer)
        for (const child of node.children) {
            child.parent = node
            holder(node, child).append(child.outer)
        }
    }

    let [lostFocus, scrollTarget] = [null, null]
    const [opened, later] = [new Set(), new Set()]

    /// An option shows the text of what is in it.
    const noteOption = node => {
        for (let at = node; at; at = at.parent) if (at.kind === "option" && at.outer?.localName === "option") changedOptions.add(at)
    }

    /// The element that gets the focus after a row is gone.
    const neighbour = node => {
        const row = node.kind === "row" ? node : holds(node, "row")
        const siblings = row?.parent?.children.filter(child => child.kind === "row") ?? []
        const at = siblings.indexOf(row)
        return siblings[at + 1] ?? siblings[at - 1] ?? null
    }

    const apply = message => {
        if (!isKnown(message.ops)) return tell({ t: "resync" })
        isApplying = true
        const active = document.activeElement
        const scroll = [window.scrollX, window.scrollY]
        const isReset = message.ops[0]?.[0] === "reset"
        for (const [name, ...rest] of message.ops) operations[name]?.(...rest)
        acknowledge(message)
        if (isReset) bringBack()
        for (const node of later) {
            if (isText(node)) showText(node)
            else if (node.outer) refresh(node)
        }
        for (const node of changedOptions) if (node.outer) node.outer.textContent = plain(node.box)
        for (const node of changedOptions) if (node.outer) node.outer.selected = node.props["s.selected"] === true
        for (const picker of new Set([...changedOptions].map(node => node.parent))) showNoChoice(picker)
        for (const node of opened) if (node.outer.isConnected && nodes.has(node.id)) node.outer.showModal()
        changedOptions.clear()
        opened.clear()
        later.clear()
        showPage()
        if (isReset) window.scrollTo(...scroll)
        keepFocus(active)
        observeEnds()
        scrollTarget?.outer?.scrollIntoView({ block: "center" })
        scrollTarget = null
        isApplying = false
        isFirst = false
        seen = message.b
        sayWhatIsSeen()
    }

    const plain = element => {
        const names = [...element.querySelectorAll("[role=img][aria-label]")].map(image => image.getAttribute("aria-label"))
        return element.textContent.trim() || names.join(" ")
    }

    const showNoChoice = picker => {
        if (picker?.control?.localName !== "select") return
        if (!picker.children.some(child => child.kind === "option" && child.props["s.selected"])) picker.control.selectedIndex = -1
    }

    const keepFocus = active => {
        if (wantedFocus?.control?.isConnected) wantedFocus.control.focus()
        else if (lostFocus?.outer?.isConnected) {
            const inner = lostFocus.outer.querySelector("a, button, input, select, textarea, [tabindex]") ?? lostFocus.outer
            inner.focus()
        } else if (active?.isConnected && active !== document.activeElement && active !== document.body
            && !document.querySelector("dialog[open]")) active.focus()
        wantedFocus = lostFocus = null
    }

    // ---------------------------------------------------------------------------------------------- Texts

    const showText = node => {
        const text = node.props["s.value"]
        if (text === undefined || node.isComposing || node.waits || node.flight || !node.control) return
        const { control } = node
        const old = control.value
        if (old === text) return
        const caret = document.activeElement === control ? control.selectionStart : null
        let same = 0
        while (same < old.length && same < text.length && old[same] === text[same]) same++
        control.value = text
        if (caret === null) return
        const after = caret <= same ? caret : Math.max(same, Math.min(text.length, caret + text.length - old.length))
        control.setSelectionRange(after, after)
    }

    const typed = node => {
        if (node.isComposing) return
        if (node.flight || !isOnline()) node.waits = true
        else sendEdit(node)
    }

    const sendEdit = node => {
        node.waits = false
        node.flight = ++node.edit
        node.flightEvent = send(node, "input", { v: node.kind === "slider" ? Number(node.control.value) : node.control.value, k: node.edit })
    }

    /// What was typed comes before what is done with it.
    const sendWaiting = () => {
        for (const node of nodes.values()) if (node.waits) sendEdit(node)
    }

    let saved = []
    const pathOf = node => (node.parent ? pathOf(node.parent) + "/" + node.parent.children.indexOf(node) : "")
    const unsent = () =>
        [...nodes.values()].filter(node => isText(node) && (node.waits || node.flight)).map(node => ({
            id: node.id, kind: node.kind, identifier: node.props["a.identifier"], path: pathOf(node),
            text: node.control.value, edit: node.edit,
        }))

    /// Puts texts that the host has not got back into their fields after a full tree.
    const bringBack = () => {
        for (const text of saved) {
            const all = [...nodes.values()].filter(node => node.kind === text.kind)
            const node = all.find(node => node.id === text.id)
                ?? all.find(node => text.identifier && node.props["a.identifier"] === text.identifier)
                ?? all.find(node => pathOf(node) === text.path)
            if (!node) continue
            node.control.value = text.text
            node.edit = text.edit
            node.waits = true
        }
        saved = []
    }

    // ---------------------------------------------------------------------------------------------- What the user does

    const listen = node => {
        const { outer, control, kind } = node
        if (isText(node)) {
            const isColor = control.type === "color"
            control.addEventListener("input", () => typed(node))
            control.addEventListener("compositionstart", () => (node.isComposing = true))
            control.addEventListener("compositionend", () => {
                node.isComposing = false
                typed(node)
            })
            if (isColor) return
            control.addEventListener("keydown", event => {
                if (event.key === "Enter" && kind !== "editor" && !event.isComposing && can(node, "commit")) act(node, "commit")
                if (event.key === "Escape" && can(node, "dismiss")) {
                    event.preventDefault()
                    act(node, "dismiss")
                }
            })
            showText(node)
        } else if (kind === "toggle") {
            control.addEventListener("change", () => act(node, "input", { v: control.checked }))
        } else if (kind === "slider") {
            control.addEventListener("input", () => typed(node))
        } else if (kind === "date") {
            control.addEventListener("change", () => {
                const date = dateOf(control, node.props["s.value"])
                if (date) act(node, "input", { v: { date: date.getTime() / 1000 } })
            })
        } else if (kind === "picker" && control.localName === "select") {
            control.addEventListener("change", () => {
                const option = nodes.get(Number(control.value))
                if (option) act(option, "choose")
                showNoChoice(node)
            })
        } else if (kind === "option" && outer.localName === "button") {
            // The field above keeps the focus, and with it the list of suggestions.
            outer.addEventListener("pointerdown", event => event.preventDefault())
            outer.addEventListener("click", () => act(node, "choose"))
        } else if (kind !== "menu" && kind !== "dialog") listenToTaps(node)
        if (control !== outer || isText(node) || kind === "button") {
            control.addEventListener("focus", () => focusChanged(node, true))
            control.addEventListener("blur", () => focusChanged(node, false))
        }
    }

    const focusChanged = (node, isFocused) => {
        if (isApplying || !can(node, "focus") || nodes.get(node.id) !== node) return
        act(node, "focus", { v: isFocused })
    }

    const isInner = (event, node) => event.target.closest("a, button, input, select, textarea, label, [role=button]") !== null
        && event.target.closest("a, button, input, select, textarea, label, [role=button]") !== node.control

    const listenToTaps = node => {
        const { control, kind } = node
        control.addEventListener("click", event => {
            if (kind === "link") event.preventDefault()
            if (isInner(event, node)) return
            const action = ["tap", "refresh"].find(action => can(node, action))
            if (!action || node.props["s.disabled"]) return
            event.stopPropagation()
            if (kind === "link") lastLink = node.id
            act(node, action)
        })
        if (["button", "link", "tab"].includes(kind) || control.localName === "button") return
        control.addEventListener("keydown", event => {
            if (event.target === control && can(node, "tap") && ["Enter", " "].includes(event.key)) {
                event.preventDefault()
                act(node, "tap")
            }
        })
        let timer
        control.addEventListener("pointerdown", () => {
            if (can(node, "longPress")) timer = setTimeout(() => act(node, "longPress"), 500)
        })
        for (const name of ["pointerup", "pointerleave"]) control.addEventListener(name, () => clearTimeout(timer))
        if (kind === "row") listenToRow(node)
    }

    let dragged = null
    const listenToRow = node => {
        node.outer.addEventListener("keydown", event => {
            if (event.target.matches("input, textarea, select")) return
            if (event.key === "Delete" && can(node, "delete")) act(node, "delete")
            else if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key) && can(node, "move")) {
                move(node, event.key === "ArrowUp" ? -1 : 1)
            } else return
            event.preventDefault()
            event.stopPropagation()
        })
        node.outer.addEventListener("dragstart", () => (dragged = node))
        node.outer.addEventListener("dragover", event => {
            if (dragged && dragged.parent === node.parent) event.preventDefault()
        })
        node.outer.addEventListener("drop", event => {
            event.preventDefault()
            if (!dragged || dragged === node) return
            const box = node.outer.getBoundingClientRect()
            const rows = node.parent.children.filter(child => child.kind === "row")
            const isBelow = event.clientY > box.top + box.height / 2
            const before = isBelow ? rows[rows.indexOf(node) + 1] : node
            send(dragged, "move", before ? { to: before.id } : {})
            dragged = null
        })
    }

    const move = (node, step) => {
        const rows = node.parent.children.filter(child => child.kind === "row")
        const at = rows.indexOf(node)
        if (at + step < 0 || at + step >= rows.length) return
        const before = rows[step < 0 ? at - 1 : at + 2]
        act(node, "move", before ? { to: before.id } : {})
    }

    const dateOf = (control, old) => {
        const now = new Date(old)
        const time = /^(\d+):(\d+)/.exec(control.value)
        const day = /^(\d+)-(\d+)-(\d+)/.exec(control.value)
        if (control.type === "datetime-local") return control.value ? new Date(control.value) : null
        if (control.type === "date" && day) now.setFullYear(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
        else if (control.type === "time" && time) now.setHours(Number(time[1]), Number(time[2]), 0, 0)
        else return null
        return now
    }

    /// Buttons that have a shortcut. Bits of keys that are held: Command (here Control), Shift, Alt, Control.
    document.addEventListener("keydown", event => {
        const held = (event.ctrlKey || event.metaKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0)
        const key = { Enter: "\r", Escape: "\x1b" }[event.key] ?? event.key.toLowerCase()
        if (event.defaultPrevented || (event.key === "Enter" && event.target.matches("button, a, textarea"))) return
        for (const node of nodes.values()) {
            if (node.props["a.shortcut"]?.toLowerCase() !== held + key || !node.outer?.isConnected) continue
            event.preventDefault()
            return act(node, "tap")
        }
    })

    // ---------------------------------------------------------------------------------------------- Pages

    let depth = 0
    let [lastLink, links] = [null, []]
    let [isGoing, wantedDepth] = [false, null]

    const topPage = () => {
        const find = node => {
            if (node.kind === "dialog") return null
            if (node.kind === "page") return node
            for (const child of node.children) {
                const found = find(child)
                if (found) return found
            }
            return null
        }
        return root && find(root)
    }

    const showPage = () => {
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
            if (wantedDepth < depth && can(page, "back")) send(page, "back")
            else wantedDepth = null
        }
    }

    window.addEventListener("popstate", event => {
        if (isGoing) return (isGoing = false)
        const [page, wanted] = [topPage(), event.state?.depth ?? 0]
        if (!page || wanted === depth) return
        if (wanted < depth) {
            wantedDepth = wanted
            act(page, "back")
        } else {
            const link = nodes.get(links[depth])
            wantedDepth = depth + 1
            if (link) act(link, "tap")
        }
    })

    // ---------------------------------------------------------------------------------------------- Sizes and ends

    const facts = () => ({
        w: window.innerWidth, h: window.innerHeight, dark: matchMedia("(prefers-color-scheme: dark)").matches,
        lang: navigator.language, tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
        touch: matchMedia("(pointer: coarse)").matches,
    })
    let sizeTimer = null
    const measured = {}
    const tellSize = () => {
        clearTimeout(sizeTimer)
        sizeTimer = setTimeout(() => {
            tell({ t: "size", ...facts(), r: { ...measured } })
            for (const id in measured) delete measured[id]
        }, 50)
    }
    const sizes = new ResizeObserver(entries => {
        for (const { target, contentRect } of entries) measured[target.dataset.id] = [contentRect.width, contentRect.height]
        tellSize()
    })
    window.addEventListener("resize", tellSize)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tellSize)

    /// The last elements of lists that have more: when one comes near, the host makes more.
    const ends = new IntersectionObserver(entries => {
        for (const { isIntersecting, target } of entries) {
            const node = isIntersecting && nodes.get(endings.get(target))
            if (node && can(node, "more")) send(node, "more")
        }
    }, { rootMargin: "800px" })
    let endings = new Map()
    const observeEnds = () => {
        const found = new Map()
        for (const node of nodes.values()) {
            if (!can(node, "more")) continue
            const last = node.box?.lastElementChild
            if (last) found.set(last, node.id)
        }
        for (const element of endings.keys()) if (!found.has(element)) ends.unobserve(element)
        const new_ = [...found.keys()].filter(element => !endings.has(element))
        endings = found
        for (const element of new_) ends.observe(element)
    }

    // ---------------------------------------------------------------------------------------------- Connection

    let socket = null
    let session = null
    let seen = 0
    let events = 0
    let [wait, timer, isOver, isWelcome] = [250, null, false, false]
    /// Events that the host has not answered: what they changed here is shown anew when it does.
    let pending = []

    const isOnline = () => isWelcome && socket?.readyState === WebSocket.OPEN
    const tell = message => {
        if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    }

    const send = (node, action, more = {}) => {
        if (!isOnline()) return 0
        const n = ++events
        pending.push({ n, node })
        tell({ t: "e", n, id: node.id, a: action, ...more })
        return n
    }

    /// Sends what the user did, after what was typed. While there is no connection nothing but texts can be changed.
    const act = (node, action, more) => {
        if (isOnline()) {
            sendWaiting()
            send(node, action, more)
        } else later.add(node), refresh(node)
    }

    const acknowledge = ({ ack, edits }) => {
        const done = pending.filter(event => event.n <= ack)
        pending = pending.filter(event => event.n > ack)
        for (const { node } of done) {
            if (nodes.get(node.id) !== node) continue
            if (node.flight && (edits[node.id] >= node.flight || node.flightEvent <= ack)) node.flight = 0
            if (node.waits && !node.flight) sendEdit(node)
            later.add(node)
        }
    }

    let seenTimer = null
    const sayWhatIsSeen = () => {
        seenTimer ??= setTimeout(() => {
            seenTimer = null
            tell({ t: "seen", b: seen })
        }, 100)
    }

    const say = (text, canReload) => {
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

    const goodbyes = {
        replaced: "This window is open in another tab.",
        expired: "The program was started again, or this window was closed there.",
        protocol: "The program and this page do not understand each other.",
    }

    const receive = message => {
        if (message.t === "welcome") {
            session = message.session
            isWelcome = true
            wait = 250
            document.documentElement.classList.remove("offline")
            say(null)
            pending = []
            if (message.resume) resendEdits()
            else seen = 0
        } else if (message.t === "b") {
            const isReset = message.ops[0]?.[0] === "reset"
            if (isReset || message.b > seen) apply(message)
            if (isReset) resendEdits()
        } else if (message.t === "bye") {
            if (message.why === "stopping") return say("The program has ended.")
            isOver = true
            say(goodbyes[message.why] ?? goodbyes.protocol, true)
        }
    }

    const resendEdits = () => {
        for (const node of nodes.values()) if (node.waits || node.flight) sendEdit(node)
    }

    const connect = () => {
        clearTimeout(timer)
        if (isOver || (socket && socket.readyState <= WebSocket.OPEN)) return
        socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/socket")
        const mine = socket
        let wasOpen = false
        socket.addEventListener("open", () => {
            wasOpen = true
            const back = session === null ? {} : { session }
            tell({ t: "hello", v: 1, key: pageKey, ...back, seen, ...facts() })
        })
        socket.addEventListener("message", event => mine === socket && receive(JSON.parse(event.data)))
        socket.addEventListener("close", () => {
            if (mine !== socket) return
            isWelcome = false
            document.documentElement.classList.add("offline")
            if (isOver) return
            if (notice.hidden) say("The connection is lost. Trying again …")
            if (!wasOpen) askWhy()
            timer = setTimeout(connect, wait)
            wait = Math.min(wait * 2, 4000)
        })
    }

    /// A program that was started again has another key: then no trying helps.
    const askWhy = async () => {
        try {
            const answer = await fetch("/ui.css")
            if (answer.status !== 403) return
            isOver = true
            say("The program was started again. Open the address that it has printed.", true)
        } catch {
            // There is no connection; the next try tells more.
        }
    }

    window.addEventListener("online", connect)
    document.addEventListener("visibilitychange", () => document.hidden || connect())
    // While there is no connection, controls other than fields do nothing.
    document.addEventListener("click", event => {
        if (document.documentElement.classList.contains("offline") && !event.target.closest("#notice, input[type=text], textarea")) {
            event.preventDefault()
            event.stopPropagation()
        }
    }, true)
    connect()
})()
