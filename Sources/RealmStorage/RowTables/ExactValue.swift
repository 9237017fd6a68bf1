// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An element of a collection that is written anew, with strings as the bytes they are.
///
/// A `StoredValue` cannot hold a string that is not valid UTF-8; one that went through it would come out changed.
enum ExactValue {
    case text([UInt8])
    /// Anything but a string.
    case other(StoredValue)

    /// Reads a row of a leaf of strings, binaries or Mixed. Nested collections are younger than the formats this is
    /// for, so one is damage here.
    init(_ leaf: ColumnLeaf, _ row: Int) throws {
        if leaf.kind == .string || leaf.kind == .mixed, let text = try leaf.text(at: row) {
            self = .text(text)
            return
        }
        let value = try leaf.value(at: row)
        switch value {
        case .list, .dictionary:
            throw StorageError.corrupt(
                "a collection in a collection, which this format does not have", at: leaf.node.ref)
        default: self = .other(value)
        }
    }

    /// Bytes of variable length that the value takes; what a budget counts.
    var byteCount: Int {
        switch self {
        case .text(let bytes), .other(.binary(let bytes)): bytes.count
        case .other: 0
        }
    }

    /// The place among the types of content 8.4 for strings and binaries; nil for other values.
    var rankOfBytes: Int? {
        switch self {
        case .text: 2
        case .other(.binary): 3
        case .other: nil
        }
    }

    /// Whether a string or binary goes before another one: strings before binaries, then byte by byte (content 8.2).
    static func precedes(_ a: ExactValue, _ b: ExactValue) -> Bool {
        switch (a, b) {
        case (.text(let a), .text(let b)), (.other(.binary(let a)), .other(.binary(let b))):
            ByteOrder.compare(a, b) < 0
        default: (a.rankOfBytes ?? 0) < (b.rankOfBytes ?? 0)
        }
    }
}

extension NodeStore {
    /// A new tree of `values` in their order, for leaves of strings, binaries or Mixed.
    func treeCreate(_ kind: LeafKind, _ values: [ExactValue]) throws -> Ref {
        var leaves: [Ref] = []
        for start in stride(from: 0, to: values.count, by: treeCapacity) {
            leaves.append(try leafCreate(kind, values[start..<min(start + treeCapacity, values.count)]))
        }
        return leaves.isEmpty ? try treeCreate(kind) : try treeJoin(leaves, count: values.count)
    }

    /// A new leaf of `values`.
    func leafCreate(_ kind: LeafKind, _ values: some Collection<ExactValue>) throws -> Ref {
        var leaf = try treeCreate(kind)
        for (row, value) in values.enumerated() { try leafInsert(&leaf, kind, at: row, value) }
        return leaf
    }

    private func leafInsert(_ leaf: inout Ref, _ kind: LeafKind, at row: Int, _ value: ExactValue) throws {
        switch (kind, value) {
        case (_, .other(let value)): try leafInsert(&leaf, kind, at: row, value)
        case (.string, .text(let bytes)):
            unsafe try bytes.withUnsafeBytes { unsafe try bytesInsert(&leaf, .string, at: row, $0) }
        case (.mixed, .text(let bytes)):
            // A string and a binary of the same bytes differ in nothing but the type in the descriptor.
            try leafInsert(&leaf, kind, at: row, .binary(bytes))
            try updateSlot(&leaf, FileFormat.Mixed.descriptors) { descriptors in
                let binary = MixedDescriptor(rawValue: try space.integers(descriptors).element(row))
                try set(&descriptors, row, MixedDescriptor(.string, .strings, binary.number).rawValue)
            }
        default: throw kind.mismatch(.null)
        }
    }
}
