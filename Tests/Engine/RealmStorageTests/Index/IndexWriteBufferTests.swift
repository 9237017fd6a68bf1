// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Reads of indexes with pending changes. Pending changes are never visible.
@Suite struct IndexWriteBufferTests {
    private struct Row {
        var id: Int64
        var name: StoredValue
        var text: String
    }

    private struct Columns {
        let table: TableKey
        let id: ColumnKey
        let name: ColumnKey
        let text: ColumnKey
    }

    private func makeTable(_ test: TestDatabase) throws -> Columns {
        try test.write { transaction in
            let table = try transaction.schema.addTable("class_A")
            let id = try transaction.schema.addColumn("id", .int, .indexed, to: table)
            let name = try transaction.schema.addColumn("name", .string, [.indexed, .nullable], to: table)
            let text = try transaction.schema.addColumn("text", .string, .fullTextIndexed, to: table)
            try transaction.schema.setPrimaryKey(id, of: table)
            return Columns(table: table, id: id, name: name, text: text)
        }
    }

    @Test(arguments: [2, 12, 60]) func randomChangesAndReads(_ changesPerRead: Int) throws {
        var generator = SeededGenerator(for: "pending entries, \(changesPerRead)")
        try TestDatabase.using { test in
            let columns = try makeTable(test)
            var rows: [ObjectKey: Row] = [:]
            for round in 0..<6 {
                let before = rows
                let transaction = try test.database.beginWrite()
                for _ in 0..<changesPerRead * 5 {
                    try change(&rows, columns, transaction, &generator)
                    if Int.random(in: 0..<changesPerRead, using: &generator) == 0 {
                        try check(rows, columns, try #require(try transaction.table(columns.table)), &generator)
                    }
                }
                if round % 3 == 2 {
                    transaction.rollback()
                    rows = before
                } else {
                    try transaction.commit()
                }
                try check(rows, columns, try #require(try test.database.snapshot().table(columns.table)), &generator)
                try test.audit()
            }
        }
    }

    private func name(_ generator: inout SeededGenerator) -> StoredValue {
        let texts = ["", "abc", "abcX", "abcd", String(repeating: "n", count: 210)]
        let number = Int.random(in: 0..<12, using: &generator)
        return number == 11 ? .null : .string(number < texts.count ? texts[number] : "name-\(number)")
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<6, using: &generator)).map { _ in "Word\(Int.random(in: 0..<20, using: &generator))" }
            .joined(separator: " ")
    }

    private func change(
        _ rows: inout [ObjectKey: Row], _ columns: Columns, _ transaction: WriteTransaction,
        _ generator: inout SeededGenerator
    ) throws {
        let table = columns.table
        let object = rows.keys.sorted().randomElement(using: &generator)
        switch (Int.random(in: 0..<10, using: &generator), object) {
        case (5, let object?):
            rows[object]?.name = name(&generator)
            try transaction.set(rows[object]!.name, columns.name, of: object, in: table)
        case (6, let object?):
            rows[object]?.text = text(&generator)
            try transaction.set(.string(rows[object]!.text), columns.text, of: object, in: table)
        case (7...8, let object?):
            rows[object] = nil
            try transaction.removeObject(object, from: table)
        case (9, _?):
            let some = rows.keys.sorted().filter { _ in Int.random(in: 0..<8, using: &generator) == 0 }
            for key in some { rows[key] = nil }
            try transaction.removeObjects(some, from: table)
        default:
            let row = Row(
                id: .random(in: 0...(1 << 40), using: &generator), name: name(&generator), text: text(&generator))
            let values: [ColumnKey: StoredValue] = [
                columns.id: .int(row.id), columns.name: row.name, columns.text: .string(row.text),
            ]
            let key = ObjectKey(.random(in: 1000..<1400, using: &generator))
            if rows[key] == nil, Bool.random(using: &generator) {
                try transaction.createObject(key, in: table, values)
                rows[key] = row
            } else {
                rows[try transaction.createObject(in: table, values)] = row
            }
        }
    }

    private func check(
        _ rows: [ObjectKey: Row], _ columns: Columns, _ table: Table, _ generator: inout SeededGenerator
    ) throws {
        if let (key, row) = rows.min(by: { $0.key < $1.key }) {
            #expect(try table.object(primaryKey: .int(row.id)) == key)
        }
        #expect(try table.object(primaryKey: .int(-1)) == nil)
        let name = name(&generator)
        let named = rows.filter { $0.value.name == name }.keys.sorted()
        #expect(try table.objects(columns.name, equalTo: name) == named)
        let word = "word\(Int.random(in: 0..<20, using: &generator))"
        let other = "word\(Int.random(in: 0..<20, using: &generator))"
        func with(_ word: String) -> Set<ObjectKey> {
            Set(rows.filter { $0.value.text.lowercased().split(separator: " ").contains { $0 == word } }.keys)
        }
        func found(_ text: String) throws -> [ObjectKey] {
            try table.objects(columns.text, matching: FullTextQuery(text))
        }
        #expect(try found("\(word) \(other)") == with(word).intersection(with(other)).sorted())
        #expect(try found("\(word) -\(other)") == with(word).subtracting(with(other)).sorted())
    }
}
