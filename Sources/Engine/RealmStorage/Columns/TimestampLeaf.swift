// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads a leaf of timestamps: nullable seconds, and nanoseconds (content 6.8).
struct TimestampLeaf {
    let seconds: OptionalIntLeaf
    let nanoseconds: Node

    init(_ space: NodeSpace, _ root: Node) throws {
        guard root.isTimestampLeaf else { throw ColumnLeaf.wrongNode(root.ref) }
        seconds = try OptionalIntLeaf(space.node(root.child(0)))
        nanoseconds = try space.node(root.child(1)).plain()
        guard seconds.count == nanoseconds.count else { throw ColumnLeaf.wrongNode(root.ref) }
    }

    var count: Int { seconds.count }

    func value(at row: Int) throws -> Timestamp? {
        guard let value = try seconds.value(at: row) else { return nil }
        guard let fraction = Int32(exactly: nanoseconds[row]) else {
            throw StorageError.corrupt("an impossible date; the file is damaged", at: nanoseconds.ref)
        }
        return Timestamp(seconds: value, nanoseconds: fraction)
    }
}

extension TimestampLeaf {
    static func check(_ value: Timestamp?) throws {
        guard value?.isValid ?? true else {
            throw StorageError(.invalidArgument, "a date whose nanoseconds are out of range or of the wrong sign")
        }
    }
}
