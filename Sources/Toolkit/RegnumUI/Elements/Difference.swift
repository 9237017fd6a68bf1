// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A change of a tree of elements. A page receives only such changes.
package enum Operation: Equatable, Sendable {
    /// Removes all elements, before a complete tree.
    case reset
    case new(ElementID, Element.Kind, [String: PropertyValue])
    /// Inserts or moves an element into a parent, at an index of the parent's current children.
    case put(parent: ElementID, ElementID, at: Int)
    case delete(ElementID)
    /// `nil` removes a property.
    case set(ElementID, [String: PropertyValue?])
    case text(ElementID, [TextRun])
    case scroll(ElementID)
    /// Opens a URL in another window.
    case open(String)
}

extension Element {
    /// The properties by their names in messages.
    package var properties: [String: PropertyValue] {
        var all: [String: PropertyValue] = [:]
        for (name, value) in state { all["s." + name.rawValue] = value }
        for (name, value) in look { all["l." + name.rawValue] = .text(value) }
        for (name, value) in access { all["a." + name.rawValue] = .text(value) }
        if !actions.isEmpty { all["do"] = .text(actions.map(\.rawValue).sorted().joined(separator: " ")) }
        return all
    }

    package mutating func set(_ name: String, _ value: PropertyValue?) {
        let key = String(name.dropFirst(2))
        if name == "do" {
            actions = Set((value?.text ?? "").split(separator: " ").compactMap { ActionKind(rawValue: String($0)) })
        } else if name.hasPrefix("s."), let name = StateName(rawValue: key) {
            state[name] = value
        } else if name.hasPrefix("l."), let name = LookName(rawValue: key) {
            look[name] = value?.text
        } else if name.hasPrefix("a."), let name = AccessName(rawValue: key) {
            access[name] = value?.text
        }
    }
}

package struct Difference {
    private var old: [ElementID: Element] = [:]
    private var new: [ElementID: Element] = [:]
    private var parents: [ElementID: ElementID] = [:]
    private var children: [ElementID: [ElementID]] = [:]
    private var operations: [Operation] = []

    package static func operations(from old: Element?, to new: Element) -> [Operation] {
        var difference = Difference()
        if let old, old.id == new.id { difference.note(old) } else { difference.operations.append(.reset) }
        difference.collect(new)
        difference.makeNew(new)
        difference.removeOld(root: new.id)
        difference.arrange(new)
        return difference.operations
    }

    private mutating func note(_ element: Element) {
        old[element.id] = element
        children[element.id] = element.children.map(\.id)
        for child in element.children {
            parents[child.id] = element.id
            note(child)
        }
    }

    private mutating func collect(_ element: Element) {
        new[element.id] = element
        for child in element.children { collect(child) }
    }

    private mutating func makeNew(_ element: Element) {
        if let before = old[element.id], before.kind == element.kind {
            if !before.hasSameProperties(as: element) {
                var changed: [String: PropertyValue?] = [:]
                let (was, now) = (before.properties, element.properties)
                for (name, value) in now where was[name] != value { changed[name] = value }
                for name in was.keys where now[name] == nil { changed.updateValue(nil, forKey: name) }
                if !changed.isEmpty { operations.append(.set(element.id, changed)) }
                if before.runs != element.runs { operations.append(.text(element.id, element.runs)) }
            }
        } else {
            operations.append(.new(element.id, element.kind, element.properties))
            if !element.runs.isEmpty { operations.append(.text(element.id, element.runs)) }
        }
        for child in element.children { makeNew(child) }
    }

    /// Deletes the removed elements, after moving the remaining elements out of them.
    private mutating func removeOld(root: ElementID) {
        let gone = old.keys.filter { new[$0] == nil }.sorted()
        for id in gone {
            for child in children[id] ?? [] where new[child] != nil {
                put(child, into: root, at: children[root]?.count ?? 0)
            }
        }
        for id in gone {
            if let parent = parents[id], new[parent] != nil { operations.append(.delete(id)) }
            detach(id)
        }
    }

    private mutating func detach(_ id: ElementID) {
        if let parent = parents.removeValue(forKey: id) { children[parent]?.removeAll { $0 == id } }
    }

    private mutating func put(_ id: ElementID, into parent: ElementID, at index: Int) {
        detach(id)
        children[parent, default: []].insert(id, at: index)
        parents[id] = parent
        operations.append(.put(parent: parent, id, at: index))
    }

    /// Moves the children that aren't in the longest increasing subsequence.
    private mutating func arrange(_ element: Element) {
        let wanted = element.children.map(\.id)
        if children[element.id] ?? [] != wanted {
            let places = Dictionary(uniqueKeysWithValues: (children[element.id] ?? []).enumerated().map { ($1, $0) })
            let staying = Set(Self.longestIncreasing(wanted.compactMap { id in places[id].map { (id, $0) } }))
            var previous: ElementID?
            for id in wanted {
                if !staying.contains(id) {
                    detach(id)
                    let after = previous.flatMap { children[element.id]?.firstIndex(of: $0) }
                    put(id, into: element.id, at: after.map { $0 + 1 } ?? 0)
                }
                previous = id
            }
        }
        for child in element.children { arrange(child) }
    }

    static func longestIncreasing(_ items: [(ElementID, Int)]) -> [ElementID] {
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: items.count)
        for (index, item) in items.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if items[ends[middle]].1 < item.1 { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var (result, next) = ([ElementID](), ends.last ?? -1)
        while next >= 0 {
            result.append(items[next].0)
            next = before[next]
        }
        return result.reversed()
    }
}

