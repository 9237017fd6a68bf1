// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Reuse of the space of versions that aren't pinned (container 6.2).
@Suite struct SpaceReuseTests {
    private struct Fixture {
        let test: TestDatabase
        let table: TableKey
        let data: ColumnKey
        var objects: [ObjectKey] = []
        private var serial: UInt8 = 0

        init(objects count: Int) throws {
            test = try TestDatabase()
            (table, data) = try test.write { transaction in
                let table = try transaction.schema.addTable("class_Blob")
                return (table, try transaction.schema.addColumn("data", .binary, to: table))
            }
            let (table, data) = (table, data)
            objects = try test.write { transaction in
                try (0..<count).map { _ in
                    try transaction.createObject(in: table, [data: .binary(Array(repeating: 1, count: 1000))])
                }
            }
        }

        mutating func overwrite() throws {
            serial &+= 1
            let bytes = [UInt8](repeating: serial, count: 1000)
            try test.write { transaction in
                for object in objects { try transaction.set(.binary(bytes), data, of: object, in: table) }
            }
        }

        func byteCount() throws -> Int { try Images.read(test.path).count }
    }

    /// A steady workload makes the file grow to a few versions only.
    @Test func overwritingStopsGrowing() throws {
        var fixture = try Fixture(objects: 50)
        for _ in 0..<10 { try fixture.overwrite() }
        let settled = try fixture.byteCount()
        #expect(settled < 300_000)
        for round in 0..<200 {
            try fixture.overwrite()
            if round % 50 == 0 { try fixture.test.audit() }
        }
        #expect(try fixture.byteCount() == settled)
        try fixture.test.close()
    }

    /// A pinned version keeps its own bytes only. Versions between it and the newest are reclaimed.
    @Test func aHeldVersionHoldsItsSpaceAndNoMore() throws {
        var fixture = try Fixture(objects: 50)
        for _ in 0..<5 { try fixture.overwrite() }
        var held: Snapshot? = try fixture.test.database.snapshot(label: "a view")
        let text = try SnapshotText.lines(of: try #require(held))
        #expect(fixture.test.database.holders.map(\.label) == ["a view"])
        var sizes: [Int] = []
        for round in 0..<120 {
            try fixture.overwrite()
            sizes.append(try fixture.byteCount())
            if round % 40 == 0 { try fixture.test.audit() }
        }
        #expect(try SnapshotText.lines(of: try #require(held)) == text)
        // Besides the pinned version, there is room for the newest, the one before, and the next.
        #expect(sizes[119] == sizes[10])
        #expect(sizes[119] < 8 * 50_000)
        held = nil
        #expect(fixture.test.database.holders.isEmpty)
        for _ in 0..<3 { try fixture.overwrite() }
        let released = try fixture.byteCount()
        for _ in 0..<30 { try fixture.overwrite() }
        #expect(try fixture.byteCount() == released)
        try fixture.test.close()
    }

    @Test func blocksFreedUnderAPinKeepTheirVersion() throws {
        var fixture = try Fixture(objects: 5)
        let held = try fixture.test.database.snapshot()
        try fixture.overwrite()
        try fixture.overwrite()
        let newest = try fixture.test.database.snapshot()
        let entries = try newest.freeList().entries
        let pending = entries.filter { $0.freedBy > held.version }
        #expect(Set(pending.map(\.freedBy)) == [held.version + 1, held.version + 2])
        #expect(entries.allSatisfy { $0.freedBy == 0 || $0.freedBy > held.version })
        withExtendedLifetime(held) {}
    }

    /// A rolled back or empty transaction leaves no trace but a version.
    @Test func emptyTransactions() throws {
        let fixture = try Fixture(objects: 5)
        let before = try Images.read(fixture.test.path)
        let transaction = try fixture.test.database.beginWrite()
        try transaction.clear(fixture.table)
        _ = try transaction.schema.addTable("class_None")
        transaction.rollback()
        #expect(try Images.read(fixture.test.path) == before)
        let version = fixture.test.database.version
        for _ in 0..<50 { try fixture.test.write { _ in } }
        #expect(fixture.test.database.version == version + 50)
        #expect(try Images.read(fixture.test.path).count == before.count)
        try fixture.test.close()
    }

    @Test func aForgottenTransactionIsRolledBack() throws {
        try TestDatabase.using { test in
            do {
                let transaction = try test.database.beginWrite()
                _ = try transaction.schema.addTable("class_Forgotten")
            }
            #expect(test.database.holders.isEmpty)
            try test.write { _ = try $0.schema.addTable("class_Kept") }
            #expect(try test.database.snapshot().tableKeys().count == 1)
        }
    }
}
