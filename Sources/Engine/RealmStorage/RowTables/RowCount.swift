// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct RowCount {
    private let reader: RowReader

    init(_ reader: RowReader) { self.reader = reader }

    func rows(of column: RowColumn, _ root: Ref) throws -> Int {
        switch column.type {
        case .timestamp: try below(try RowDates(reader, root).secondsRoot) { $0.count - 1 }
        case .mixed: try below(try reader.refs(root).child(0)) { $0.count }
        case .int, .bool, .oldDate: try below(root) { $0.count - (column.isNullable ? 1 : 0) }
        case .string: try below(root) { try RowBytes(reader, $0, .string).count }
        case .binary: try below(root) { try RowBytes(reader, $0, .binary).count }
        case .enumerated, .float, .double, .link, .linkList, .table, .backlink: try below(root) { $0.count }
        }
    }

    func rowsOfBacklinks(_ root: Ref) throws -> Int { try below(root) { $0.count } }

    private func below(_ root: Ref, _ leafCount: (Node) throws -> Int) throws -> Int {
        let node = try reader.node(root)
        let count =
            node.header.isInner ? Int(clamping: try node.tagged(node.count - 1)) : try leafCount(node)
        guard 0...reader.maxRows ~= count else {
            throw StorageError.corrupt("an impossible number of rows", at: root)
        }
        return count
    }
}
