// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The object keys of global keys whose own local key is used by another global key (content 3.3).
///
/// ```
/// [0] low words   [1] high words   [2] local object keys      ascending by (high, low)
/// ```
struct CollisionMap {
    private struct Entry {
        let name: GlobalKey
        let key: ObjectKey
    }
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    init(_ ref: Ref, in space: NodeSpace) throws {
        guard ref != 0 else { return }
        let node = try space.refs(ref)
        guard node.count == 3 else { throw StorageError.corrupt("a collision map of \(node.count) slots", at: ref) }
        let (low, high, keys) = (
            try space.integers(try node.child(0)), try space.integers(try node.child(1)),
            try space.integers(try node.child(2))
        )
        // Elements of width 0 use no bytes, so the file's size doesn't limit their number. Distinct names need wider
        // ones.
        guard low.count == high.count, low.count == keys.count, low.count <= 1 || low.width + high.width > 0 else {
            throw StorageError.corrupt("a collision map whose arrays differ in length", at: ref)
        }
        entries = (0..<low.count).map { index in
            Entry(
                name: GlobalKey(high: UInt64(bitPattern: high[index]), low: UInt64(bitPattern: low[index])),
                key: ObjectKey(keys[index]))
        }
    }

    subscript(name: GlobalKey) -> ObjectKey? {
        get { entries.first { $0.name == name }?.key }
        set {
            entries.removeAll { $0.name == name }
            guard let newValue else { return }
            let place = entries.firstIndex { CollisionMap.isAscending(name, $0.name) } ?? entries.count
            entries.insert(Entry(name: name, key: newValue), at: place)
        }
    }

    mutating func remove(_ key: ObjectKey) -> Bool {
        let count = entries.count
        entries.removeAll { $0.key == key }
        return entries.count < count
    }

    /// High words compare signed, low words unsigned.
    private static func isAscending(_ a: GlobalKey, _ b: GlobalKey) -> Bool {
        a.high == b.high ? a.low < b.low : Int64(bitPattern: a.high) < Int64(bitPattern: b.high)
    }

    /// Frees the map at `old`, and returns the ref of the new one; 0 if it's empty.
    func encode(replacing old: Ref, in store: NodeStore) throws -> Ref {
        try store.freeTree(old)
        guard !isEmpty else { return 0 }
        let parts = [
            try store.create(entries.map { Int64(bitPattern: $0.name.low) }),
            try store.create(entries.map { Int64(bitPattern: $0.name.high) }),
            try store.create(entries.map(\.key.rawValue)),
        ]
        return try store.create(parts.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }
}
