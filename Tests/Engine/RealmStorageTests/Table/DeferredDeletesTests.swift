// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Removing objects one by one, with deferred erasure of their rows, compared with erasing each row at once.
@Suite struct DeferredDeletesTests {
    private struct Town {
        let table: TableKey
        let id, name, text, tags, scores: ColumnKey

        init(_ transaction: WriteTransaction) throws {
            table = try transaction.schema.addTable("class_Person")
            id = try transaction.schema.addColumn("id", .int, to: table)
            try transaction.schema.setPrimaryKey(id, of: table)
            name = try transaction.schema.addColumn("name", .string, .nullable, to: table)
            text = try transaction.schema.addColumn("text", .string, to: table)
            tags = try transaction.schema.addColumn("tags", .string, .list, to: table)
            scores = try transaction.schema.addColumn("scores", .double, .list, to: table)
            try transaction.indexes.add(name, of: table)
            try transaction.indexes.add(text, .fullText, of: table)
            try transaction.indexes.add(tags, of: table)
        }

        func create(_ number: Int64, _ transaction: WriteTransaction) throws {
            let object = try transaction.createObject(
                in: table,
                [
                    id: .int(number), name: number % 7 == 0 ? .null : .string("name-\(number % 19)"),
                    text: .string("word\(number % 5) and \(number)"),
                ])
            if number % 3 == 0 {
                try transaction.list(tags, of: object, in: table).insert(.string("tag\(number % 4)"), at: 0)
                try transaction.list(scores, of: object, in: table).insert(.double(Double(number)), at: 0)
            }
        }
    }

    @Test(arguments: [nil, 4, 7] as [Int?]) func deferredErasureEqualsImmediateErasure(_ capacity: Int?) throws {
        var seeds = SeededGenerator(for: "rows that go together, \(capacity ?? 0)")
        let seed = seeds.next()
        var texts: [String] = []
        for isTogether in [false, true] {
            try TestDatabase.using { test in
                var generator = SeededGenerator(seed: seed)
                var made: Town?
                var present = Set<Int64>(0..<600)
                try test.write { transaction in
                    if let capacity { transaction.store.clusterCapacity = capacity }
                    let town = try Town(transaction)
                    for number in 0..<600 { try town.create(Int64(number), transaction) }
                    made = town
                }
                let town = try #require(made)
                for _ in 0..<4 {
                    try test.write { transaction in
                        if let capacity { transaction.store.clusterCapacity = capacity }
                        let table = try transaction.require(town.table)
                        for _ in 0..<150 {
                            let number = Int64(generator.below(600))
                            let object = try table.object(primaryKey: .int(number))
                            #expect((object != nil) == present.contains(number))
                            switch generator.below(30) {
                            case 0: #expect(try table.count() == present.count)
                            case 1 where object == nil:
                                try town.create(number, transaction)
                                present.insert(number)
                            case 2:
                                guard let object else { continue }
                                try transaction.set(.string("new"), town.name, of: object, in: town.table)
                            default:
                                guard let object else { continue }
                                #expect(try transaction.removeObject(object, from: town.table))
                                #expect(try !transaction.removeObject(object, from: town.table))
                                if !isTogether { try table.flushDeletes() }
                                present.remove(number)
                            }
                        }
                        #expect(try table.objects(town.name, equalTo: .string("name-3")).allSatisfy(table.contains))
                    }
                }
                texts.append(try SnapshotText.lines(of: test.database.snapshot()).joined(separator: "\n"))
            }
        }
        #expect(texts[0] == texts[1])
    }

    @Test func endsOfTransactions() throws {
        try TestDatabase.using { test in
            var made: Town?
            try test.write { transaction in
                let town = try Town(transaction)
                for number in 0..<300 { try town.create(Int64(number), transaction) }
                made = town
            }
            let town = try #require(made)
            func removeSome(_ transaction: WriteTransaction) throws {
                let table = try transaction.require(town.table)
                for number in stride(from: Int64(0), to: 300, by: 3) {
                    let object = try #require(try table.object(primaryKey: .int(number)))
                    try transaction.removeObject(object, from: town.table)
                }
                #expect(table.hasDeferredDeletes)
            }
            let rolledBack = try test.database.beginWrite()
            try removeSome(rolledBack)
            rolledBack.rollback()
            #expect(try test.database.snapshot().table(town.table)?.count() == 300)
            try test.write { try removeSome($0) }
            let table = try #require(try test.database.snapshot().table(town.table))
            #expect(try table.count() == 200)
            #expect(!table.hasDeferredDeletes)
            for number in 0..<Int64(300) {
                #expect(try (table.object(primaryKey: .int(number)) == nil) == (number % 3 == 0))
            }
        }
    }
}
