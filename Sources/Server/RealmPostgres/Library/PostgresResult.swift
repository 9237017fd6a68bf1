// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The rows of a statement.
package struct PostgresResult: Sendable {
    package let rows: [PostgresRow]
    /// The number of rows that the statement has inserted, changed, removed, or returned.
    package let affected: Int
    /// The kind of the executed statement, for example `COMMIT` or `INSERT 0 1`.
    let tag: String
}

/// A row of a result.
package struct PostgresRow: Sendable {
    private let values: [PostgresValue]

    init(_ values: [PostgresValue]) { self.values = values }

    package var count: Int { values.count }
    package subscript(column: Int) -> PostgresValue { values[column] }

    /// - Throws: `PostgresError` if the value is null or of another type, like the other functions.
    package func integer(_ column: Int) throws -> Int64 {
        guard case .integer(let number) = values[column] else { throw mismatch(column, "an integer") }
        return number
    }

    package func bool(_ column: Int) throws -> Bool {
        guard case .bool(let isTrue) = values[column] else { throw mismatch(column, "a bool") }
        return isTrue
    }

    package func text(_ column: Int) throws -> String {
        guard case .text(let text) = values[column] else { throw mismatch(column, "a text") }
        return text
    }

    package func bytes(_ column: Int) throws -> [UInt8] {
        guard case .bytes(let bytes) = values[column] else { throw mismatch(column, "bytea") }
        return bytes
    }

    package func isNull(_ column: Int) -> Bool { values[column] == .null }

    private func mismatch(_ column: Int, _ type: String) -> PostgresError {
        PostgresError(.schema, "column \(column + 1) of a result isn't \(type)")
    }
}
