// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Never reused in a window.
package typealias ElementID = UInt32

package enum ActionKind: String, Sendable, CaseIterable {
    case tap, input, commit, focus, delete, move, more, dismiss, back, choose, longPress, refresh, drag
}

package enum ActionValue: Equatable, Sendable {
    case none
    case text(String)
    case bool(Bool)
    case number(Double)
    case date(Date)
    case element(ElementID)
    /// The row that follows the moved row, or `nil` for the end of the list.
    case before(ElementID?)
    case drag(Drag)

    /// A movement of a finger, in points relative to the element where the movement started.
    package struct Drag: Equatable, Sendable {
        package let start: CGPoint
        package let location: CGPoint
        package let distance: CGFloat
        package let isEnd: Bool

        package init(start: CGPoint, location: CGPoint, distance: CGFloat, isEnd: Bool) {
            (self.start, self.location, self.distance, self.isEnd) = (start, location, distance, isEnd)
        }
    }
}

/// The content and actions of a view as a user perceives them, independent of the host.
package struct Element: Equatable {
    package enum Kind: String, Sendable {
        case text, image, button, link, field, secureField, editor, toggle, picker, option, date, slider, stepper
        case progress, list, section, row, form, vstack, hstack, zstack, grid, scroll, page, bar, tabs, tab, dialog
        case menu, divider, spacer, shape, group, box, search
    }

    package enum StateName: String, Sendable, CaseIterable {
        case value, checked, selected, disabled, focused, busy, expanded, minimum, maximum, step, placeholder, title
        case source, address, more, role, level, badge, path, inline, alert, hour, day
    }

    /// The style properties that differ from the defaults of the kind. Most raw values are CSS properties.
    package enum LookName: String, Sendable, CaseIterable {
        case classes = "class"
        case padding, margin, width, height, background, border, opacity, shadow, transform, filter, color, font
        case minWidth = "min-width"
        case maxWidth = "max-width"
        case minHeight = "min-height"
        case maxHeight = "max-height"
        case weight = "font-weight"
        case slant = "font-style"
        case decoration = "text-decoration"
        case spacing = "letter-spacing"
        case lines = "line-clamp"
        case lineSpacing = "line-height"
        case textAlignment = "text-align"
        case alignment = "align-items"
        case justification = "justify-content"
        case gap, radius = "border-radius"
        case ratio = "aspect-ratio"
        case fit = "object-fit"
        case clip = "overflow"
        case accent = "accent-color"
        case order = "z-index"
        case blend = "mix-blend-mode"
        case columns = "grid-template-columns"
        case rows = "grid-template-rows"
        case textCase = "text-transform"
        case scheme = "color-scheme"
        case shrinking = "flex-shrink"
        case wrapping = "white-space"
        case selection = "user-select"
        case scrollbar = "scrollbar-width"
        case fill, stroke
    }

    /// For assistive technology and tests.
    package enum AccessName: String, Sendable, CaseIterable {
        case identifier, label, value, hint, hidden, traits, combined, inputMode, autocomplete, capitalization
        case correction, enterKey, shortcut, help
    }

    package let id: ElementID
    package var kind: Kind
    package var runs: [TextRun] = []
    package var state: [StateName: PropertyValue] = [:]
    package var look: [LookName: String] = [:]
    package var access: [AccessName: String] = [:]
    package var actions: Set<ActionKind> = []
    package var children: [Element] = []
    /// For the enclosing containers. Hosts don't show them.
    var traits = Traits()

    package init(id: ElementID, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    package static func == (a: Element, b: Element) -> Bool {
        a.id == b.id && a.hasSameProperties(as: b) && a.children == b.children
    }

    package func hasSameProperties(as other: Element) -> Bool {
        kind == other.kind && runs == other.runs && state == other.state && look == other.look
            && access == other.access && actions == other.actions
    }
}

package enum PropertyValue: Equatable, Sendable {
    case bool(Bool)
    case number(Double)
    case text(String)

    package var text: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
        case .text(let value): value
        }
    }
}

package struct TextRun: Equatable, Sendable {
    package var text: String
    package var style: Set<String> = []
    package var address: String?
    package var look: [Element.LookName: String] = [:]

    package init(text: String) { self.text = text }
}

struct Traits {
    var tag: AnyHashable?
    var scrollID: AnyHashable?
    /// Keyed by the `ForEach` node.
    var members: [ObjectIdentifier: Member] = [:]
    var isDeleteDisabled = false
    var isMoveDisabled = false
    var delete: (@MainActor () -> Void)?
    /// Moves the row before another one, or to the end for `nil`.
    var move: (@MainActor (Element?) -> Void)?
    var rowActions: [Element] = []
    var rowLook: [Element.LookName: String] = [:]
    var rowBackground: [Element] = []
    var tabItem: [Element]?
    var badge: String?
    var completion: String?

    struct Member {
        let id: AnyHashable
        let occurrence: Int
    }
}

extension Element {
    /// Searches this element and its descendants.
    package func first(where condition: (Element) -> Bool) -> Element? {
        if condition(self) { return self }
        for child in children {
            if let found = child.first(where: condition) { return found }
        }
        return nil
    }

    mutating func change(first condition: (Element) -> Bool, _ body: (inout Element) -> Void) {
        if condition(self) { return body(&self) }
        for index in children.indices where children[index].first(where: condition) != nil {
            return children[index].change(first: condition, body)
        }
    }

    var isFocusable: Bool { actions.contains(.input) || actions.contains(.tap) || actions.contains(.choose) }

    /// Keeps the values that an inner modifier has set.
    mutating func add(_ look: [LookName: String]) { self.look.merge(look) { inner, _ in inner } }
}
