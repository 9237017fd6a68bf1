// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Queries on files of the original engine: all leaf forms, enumerated strings, indexes.
@Suite struct FixtureTests {
    @Test func everyValueIsFound() throws {
        var compared = 0
        for file in Fixtures.names(in: "v24") {
            guard let database = try? Database.open(Fixtures.path("v24/\(file).realm"), readOnly: true) else {
                continue
            }
            let snapshot = try database.snapshot(label: file)
            for key in try snapshot.tableKeys() {
                guard let table = try snapshot.table(key) else { continue }
                for column in table.publicColumns where !column.key.isCollection {
                    compared += try check(column, table, snapshot, file)
                }
            }
        }
        #expect(compared > 500)
    }

    private func check(_ column: Column, _ table: Table, _ snapshot: Snapshot, _ file: String) throws -> Int {
        var rows: [(key: ObjectKey, value: StoredValue)] = []
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let value = try table.value(column, at: ClusterTree.Position(leaf: leaf, row: row))
                rows.append((leaf.key(at: row), value))
            }
            return rows.count < 3_000
        }
        let path = PropertyPath([.property(column.name)])
        let step = max(1, rows.count / 20)
        for (_, value) in rows.enumerated().filter({ $0.offset % step == 0 }).map(\.element) where value.isPlain {
            let expected = rows.filter { StoredValue.compare($0.value, value) == 0 }.map(\.key)
            let query = try Query.compile(.compare(path, .equal, value), on: table.key, in: snapshot)
            #expect(
                try query.filter(rows.map(\.key), in: snapshot) == expected,
                "\(file), \(table.name): \(query.predicate)")
            guard rows.count < 3_000 else { continue }
            let plan = try query.explain(in: snapshot)
            #expect(try query.objects(in: snapshot) == expected, "\(file), \(table.name): \(plan)")
            let others = try Query.compile(.not(query.predicate), on: table.key, in: snapshot)
            #expect(try others.count(in: snapshot) == rows.count - expected.count, "\(file): NOT \(query.predicate)")
        }
        return rows.count
    }
}

extension StoredValue {
    /// Whether equality finds the value. It doesn't find collections, nor NaN in Float and Double columns.
    fileprivate var isPlain: Bool {
        switch self {
        case .list, .dictionary: false
        default: !isNaN
        }
    }
}
