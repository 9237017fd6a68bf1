// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres

    /// Large rows of a store, which are read in pages. So neither the memory of a result nor `statement_timeout` limits
    /// the size of a store.
    struct PostgresPages {
        /// Statements without an order, with the parameters store, number, and part. The rows are those after the last
        /// two, with the columns number, part, id, and bytes.
        enum Kind: String {
            case frames = """
                SELECT number, part, id, bytes FROM regnum.frames WHERE store = $1 AND (number, part) > ($2, $3)
                """
            case snapshot = """
                SELECT through AS number, part, 0::int8 AS id, bytes FROM regnum.snapshots
                WHERE store = $1 AND through = $2 AND part > $3
                """
        }

        let connection: PostgresConnection
        let store: UInt64

        /// The limits of a page, which can exceed the second one by one row.
        private static let (maxRows, maxBytes) = (1000, 48 << 20)

        /// Passes the rows after a position in their order.
        func forEach(
            _ kind: Kind, after number: UInt64, _ part: Int64, _ body: (PostgresRow) throws -> Void
        ) throws {
            let statement = """
                SELECT number, part, id, bytes FROM (
                    SELECT *, sum(length(bytes)) OVER (ORDER BY number, part) - length(bytes) AS before
                    FROM (\(kind.rawValue) ORDER BY number, part LIMIT \(PostgresPages.maxRows)) AS found
                ) AS sized WHERE before < \(PostgresPages.maxBytes) ORDER BY number, part
                """
            var position: [PostgresValue] = [.integer(try .init(of: number)), .integer(part)]
            while true {
                let rows = try connection.query(statement, [.integer(try .init(of: store))] + position).rows
                var size = 0
                for row in rows {
                    try body(row)
                    size += try row.bytes(3).count
                }
                guard let last = rows.last, rows.count == PostgresPages.maxRows || size >= PostgresPages.maxBytes else {
                    return
                }
                position = [last[0], last[1]]
            }
        }
    }

    extension PostgresRow {
        /// A number that isn't negative.
        func number(_ column: Int) throws -> UInt64 {
            guard let number = UInt64(exactly: try integer(column)) else {
                throw SharedLogError("a number of a store is negative in the database: restore it from a backup")
            }
            return number
        }
    }

    extension Int64 {
        /// - Throws: `SharedLogError` if PostgreSQL's `int8` can't contain the number.
        init(of number: UInt64) throws {
            guard let value = Int64(exactly: number) else {
                throw SharedLogError("the number \(number) of a store or frame is too large for the database")
            }
            self = value
        }
    }
#endif
