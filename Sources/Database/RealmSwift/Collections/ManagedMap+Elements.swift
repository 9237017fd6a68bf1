// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension ManagedMap {
    /// Returns the location of the value of a key in a map of values; nil if the key doesn't exist.
    @usableFromInline
    func place(of key: String) -> (leaf: _StoredLeaf, row: Int)? {
        entry(of: key).map { (_StoredLeaf(ColumnLeaf($0.values), realm, self), $0.row) }
    }

    /// Returns the value of a key in a map of ints; nil if the key doesn't exist.
    @usableFromInline
    func number(of key: String) -> Int? {
        guard let (values, row) = entry(of: key) else { return nil }
        if let number = try? values.inlineInt(at: row) { return number }
        return Int._element(row, of: _StoredLeaf(ColumnLeaf(values), realm, self))
    }

    func value(forKey key: String) -> _StoredElement? { storedValue(forKey: key).map { element($0) } }

    func makeWalks() -> (keys: ValueWalk, values: ValueWalk) {
        guard let (keys, values) = entryTrees else {
            return (ValueWalk(realm, [], of: nil), ValueWalk(realm, [], of: nil))
        }
        // Keys that are ints are read as their digits.
        let isOfTexts = keys.kind == .string
        return (
            isOfTexts ? ValueWalk(realm, keys, of: nil) : ValueWalk(realm, entryKeys().map { .string($0) }, of: nil),
            ValueWalk(realm, values, of: self)
        )
    }

    /// Sets the value of a key. The caller has verified the write and the owner.
    func set(_ value: _StoredContent, forKey key: String) {
        if case .value(let value) = value.kind { return set(value, forKey: key) }
        verifyClass(of: value)
        if case .object(let object) = value.kind, object.livesInParent, isValue(of: key, object) { return }
        realm.put(value, at: .entry(path, key), update: .error)
    }

    private func isValue(of key: String, _ object: ObjectBase) -> Bool {
        object._rlmRow.realm === realm && object._rlmRow.managed?.tableKey == elementClass?.tableKey
            && storedValue(forKey: key) == .link(object._rlmRow.key)
    }
}
