// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The recovery state of a property or of a value inside it (§7.4): the positions of the list elements inserted by
/// recovered changes.
///
/// Other elements aren't tracked, because the server's list may have another element at an index, or none. If a change
/// concerns one, the list is copied as a whole at the end.
final class RecoveredPlace {
    struct Element {
        var index: Int
        var freshIndex: Int
        let inside: RecoveredPlace
    }

    private(set) var members: [Text: RecoveredPlace] = [:]
    private(set) var elements: [Element] = []
    private(set) var isCopied = false

    func member(_ key: Text) -> RecoveredPlace {
        if let member = members[key] { return member }
        let member = RecoveredPlace()
        members[key] = member
        return member
    }

    func element(at index: Int) -> Element? { elements.first { $0.index == index } }

    /// Marks the list as copied as a whole. The state of its elements isn't needed any more.
    func copy() {
        reset()
        isCopied = true
    }

    func reset() {
        members = [:]
        elements = []
        isCopied = false
    }

    func insert(at index: Int, freshIndex: Int) {
        passInsertion(at: index)
        for place in elements.indices where elements[place].freshIndex >= freshIndex {
            elements[place].freshIndex += 1
        }
        elements.append(Element(index: index, freshIndex: freshIndex, inside: RecoveredPlace()))
    }

    /// Records an insertion that exists in the file but can't be made in the fresh state.
    func passInsertion(at index: Int) {
        for place in elements.indices where elements[place].index >= index { elements[place].index += 1 }
    }

    func erase(_ element: Element) {
        elements.removeAll { $0.index == element.index }
        for place in elements.indices {
            if elements[place].index > element.index { elements[place].index -= 1 }
            if elements[place].freshIndex > element.freshIndex { elements[place].freshIndex -= 1 }
        }
    }

    func move(_ element: Element, to target: Element) {
        for place in elements.indices {
            elements[place].index = RecoveredPlace.moved(elements[place].index, element.index, target.index)
            elements[place].freshIndex = RecoveredPlace.moved(
                elements[place].freshIndex, element.freshIndex, target.freshIndex)
        }
    }

    private static func moved(_ index: Int, _ source: Int, _ target: Int) -> Int {
        if index == source { return target }
        let rest = index > source ? index - 1 : index
        return rest >= target ? rest + 1 : rest
    }
}
