// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// What is known, while changes are made again, of a property or of what is inside it (§7.4): where the elements of
/// lists are that these changes have inserted.
///
/// Other elements of a list are not known: the one that was at this index when a change was made may be another one on
/// the server, or gone. A change that needs one gives up on the list, which is copied as a whole at the end.
final class RecoveredPlace {
    /// An element that was inserted, at its index in the file and in the fresh state.
    struct Element {
        var index: Int
        var freshIndex: Int
        let inside: RecoveredPlace
    }

    /// Of a dictionary or an embedded object.
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

    /// The list is to be copied as a whole; what it holds is of no more interest.
    func copy() {
        reset()
        isCopied = true
    }

    /// What was here is gone.
    func reset() {
        members = [:]
        elements = []
        isCopied = false
    }

    func reset(_ key: Text) { members[key] = nil }

    // MARK: Lists

    func insert(at index: Int, freshIndex: Int) {
        passInsertion(at: index)
        for place in elements.indices where elements[place].freshIndex >= freshIndex {
            elements[place].freshIndex += 1
        }
        elements.append(Element(index: index, freshIndex: freshIndex, inside: RecoveredPlace()))
    }

    /// An element was inserted in the file, and cannot be in the fresh state.
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

    /// Where the element at an index is after that at `source` has moved to `target`.
    private static func moved(_ index: Int, _ source: Int, _ target: Int) -> Int {
        if index == source { return target }
        let rest = index > source ? index - 1 : index
        return rest >= target ? rest + 1 : rest
    }
}
