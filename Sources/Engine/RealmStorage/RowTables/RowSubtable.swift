// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The content of one row of a column of tables (older 5.9).
struct RowSubtable {
    let roots: [Ref]
    private let ref: Ref

    /// Returns nil if the table is empty or absent.
    init?(_ reader: RowReader, _ element: Int64, _ columns: [RowColumn]) throws {
        guard element != 0 else { return nil }
        guard !Tagged.isTagged(element) else {
            throw StorageError.corrupt("a number in the place of a table", at: Ref(element: element))
        }
        ref = Ref(element: element)
        let node = try reader.refs(ref)
        roots = try columns.map { try node.child($0.position) }
    }

    func count(_ reader: RowReader, _ columns: [RowColumn]) throws -> Int {
        guard let first = columns.first, let root = roots.first else { return 0 }
        return try RowCount(reader).rows(of: first, root)
    }
}
