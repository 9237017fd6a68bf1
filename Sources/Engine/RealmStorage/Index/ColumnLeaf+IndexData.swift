// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ColumnLeaf {
    /// Doesn't create a string for the data of a string.
    func indexData(at row: Int) throws -> IndexData {
        switch kind {
        case .string, .enumeratedString:
            unsafe try withStringBytes(at: row) { unsafe $0.map { unsafe IndexData(stringBytes: $0) } ?? .none }
        default: IndexData(try value(at: row))
        }
    }
}
