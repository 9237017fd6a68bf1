// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

@testable import RealmStorage

/// A cluster tree of small nodes with three columns, and its model, a dictionary.
final class ClusterFixture {
    let scratch: ScratchStore
    let capacity: Int
    private(set) var layout = ClusterFixture.initialLayout
    private(set) var root: Ref
    private(set) var model: [UInt64: Int] = [:]
    private var serial = 0

    /// Column 1 doesn't exist: its slot stays 0.
    private static let initialLayout = ClusterLayout(columns: [
        .init(leafIndex: 0, kind: .int, defaultValue: .int(0)),
        .init(leafIndex: 2, kind: .string, defaultValue: .string("")),
        .init(leafIndex: 3, kind: .optionalInt, defaultValue: .null),
    ])

    init(capacity: Int) throws {
        scratch = try ScratchStore(clusterCapacity: capacity)
        self.capacity = capacity
        root = try ClusterTreeEditor(scratch.store).create(layout)
    }

    convenience init(capacity: Int, keys: some Sequence<UInt64>) throws {
        try self.init(capacity: capacity)
        for key in keys { try insert(key) }
    }

    var tree: ClusterTree { ClusterTree(scratch.space, root: root) }

    static func value(_ column: ClusterLayout.Column, _ number: Int) -> StoredValue {
        switch column.kind {
        case .string: .string(String(repeating: "x", count: number % 17) + "\(number)")
        case .optionalInt: number % 3 == 0 ? .null : .int(Int64(number))
        default: .int(Int64(number * 100))
        }
    }

    func insert(_ key: UInt64) throws {
        serial += 1
        let number = serial
        try ClusterTreeEditor(scratch.store).insert(&root, layout, key: objectKey(key)) {
            ClusterFixture.value($0, number)
        }
        model[key] = number
    }

    func erase(_ key: UInt64) throws {
        try ClusterTreeEditor(scratch.store).erase(&root, layout, key: objectKey(key))
        model[key] = nil
    }

    func erase(_ keys: some Sequence<UInt64>) throws {
        let keys = keys.sorted()
        try ClusterTreeEditor(scratch.store).erase(&root, layout, keys: keys.map(objectKey))
        for key in keys { model[key] = nil }
    }

    func set(_ key: UInt64) throws {
        serial += 1
        let number = serial
        for column in layout.columns {
            try ClusterTreeEditor(scratch.store).modify(&root, key: objectKey(key), column: column.leafIndex) {
                leaf, row in
                try ColumnLeafEditor(scratch.store, column.kind).set(
                    &leaf, at: row, ClusterFixture.value(column, number))
            }
        }
        model[key] = number
    }

    func addColumn(_ column: ClusterLayout.Column) throws {
        try ClusterTreeEditor(scratch.store).addColumns(&root, [column])
        layout.columns.append(column)
    }

    func removeColumn(at position: Int) throws {
        let column = layout.columns.remove(at: position)
        try ClusterTreeEditor(scratch.store).removeColumn(&root, leafIndex: column.leafIndex)
    }

    private func objectKey(_ key: UInt64) -> ObjectKey { ObjectKey(Int64(bitPattern: key)) }

    @discardableResult
    func verify() throws -> Int {
        let summary = try ClusterTreeVerifier.verify(scratch.space, root, layout, capacity: capacity)
        try requireEqual(summary.keys, model.keys.sorted(), "the keys")
        try requireEqual(try tree.count(), model.count, "the count")
        for (index, key) in summary.keys.enumerated() {
            guard let found = try tree.find(objectKey(key)) else { throw Failure("key \(key) is not found") }
            let position = try tree.position(at: index)
            try requireEqual(position.leaf.key(at: position.row), objectKey(key), "the key of object \(index)")
            for column in layout.columns {
                let expected = ClusterFixture.value(column, model[key] ?? 0)
                let value = try found.leaf.column(column.leafIndex, column.kind).value(at: found.row)
                try requireEqual(value, expected, "column \(column.leafIndex) of key \(key)")
            }
            for absent in [key &- 1, key &+ 1] where model[absent] == nil {
                try require(try tree.find(objectKey(absent)) == nil, "key \(absent) is found")
            }
        }
        try verifyScan(tree, summary.keys)
        try verifyCachedLeaves(tree, summary.keys)
        return summary.depth
    }

    private func verifyScan(_ tree: ClusterTree, _ keys: [UInt64]) throws {
        for (column, leafCount) in zip(layout.columns, [1, 2, 7, 100]) {
            let expected = keys.map { ClusterFixture.value(column, model[$0] ?? 0) }
            var found: [StoredValue] = []
            for piece in try tree.pieces(leafCount: leafCount) {
                try tree.forEachColumnLeaf(in: piece, column.leafIndex, column.kind) { leaf, count in
                    found += try (0..<count).map { try leaf.value(at: $0) }
                }
            }
            try requireEqual(found, expected, "column \(column.leafIndex) in pieces of \(leafCount) leaves")
        }
        var found: [ObjectKey] = []
        try tree.forEachLeaf { leaf in
            found += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        try requireEqual(found, keys.map(objectKey), "the keys, leaf by leaf")
        found = []
        var cursor = try LeafCursor(tree)
        while let leaf = try cursor.next() { found += (0..<leaf.count).map { leaf.key(at: $0) } }
        try requireEqual(found, keys.map(objectKey), "the keys, by a cursor")
        try require(try cursor.next() == nil, "a leaf behind the end")
    }

    /// Reads through cached leaves in reverse order, with absent keys in between.
    private func verifyCachedLeaves(_ tree: ClusterTree, _ keys: [UInt64]) throws {
        let memory = ClusterLeafCache.Memory()
        defer { withExtendedLifetime(memory) {} }
        let known = memory.leaves(of: TableKey(7), .first)
        let keys = keys.reversed().flatMap { [objectKey($0), objectKey($0 &+ 1)] }.filter { $0.rawValue >= 0 }
        for key in keys {
            let (expected, found) = (try tree.find(key), try tree.find(key, known))
            try requireEqual(found?.leaf.node.ref, expected?.leaf.node.ref, "the leaf of \(key)")
            try requireEqual(found?.row, expected?.row, "the row of \(key)")
        }
    }

    func commit() throws { try scratch.commit(&root) }

    func attempt(_ body: (ClusterFixture) throws -> Void) throws {
        let (root, model, layout, mark) = (root, model, layout, scratch.mark)
        try body(self)
        try verify()
        try commit()
        try verify()
        (self.root, self.model, self.layout) = (root, model, layout)
        scratch.restore(mark)
    }
}
