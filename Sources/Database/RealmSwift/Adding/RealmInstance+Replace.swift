// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Replacing the contents of collections with `update: .modified` (row S9). Each element is written over the previous
/// one at its position: an embedded object is changed and keeps its identity, and equal values aren't written.
extension RealmInstance {
    func replace(
        _ old: [StoredValue], of path: CollectionPath, by elements: [_StoredContent],
        _ verify: (_StoredContent) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            verify(element)
            if index < old.count {
                replace(old[index], by: element, at: .listElement(path, index))
            } else {
                put(element, at: .newListElement(path, index), update: .modified)
            }
        }
        for index in (min(elements.count, old.count)..<old.count).reversed() {
            change { try $0.list(at: path).erase(at: index) }
        }
    }

    func replaceEntries(
        of path: CollectionPath, by entries: [(key: String, value: _StoredContent)],
        _ verify: (_StoredContent) -> Void
    ) {
        let old = dictionaryValues(path)
        let kept = Set(entries.map(\.key))
        for key in old.keys where !kept.contains(key) { change { _ = try $0.dictionary(at: path).erase(key) } }
        for entry in entries {
            verify(entry.value)
            if let value = old[entry.key] {
                replace(value, by: entry.value, at: .entry(path, entry.key))
            } else {
                put(entry.value, at: .entry(path, entry.key), update: .modified)
            }
        }
    }

    private func replace(_ old: StoredValue, by content: _StoredContent, at place: ElementPlace) {
        switch content.kind {
        case .value(let value): if value != old { store(value, at: place) }
        case .object(let target) where target.livesInParent:
            guard let child = linkedObject(old) else { return put(content, at: place, update: .modified) }
            if !target.isManaged { return adopt(target, changing: child, update: .modified) }
            if target._rlmRow.realm !== self || target._rlmRow.key != child {
                put(content, at: place, update: .modified)
            }
        case .object(let target):
            let link = add(target, update: inherited(.modified, target))
            let value = linkValue(link, to: target, in: place.collection.column)
            let isMixed = place.collection.column.type == .mixed
            if isMixed ? value != old : link != linkedObject(old) { store(value, at: place) }
        case .elements, .entries: put(content, at: place, update: .modified)
        }
    }

    /// Returns the key of the object that an element links to; links in dictionaries also contain its class.
    private func linkedObject(_ value: StoredValue) -> ObjectKey? {
        switch value {
        case .link(let key) where !key.isUnresolved: key
        case .typedLink(let link) where !link.object.isUnresolved: link.object
        default: nil
        }
    }

    /// Returns nil for a list with hidden elements, because its stored positions differ from those of the visible
    /// elements.
    func listValues(_ path: CollectionPath) -> [StoredValue]? {
        reading([]) {
            guard case .list(let tree)? = try source?.collectionIfPresent(path) else { return [] }
            return try tree.hidesElements ? nil : tree.values()
        }
    }

    private func dictionaryValues(_ path: CollectionPath) -> [String: StoredValue] {
        reading([:]) {
            guard let tree = try source?.collectionIfPresent(path)?.dictionary else { return [:] }
            var values: [String: StoredValue] = [:]
            for index in 0..<tree.count { values[try tree.key(at: index)] = try tree.value(at: index) }
            return values
        }
    }

    // MARK: Partial updates

    /// Applies the descriptions of existing embedded objects in a value of a partial update, and returns the value with
    /// these objects instead: properties that it doesn't name keep their values.
    func withChangedChildren(_ value: Any?, _ property: PropertyInfo, of object: ObjectBase) -> Any? {
        guard let value, property.shape.type == .object, property.shape.collection != .none,
            property.shape.collection != .set
        else { return value }
        let collection = object.dynamicValue(of: property)
        if let children = collection as? any RealmCollection {
            let children = objects(in: children)
            guard children.first?.livesInParent == true, var elements = sequenceElements(of: value) else {
                return value
            }
            for index in elements.indices where index < children.count {
                elements[index] = changed(children[index], as: elements[index])
            }
            return elements
        }
        guard let children = collection as? any RealmKeyedCollection, let entries = dictionaryEntries(of: value) else {
            return value
        }
        var values: [String: Any?] = [:]
        for entry in entries {
            let child = (children.value(forKey: entry.key) as? ObjectBase).flatMap { $0.livesInParent ? $0 : nil }
            values[entry.key] = child.map { changed($0, as: entry.value) } ?? entry.value
        }
        return values
    }

    private func objects(in collection: some RealmCollection) -> [ObjectBase] {
        collection.compactMap { $0._rlmDynamicValue as? ObjectBase }
    }

    private func changed(_ child: ObjectBase, as value: Any?) -> Any? {
        guard let value, let values = valuesByName(value) else { return value }
        assign(values, to: child, update: .modified)
        return child
    }
}
