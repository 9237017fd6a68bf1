// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI

/// A query for elements by role and accessible name. A name of `nil` matches any name.
public struct UIQuery: CustomStringConvertible {
    /// A description of the query.
    public private(set) var description: String
    private var matches: (Element) -> Bool
    private(set) var index: Int?
    private var outer: [() -> UIQuery] = []

    private init(_ description: String, _ matches: @escaping (Element) -> Bool) {
        (self.description, self.matches) = (description, matches)
    }

    private static func named(_ role: UIRole, _ name: String?) -> UIQuery {
        UIQuery("\(role.rawValue)\(name.map { " “\($0)”" } ?? "")") { element in
            element.role == role && (name == nil || UIElement(element: element).name == name)
        }
    }

    /// Returns a query for a button by its accessible name.
    public static func button(_ name: String? = nil) -> UIQuery { named(.button, name) }
    /// Returns a query for a field by its label.
    public static func field(_ name: String? = nil) -> UIQuery { named(.field, name) }
    /// Returns a query for a toggle by its label.
    public static func toggle(_ name: String? = nil) -> UIQuery { named(.toggle, name) }
    /// Returns a query for a text by its whole content.
    public static func text(_ text: String) -> UIQuery { named(.text, text) }
    /// Returns a query for a link by its accessible name.
    public static func link(_ name: String? = nil) -> UIQuery { named(.link, name) }
    /// Returns a query for a picker by its label.
    public static func picker(_ name: String? = nil) -> UIQuery { named(.picker, name) }
    /// Returns a query for a date picker by its label.
    public static func date(_ name: String? = nil) -> UIQuery { named(.date, name) }
    /// Returns a query for a slider by its label.
    public static func slider(_ name: String? = nil) -> UIQuery { named(.slider, name) }
    /// Returns a query for a stepper by its label.
    public static func stepper(_ name: String? = nil) -> UIQuery { named(.stepper, name) }
    /// Returns a query for a progress view by its label.
    public static func progress(_ name: String? = nil) -> UIQuery { named(.progress, name) }
    /// Returns a query for an option by its accessible name.
    public static func option(_ name: String? = nil) -> UIQuery { named(.option, name) }
    /// Returns a query for a tab by its accessible name.
    public static func tab(_ name: String? = nil) -> UIQuery { named(.tab, name) }
    /// Returns a query for a menu by its accessible name.
    public static func menu(_ name: String? = nil) -> UIQuery { named(.menu, name) }
    /// Returns a query for a section by its title.
    public static func section(_ name: String? = nil) -> UIQuery { named(.section, name) }
    /// Returns a query for a list.
    public static func list() -> UIQuery { named(.list, nil) }
    /// Returns a query for an alert by its title.
    public static func alert(_ name: String? = nil) -> UIQuery { named(.alert, name) }
    /// Returns a query for a sheet.
    public static func sheet() -> UIQuery { named(.dialog, nil) }
    /// Returns a query for a row that contains a text. An empty text matches any row.
    public static func row(containing text: String = "") -> UIQuery { named(.row, nil).containing(text) }
    /// Returns a query for an image by the name of its symbol or resource, or by its description.
    public static func image(_ name: String) -> UIQuery {
        UIQuery("image “\(name)”") { element in
            let source = element.state[.source]?.text.split(separator: ":").last.map(String.init)
            return element.kind == .image && (source == name || element.name == name)
        }
    }
    /// Returns a query for the element with an accessibility identifier.
    public static func id(_ identifier: String) -> UIQuery {
        UIQuery("#\(identifier)") { $0.access[.identifier] == identifier }
    }
    /// Returns a query for the elements of a role.
    public static func role(_ role: UIRole) -> UIQuery { named(role, nil) }

    /// Returns the query restricted to elements that have, in themselves or a descendant, a name that contains a text
    /// or a value that equals it.
    public func containing(_ text: String) -> UIQuery {
        guard !text.isEmpty else { return self }
        var copy = self
        let matches = matches
        copy.description += " containing “\(text)”"
        copy.matches = { element in
            matches(element)
                && element.first { !$0.isHidden && ($0.name.contains(text) || $0.state[.value]?.text == text) } != nil
        }
        return copy
    }

    /// Returns the query restricted to descendants of the elements that match another query.
    public func inside(_ query: UIQuery) -> UIQuery {
        var copy = self
        copy.description += " inside \(query)"
        copy.outer.append { query }
        return copy
    }

    /// Returns the query restricted to the match at an index, starting at 0.
    public func at(_ index: Int) -> UIQuery {
        var copy = self
        copy.description += " at \(index)"
        copy.index = index
        return copy
    }

    /// Searches the element and its descendants, in reading order.
    func find(in root: Element) -> [Element] {
        var roots = [root]
        for query in outer { roots = roots.flatMap { query().find(in: $0) } }
        var seen: Set<ElementID> = []
        let found = roots.flatMap { all(in: $0) }.filter { seen.insert($0.id).inserted }
        guard let index else { return found }
        return found.indices.contains(index) ? [found[index]] : []
    }

    private func all(in element: Element) -> [Element] {
        if element.isHidden { return [] }
        return (matches(element) ? [element] : []) + element.children.flatMap { all(in: $0) }
    }
}
