// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Changes. The caller has verified the positions, that a write is in progress, and that the owner exists.
extension ManagedList {
    func insert(_ element: _StoredContent, at index: Int) {
        verifyClass(of: element)
        let position = treePosition(index)
        guard case .value(let value) = element.kind else {
            return realm.put(element, at: .newListElement(path, position), update: .error)
        }
        insert(value, at: position)
    }

    /// Inserts elements consecutively, at the end if `index` is nil.
    func insert<Elements: Sequence>(_ elements: Elements, at index: Int? = nil)
    where Elements.Element: RealmCollectionValue {
        // All elements are read before the first one is inserted: they may be elements of this list, or change along
        // with it.
        if let keys = keys(of: elements) {
            var position = treePosition(index ?? count)
            ManagedList.forEachRun(of: keys.count) { insert(keys[$0].map { .link($0) }, at: &position) }
        } else {
            let elements = Array(elements)
            var position = treePosition(index ?? count)
            unsafe elements.withUnsafeBufferPointer { elements in
                guard let start = elements.baseAddress else { return }
                ManagedList.forEachRun(of: elements.count) { run in
                    let contents = unsafe Elements.Element._rlmContents(at: start + run.lowerBound, count: run.count)
                    insert(contents, at: &position)
                }
            }
        }
    }

    /// Returns the keys of the objects of a live collection, which can be inserted without accessors; nil for anything
    /// else.
    private func keys<Elements: Sequence>(of elements: Elements) -> [ObjectKey]? {
        guard column.type == .link, let referencedClass, !referencedClass.info.isEmbedded,
            let core = (elements as? any RealmCollection)?._origin?.core, core.realm === realm,
            core.elementClass?.tableKey == referencedClass.tableKey
        else { return nil }
        return core.keys()
    }

    /// Calls `body` for runs of elements, each about as large as a few leaves.
    private static func forEachRun(of count: Int, _ body: (Range<Int>) -> Void) {
        let length = 4 * FileFormat.treeNodeCapacity
        for start in stride(from: 0, to: count, by: length) { body(start..<min(start + length, count)) }
    }

    /// Inserts consecutive values together, and one by one the elements that have to be added to the Realm.
    private func insert(_ contents: [_StoredContent], at position: inout Int) {
        var values: [StoredValue] = []
        values.reserveCapacity(contents.count)
        for content in contents {
            if let value = value(of: content) {
                values.append(value)
                continue
            }
            insert(values, at: &position)
            values.removeAll(keepingCapacity: true)
            realm.put(content, at: .newListElement(path, position), update: .error)
            position += 1
        }
        insert(values, at: &position)
    }

    /// Returns an element that is a single value, including a link to an object of this Realm.
    private func value(of content: _StoredContent) -> StoredValue? {
        switch content.kind {
        case .value(let value): return value
        case .object(let object):
            verifyClass(of: content)
            guard column.type == .link, object.isManaged, !object.livesInParent else { return nil }
            return .link(realm.add(object, update: .error))
        default: return nil
        }
    }

    func replace(_ index: Int, by element: _StoredContent) {
        verifyClass(of: element)
        if case .object(let object) = element.kind, object.livesInParent, isElement(index, object) { return }
        realm.put(element, at: .listElement(path, treePosition(index)), update: .error)
    }

    private func isElement(_ index: Int, _ object: ObjectBase) -> Bool {
        object._rlmRow.realm === realm && object._rlmRow.managed?.tableKey == elementClass?.tableKey
            && value(at: index) == .link(object._rlmRow.key)
    }
}
