// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension BPlusTreeEditor {
    func create(_ values: [ExactValue]) throws -> Ref {
        var leaves: [Ref] = []
        for start in stride(from: 0, to: values.count, by: store.treeCapacity) {
            leaves.append(try createLeaf(values[start..<min(start + store.treeCapacity, values.count)]))
        }
        return leaves.isEmpty ? try create() : try join(leaves, count: values.count)
    }

    func createLeaf(_ values: some Collection<ExactValue>) throws -> Ref {
        var leaf = try create()
        for (row, value) in values.enumerated() { try insert(value, at: row, inLeaf: &leaf) }
        return leaf
    }

    private func insert(_ value: ExactValue, at row: Int, inLeaf leaf: inout Ref) throws {
        switch (kind, value) {
        case (_, .other(let value)): try leaves.insert(&leaf, at: row, value)
        case (.string, .text(let bytes)):
            unsafe try bytes.withUnsafeBytes { unsafe try BytesLeafEditor(store, .string).insert(&leaf, at: row, $0) }
        case (.mixed, .text(let bytes)):
            // A string and a binary with the same bytes differ only in the type in the descriptor.
            try leaves.insert(&leaf, at: row, .binary(bytes))
            try store.updateSlot(&leaf, FileFormat.Mixed.descriptors) { descriptors in
                let binary = MixedDescriptor(rawValue: try space.integers(descriptors).element(row))
                try store.set(&descriptors, row, MixedDescriptor(.string, .strings, binary.number).rawValue)
            }
        default: throw kind.mismatch(.null)
        }
    }
}
