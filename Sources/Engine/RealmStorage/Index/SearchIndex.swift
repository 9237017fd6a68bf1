// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value index: the objects of a table by the value of one column (content 9.4). Read-only; `SearchIndexEditor`
/// writes.
///
/// The index only narrows a search down to candidates. Every method therefore takes `valueOf`, which reads the indexed
/// column of an object and returns nil for objects that don't exist.
package struct SearchIndex {
    package let space: NodeSpace
    package let root: Ref
    /// Whether the column is of type Mixed, in which different values may share an entry, and equal values may have
    /// different entries.
    package let isMixed: Bool

    package init(_ space: NodeSpace, root: Ref, isMixed: Bool) {
        self.space = space
        self.root = root
        self.isMixed = isMixed
    }

    package func keys(
        equalTo value: StoredValue, valueOf: (ObjectKey) throws -> StoredValue?
    ) throws -> [ObjectKey] {
        let candidates = try candidates(value)
        guard case .uniform(let list) = candidates else {
            return try all(candidates).filter { try equals(value, valueOf($0)) }.sorted()
        }
        return try hasValue(list) { try valueOf($0).map { equals(value, $0) } } ? list.keys() : []
    }

    /// Returns any of the objects whose value equals `value`: the only one, if the column is the primary key.
    package func first(
        equalTo value: StoredValue, valueOf: (ObjectKey) throws -> StoredValue?
    ) throws -> ObjectKey? {
        try first(equalTo: value) { try equals(value, valueOf($0)) }
    }

    /// Avoids creating a `StoredValue` for the stored value: `matches` returns whether the object exists and has the
    /// value.
    package func first(
        equalTo value: StoredValue, where matches: (ObjectKey) throws -> Bool
    ) throws -> ObjectKey? {
        switch try candidates(value) {
        case .none: return nil
        case .literal(let key): return try matches(key) ? key : nil
        case .uniform(let list), .list(let list): return try list.first(where: matches)
        case .everywhere: return try allKeys().first(where: matches)
        }
    }

    package func count(equalTo value: StoredValue, valueOf: (ObjectKey) throws -> StoredValue?) throws -> Int {
        try count(equalTo: value) { key in try valueOf(key).map { equals(value, $0) } }
    }

    /// The time doesn't depend on the number of objects, unless the column is Mixed or holds strings of more than 200
    /// bytes. `matches` returns whether an object has the value, and nil for objects that don't exist.
    package func count(equalTo value: StoredValue, where matches: (ObjectKey) throws -> Bool?) throws -> Int {
        let candidates = try candidates(value)
        switch candidates {
        case .literal(let key): return try matches(key) == true ? 1 : 0
        case .uniform(let list): return try hasValue(list, matches) ? list.count : 0
        default: return try all(candidates).count { try matches($0) == true }
        }
    }

    package func allKeys() throws -> [ObjectKey] { try IndexWalk.keys(space, root) }
}

extension SearchIndex {
    private enum Candidates {
        case none
        case literal(ObjectKey)
        /// Objects with equal values. They may all differ from the value searched for, because a list may be above the
        /// end of its index data.
        case uniform(IndexList)
        case list(IndexList)
        case everywhere
    }

    private func candidates(_ value: StoredValue) throws -> Candidates {
        if isMixed, !value.hasOnePlaceInMixedIndex { return .everywhere }
        guard let found = try find(value) else { return .none }
        switch found.entry {
        case .literal(let key): return .literal(key)
        case .list(let root):
            let list = try IndexList(space, root)
            return isMixed || found.offset == FileFormat.lastIndexOffset ? .list(list) : .uniform(list)
        case .subIndex: return .none
        }
    }

    private func find(_ value: StoredValue) throws -> IndexDescent.Found? {
        let descent = IndexDescent(space: space, root: root)
        if case .int(let number) = value { return try descent.find(IntegerChunks(number)) }
        if case .string(let text) = value {
            let found = unsafe try text.utf8.withContiguousStorageIfAvailable { bytes in
                unsafe try descent.find(ByteChunks(bytes))
            }
            if let found { return found }
        }
        return try descent.find(IndexData(value))
    }

    private func all(_ candidates: Candidates) throws -> [ObjectKey] {
        switch candidates {
        case .none: []
        case .literal(let key): [key]
        case .uniform(let list), .list(let list): try list.keys()
        case .everywhere: try allKeys()
        }
    }

    private func equals(_ value: StoredValue, _ stored: StoredValue?) -> Bool {
        stored.map { StoredValue.compare($0, value) == 0 } ?? false
    }

    /// Whether the objects of a uniform list have the value. Checks only the first one that exists.
    private func hasValue(_ list: IndexList, _ matches: (ObjectKey) throws -> Bool?) throws -> Bool {
        if let sample = try matches(list.key(at: 0)) { return sample }
        var sample: Bool?
        _ = try list.first { key in
            sample = try matches(key)
            return sample != nil
        }
        return sample ?? false
    }
}

extension StoredValue {
    /// Whether all objects of a Mixed column whose value equals this one have the same path.
    ///
    /// Equal numbers may have different index data unless they are small integers, and a Decimal equals Doubles that
    /// are merely close (content 13.8, 13.20). Objects whose link was deleted are null, but their entries are still
    /// under the link (content 13.18).
    var hasOnePlaceInMixedIndex: Bool {
        switch self {
        case .null, .decimal: false
        case .int(let value): Int32(exactly: value) != nil
        case .float(let value): Int32(exactly: value) != nil
        case .double(let value): Int32(exactly: value) != nil
        default: true
        }
    }
}