/// A tree of elements updated only by operations, as is the tree of a page.
package struct ElementMirror {
    private var elements: [ElementID: Element] = [:]
    private var children: [ElementID: [ElementID]] = [:]
    private var parents: [ElementID: ElementID] = [:]
    private var root: ElementID?

    package init() {}

    /// `nil` before the first batch.
    package var element: Element? { root.flatMap(assembled) }

    private func assembled(_ id: ElementID) -> Element? {
        guard var element = elements[id] else { return nil }
        element.children = (children[id] ?? []).compactMap(assembled)
        return element
    }

    /// Returns false if the batch refers to an unknown element, so that a complete tree is needed.
    @discardableResult
    package mutating func apply(_ operations: [Operation]) -> Bool {
        for operation in operations {
            guard apply(operation) else { return false }
        }
        return true
    }

    private mutating func apply(_ operation: Operation) -> Bool {
        switch operation {
        case .reset: self = ElementMirror()
        case .new(let id, let kind, let properties):
            var element = Element(id: id, kind: kind)
            for (name, value) in properties { element.set(name, value) }
            elements[id] = element
            if root == nil { root = id }
        case .put(let parent, let id, let index):
            guard elements[parent] != nil, elements[id] != nil, parent != id else { return false }
            detach(id)
            guard index <= children[parent]?.count ?? 0, index >= 0 else { return false }
            children[parent, default: []].insert(id, at: index)
            parents[id] = parent
        case .delete(let id):
            guard elements[id] != nil else { return false }
            detach(id)
            remove(id)
        case .set(let id, let properties):
            guard elements[id] != nil else { return false }
            for (name, value) in properties { elements[id]?.set(name, value) }
        case .text(let id, let runs):
            guard elements[id] != nil else { return false }
            elements[id]?.runs = runs
        case .scroll, .open: break
        }
        return true
    }

    private mutating func detach(_ id: ElementID) {
        if let parent = parents.removeValue(forKey: id) { children[parent]?.removeAll { $0 == id } }
    }

    private mutating func remove(_ id: ElementID) {
        for child in children.removeValue(forKey: id) ?? [] {
            parents[child] = nil
            remove(child)
        }
        elements[id] = nil
    }
}
