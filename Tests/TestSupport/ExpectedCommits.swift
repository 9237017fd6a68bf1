// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A table to which every commit of every writer adds a row, so that the rows of lost commits are missing.
package enum ExpectedCommits {
    private static let table = "class_ExpectedCommits"

    package static func add(_ writer: Int64, _ number: Int64, _ transaction: WriteTransaction) throws {
        if try transaction.table(named: table) == nil {
            let key = try transaction.schema.addTable(table)
            try transaction.schema.addColumn("writer", .int, to: key)
            try transaction.schema.addColumn("number", .int, to: key)
        }
        guard let commits = try transaction.table(named: table),
            let first = commits.column(named: "writer")?.key,
            let second = commits.column(named: "number")?.key
        else { throw Failure("there is no table of commits") }
        _ = try transaction.createObject(in: commits.key, [first: .int(writer), second: .int(number)])
    }

    /// The number of commits of each writer. Throws unless they are the first ones, in order.
    package static func counts(_ snapshot: Snapshot) throws -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        for (writer, number) in try lines(snapshot) {
            try requireEqual(number, counts[writer, default: 0] + 1, "the next commit of writer \(writer)")
            counts[writer] = number
        }
        return counts
    }

    package static func writers(_ snapshot: Snapshot) throws -> [Int64] { try lines(snapshot).map(\.writer) }

    private static func lines(_ snapshot: Snapshot) throws -> [(writer: Int64, number: Int64)] {
        guard let commits = try snapshot.table(named: table),
            let first = commits.column(named: "writer"),
            let second = commits.column(named: "number")
        else { return [] }
        var lines: [(writer: Int64, number: Int64)] = []
        try commits.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let position = ClusterTree.Position(leaf: leaf, row: row)
                guard case .int(let writer) = try commits.value(first, at: position),
                    case .int(let number) = try commits.value(second, at: position)
                else { throw Failure("a line without numbers") }
                lines.append((writer, number))
            }
            return true
        }
        return lines
    }
}
