// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI

/// Which elements a test means: by role and accessible name, as a user would say it.
public struct UIQuery: CustomStringConvertible {
    /// The query in words.
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

    /// A button by its name.
    public static func button(_ name: String? = nil) -> UIQuery { named(.button, name) }
    /// A field by its label.
    public static func field(_ name: String? = nil) -> UIQuery { named(.field, name) }
    /// A switch by its label.
    public static func toggle(_ name: String? = nil) -> UIQuery { named(.toggle, name) }
    /// A text.
    public static func text(_ text: String) -> UIQuery { named(.text, text) }
    /// A link by its name.
    public static func link(_ name: String? = nil) -> UIQuery { named(.link, name) }
    /// A picker by its label.
    public static func picker(_ name: String? = nil) -> UIQuery { named(.picker, name) }
    /// A choice of a date by its label.
    public static func date(_ name: String? = nil) -> UIQuery { named(.date, name) }
    /// A slider by its label.
    public static func slider(_ name: String? = nil) -> UIQuery { named(.slider, name) }
    /// A stepper by its label.
    public static func stepper(_ name: String? = nil) -> UIQuery { named(.stepper, name) }
    /// A progress by its label.
    public static func progress(_ name: String? = nil) -> UIQuery { named(.progress, name) }
    /// An option by its name.
    public static func option(_ name: String? = nil) -> UIQuery { named(.option, name) }
    /// A tab by its name.
    public static func tab(_ name: String? = nil) -> UIQuery { named(.tab, name) }
    /// A menu by its name.
    public static func menu(_ name: String? = nil) -> UIQuery { named(.menu, name) }
    /// A section by its title.
    public static func section(_ name: String? = nil) -> UIQuery { named(.section, name) }
    /// A list.
    public static func list() -> UIQuery { named(.list, nil) }
    /// An alert by its title.
    public static func alert(_ name: String? = nil) -> UIQuery { named(.alert, name) }
    /// A sheet.
    public static func sheet() -> UIQuery { named(.dialog, nil) }
    /// A row in which a text stands.
    public static func row(containing text: String = "") -> UIQuery { named(.row, nil).containing(text) }
    /// A picture by its symbol, its resource or its description.
    public static func image(_ name: String) -> UIQuery {
        UIQuery("image “\(name)”") { element in
            let source = element.state[.source]?.text.split(separator: ":").last.map(String.init)
            return element.kind == .image && (source == name || element.name == name)
        }
    }
    /// An element by its name for tests.
    public static func id(_ identifier: String) -> UIQuery {
        UIQuery("#\(identifier)") { $0.access[.identifier] == identifier }
    }
    /// All elements of a role.
    public static func role(_ role: UIRole) -> UIQuery { named(role, nil) }

    /// Only elements in whose name or text another stands.
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

    /// Only elements inside of another.
    public func inside(_ query: UIQuery) -> UIQuery {
        var copy = self
        copy.description += " inside \(query)"
        copy.outer.append { query }
        return copy
    }

    /// Only the element at an index of those found.
    public func at(_ index: Int) -> UIQuery {
        var copy = self
        copy.description += " at \(index)"
        copy.index = index
        return copy
    }

    /// What is found in an element, in the order of reading.
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
