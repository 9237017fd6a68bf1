// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Links to missing objects: created, hidden, resolved, and removed (content 1.6, 5.8).
@Suite struct TombstoneTests {
    /// A target with a primary key, one without, and an origin that can link to both in every way.
    private struct Schema {
        let target, plain, origin: TableKey
        let id, link, plainLink, list, any, anys: ColumnKey

        init(_ transaction: WriteTransaction, _ type: ColumnType = .string) throws {
            target = try transaction.schema.addTable("class_Target")
            plain = try transaction.schema.addTable("class_Plain")
            origin = try transaction.schema.addTable("class_Origin")
            id = try transaction.schema.addColumn("id", type, .nullable, to: target)
            try transaction.schema.setPrimaryKey(id, of: target)
            try transaction.schema.addColumn("number", .int, [.indexed], to: target)
            link = try transaction.schema.addColumn("link", .link, target: target, to: origin)
            plainLink = try transaction.schema.addColumn("plainLink", .link, target: plain, to: origin)
            list = try transaction.schema.addColumn("list", .link, .list, target: target, to: origin)
            any = try transaction.schema.addColumn("any", .mixed, [.nullable, .indexed], to: origin)
            anys = try transaction.schema.addColumn("anys", .mixed, [.nullable, .list], to: origin)
        }

        func link(_ object: ObjectKey, to key: ObjectKey, _ transaction: WriteTransaction) throws {
            let typed = StoredValue.typedLink(ObjectLink(table: target, object: key))
            try transaction.set(.link(key), link, of: object, in: origin)
            for _ in 0..<2 { try transaction.list(list, of: object, in: origin).insert(.link(key), at: 0) }
            try transaction.set(typed, any, of: object, in: origin)
            try transaction.list(anys, of: object, in: origin).insert(typed, at: 0)
        }
    }

    static let values: [StoredValue] = [
        .string("ghost"), .string(""), .null, .int(42), .int(-1), .int(.min),
        .objectId(ObjectIdBytes(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567)),
        .uuid(UUIDBytes(high: .max, low: 1)),
    ]

    /// The names of content 1.6: the low 62 bits of the SHA-1 of "ghost"; −44 for 42.
    @Test func namesFollowFromThePrimaryKey() {
        #expect(GlobalKey(primaryKey: .string("ghost")).localKey.unresolved.rawValue == -3_596_437_768_585_573_574)
        #expect(GlobalKey(primaryKey: .int(42)).localKey.unresolved.rawValue == -44)
        #expect(GlobalKey(primaryKey: .null) == GlobalKey(high: 1, low: 0))
    }

    @Test(arguments: values) func aLinkIsResolvedAndInvalidated(_ value: StoredValue) throws {
        let type: ColumnType =
            switch value {
            case .int: .int
            case .objectId: .objectId
            case .uuid: .uuid
            default: .string
            }
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0, type) }
            let (origin, tombstone) = try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                let tombstone = try transaction.tombstones.key(for: value, in: schema.target)
                #expect(tombstone.isUnresolved)
                #expect(
                    try transaction.tombstones.key(for: value, in: schema.target) == tombstone, "there is one of it")
                try schema.link(origin, to: tombstone, transaction)
                return (origin, tombstone)
            }
            try test.auditTwice()
            try expectUnresolved(test, schema, origin, tombstone)
            let object = try test.write { transaction in
                let object = try transaction.createObject(in: schema.target, [schema.id: value])
                #expect(
                    try transaction.tombstones.key(for: value, in: schema.target) == object, "nothing is missing now")
                return object
            }
            try test.auditTwice()
            try expectResolved(test, schema, origin, object)
            let again = try test.write { try $0.tombstones.invalidate(object, in: schema.target) }
            try test.auditTwice()
            #expect(again == tombstone)
            try expectUnresolved(test, schema, origin, tombstone)
            try test.write { try $0.removeObject(origin, from: schema.origin) }
            try test.auditTwice()
            #expect(try test.database.snapshot().table(schema.target)?.tombstoneKeys() == [])
        }
    }

    private func expectUnresolved(
        _ test: TestDatabase, _ schema: Schema, _ origin: ObjectKey, _ tombstone: ObjectKey
    ) throws {
        let snapshot = try test.database.snapshot()
        let (target, origins) = (
            try #require(try snapshot.table(schema.target)), try #require(try snapshot.table(schema.origin))
        )
        #expect(try target.count() == 0 && target.tombstoneKeys() == [tombstone])
        let number = try #require(target.column(named: "number")).key
        #expect(try target.objects(number, equalTo: .int(0)) == [])
        #expect(try origins.value(schema.link, of: origin) == .null)
        #expect(try origins.value(schema.any, of: origin) == .null)
        #expect(try origins.objects(schema.any, equalTo: .null) == [origin])
        #expect(try origins.list(schema.list, of: origin).keys() == [tombstone, tombstone])
        let position = try target.requireHeld(tombstone)
        let counts = try target.backlinkColumns.map { try target.backlinkCount($0, at: position) }
        #expect(counts.sorted() == [1, 1, 1, 2])
    }

    private func expectResolved(
        _ test: TestDatabase, _ schema: Schema, _ origin: ObjectKey, _ object: ObjectKey
    ) throws {
        let snapshot = try test.database.snapshot()
        let (target, origins) = (
            try #require(try snapshot.table(schema.target)), try #require(try snapshot.table(schema.origin))
        )
        let typed = StoredValue.typedLink(ObjectLink(table: schema.target, object: object))
        #expect(try target.tombstoneKeys() == [] && target.tombstones == nil)
        #expect(try origins.value(schema.link, of: origin) == .link(object))
        #expect(try origins.value(schema.any, of: origin) == typed)
        #expect(try origins.objects(schema.any, equalTo: typed) == [origin])
        #expect(try origins.objects(schema.any, equalTo: .null) == [])
        #expect(try origins.list(schema.list, of: origin).keys() == [object, object])
        #expect(try origins.list(schema.anys, of: origin).values() == [typed])
    }

    @Test func theLastLinkRemovesTheTombstone() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            try test.write { _ = try $0.tombstones.key(for: .string("never"), in: schema.target) }
            #expect(try test.database.snapshot().table(schema.target)?.tombstoneKeys() == [])
            try test.auditTwice()
            let origin = try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                try schema.link(
                    origin, to: try transaction.tombstones.key(for: .string("a"), in: schema.target), transaction)
                return origin
            }
            let steps: [(WriteTransaction) throws -> Void] = [
                { try $0.set(.null, schema.any, of: origin, in: schema.origin) },
                { try $0.set(.null, schema.link, of: origin, in: schema.origin) },
                { try $0.list(schema.list, of: origin, in: schema.origin).erase(at: 0) },
                { try $0.list(schema.anys, of: origin, in: schema.origin).clear() },
                { try $0.list(schema.list, of: origin, in: schema.origin).erase(at: 0) },
            ]
            for (index, step) in steps.enumerated() {
                try test.write(step)
                try test.auditTwice()
                let left = try test.database.snapshot().table(schema.target)?.tombstoneKeys().count
                #expect(left == (index < 4 ? 1 : 0), "after step \(index)")
            }
            let read = try #require(try test.database.snapshot().table(schema.origin))
            #expect(try read.objects(schema.any, equalTo: .null) == [origin])
        }
    }

    @Test func schemaChangesRemoveTombstones() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            func link(_ columns: [ColumnKey]) throws {
                try test.write { transaction in
                    let origin = try transaction.createObject(in: schema.origin)
                    for (number, column) in columns.enumerated() {
                        let key = try transaction.tombstones.key(for: .string("\(number)"), in: schema.target)
                        let typed = StoredValue.typedLink(ObjectLink(table: schema.target, object: key))
                        try transaction.set(
                            column == schema.any ? typed : .link(key), column, of: origin, in: schema.origin)
                    }
                }
            }
            func count() throws -> Int? { try test.database.snapshot().table(schema.target)?.tombstoneKeys().count }
            try link([schema.link, schema.any])
            #expect(try count() == 2)
            // The primary key names the tombstones, so they can't be resolved without it.
            try test.write { try $0.schema.setPrimaryKey(nil, of: schema.target) }
            try test.auditTwice()
            #expect(try count() == 0)
            // Tombstones that wait for an object key are removed with a new primary key.
            try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                let key = try transaction.tombstones.key(for: ObjectKey(77), in: schema.target)
                try transaction.set(.link(key), schema.link, of: origin, in: schema.origin)
            }
            #expect(try count() == 1)
            let number = try test.write { transaction in
                let key = try #require(try transaction.table(schema.target)?.column(named: "number")?.key)
                try transaction.schema.setPrimaryKey(key, of: schema.target)
                return key
            }
            try test.auditTwice()
            #expect(try count() == 0)
            try test.write {
                try $0.schema.setPrimaryKey(nil, of: schema.target)
                try $0.schema.removeColumn(number, of: schema.target)
                try $0.schema.setPrimaryKey(schema.id, of: schema.target)
            }
            try link([schema.any])
            try link([schema.link])
            try test.write { try $0.schema.removeColumn(schema.any, of: schema.origin) }
            try test.auditTwice()
            #expect(try count() == 1)
            let any = try test.write { transaction in
                try transaction.schema.removeColumn(schema.link, of: schema.origin)
                try transaction.schema.removeColumn(schema.list, of: schema.origin)
                return try transaction.schema.addColumn("again", .mixed, .indexed, to: schema.origin)
            }
            try test.auditTwice()
            #expect(try count() == 0)
            try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                let key = try transaction.tombstones.key(for: .string("x"), in: schema.target)
                try transaction.set(
                    .typedLink(ObjectLink(table: schema.target, object: key)), any, of: origin, in: schema.origin)
                try transaction.schema.removeTable(schema.target)
            }
            try test.auditTwice()
        }
    }

    /// Without a primary key, the tombstone is resolved by the object's own key, which no other object gets.
    @Test func plainObjectsAreAwaitedByKey() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                let number = try transaction.schema.addColumn("number", .int, to: schema.plain)
                let key = try transaction.tombstones.key(for: ObjectKey(1), in: schema.plain)
                #expect(key == ObjectKey(-3))
                // A tombstone has the defaults of its table's columns, even after changes of the columns.
                try transaction.schema.setNullable(true, number, of: schema.plain)
                let plain = try #require(try transaction.table(schema.plain))
                let column = try #require(plain.column(named: "number"))
                let value = try plain.value(column, at: try plain.requireHeld(key))
                #expect(value == .null)
                try transaction.set(.link(key), schema.plainLink, of: origin, in: schema.origin)
                #expect(try transaction.createObject(in: schema.plain) == ObjectKey(0))
                #expect(try transaction.createObject(in: schema.plain) == ObjectKey(2), "1 is awaited")
                let origins = try #require(try transaction.table(schema.origin))
                #expect(try origins.value(schema.plainLink, of: origin) == .null)
                try transaction.createObject(ObjectKey(1), in: schema.plain)
                #expect(try origins.value(schema.plainLink, of: origin) == .link(ObjectKey(1)))
                #expect(
                    try transaction.tombstones.invalidate(ObjectKey(2), in: schema.plain) == nil, "nothing links to it")
                #expect(try transaction.tombstones.invalidate(ObjectKey(1), in: schema.plain) == key)
            }
            try test.auditTwice()
        }
    }

    /// An index of Mixed files unresolved links among the nulls, by object key.
    @Test func unresolvedLinksAreNullsToTheIndex() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            var objects: [ObjectKey] = []
            try test.write { transaction in
                for number in 0..<40 {
                    let object = try transaction.createObject(in: schema.origin)
                    objects.append(object)
                    guard number % 3 == 0 else { continue }
                    let key = try transaction.tombstones.key(for: .string("\(number % 4)"), in: schema.target)
                    try transaction.set(
                        .typedLink(ObjectLink(table: schema.target, object: key)), schema.any, of: object,
                        in: schema.origin)
                }
                let origins = try #require(try transaction.table(schema.origin))
                #expect(try origins.objects(schema.any, equalTo: .null) == objects)
            }
            try test.audit()
            try test.write { transaction in
                let object = try transaction.createObject(in: schema.target, [schema.id: .string("0")])
                let origins = try #require(try transaction.table(schema.origin))
                let typed = StoredValue.typedLink(ObjectLink(table: schema.target, object: object))
                let linked = try origins.objects(schema.any, equalTo: typed)
                #expect(linked == [0, 12, 24, 36].map { objects[$0] })
                try transaction.removeObject(object, from: schema.target)
                #expect(try origins.objects(schema.any, equalTo: .null) == objects)
            }
            try test.audit()
        }
    }

    @Test func anObjectThatLinksToItselfLeavesNoTombstone() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            try test.write { transaction in
                let itself = try transaction.schema.addColumn("itself", .link, target: schema.target, to: schema.target)
                let object = try transaction.createObject(in: schema.target, [schema.id: .string("me")])
                try transaction.set(.link(object), itself, of: object, in: schema.target)
                #expect(try transaction.tombstones.invalidate(object, in: schema.target) == nil)
                #expect(try transaction.table(schema.target)?.tombstones == nil)
            }
            try test.auditTwice()
        }
    }

    /// A set may contain an object and a link to an awaited one. Once the object gets the awaited primary key, both are
    /// one element with one backlink.
    @Test func aSetHoldsAResolvedLinkOnce() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            let (set, anySet, origin, object, other) = try test.write { transaction in
                let set = try transaction.schema.addColumn(
                    "set", .link, .set, target: schema.target, to: schema.origin)
                let anySet = try transaction.schema.addColumn("anySet", .mixed, [.nullable, .set], to: schema.origin)
                let origin = try transaction.createObject(in: schema.origin)
                let object = try transaction.createObject(in: schema.target, [schema.id: .string("a")])
                let other = try transaction.createObject(in: schema.target, [schema.id: .string("c")])
                let awaited = try transaction.tombstones.key(for: .string("b"), in: schema.target)
                for key in [object, other, awaited] {
                    let typed = StoredValue.typedLink(ObjectLink(table: schema.target, object: key))
                    try transaction.set(set, of: origin, in: schema.origin).insert(.link(key))
                    try transaction.set(anySet, of: origin, in: schema.origin).insert(typed)
                }
                return (set, anySet, origin, object, other)
            }
            try test.auditTwice()
            func require(_ expected: [ObjectKey]) throws {
                let origins = try #require(try test.database.snapshot().table(schema.origin))
                #expect(try origins.set(set, of: origin).values() == expected.map { .link($0) })
                let typed = expected.map { StoredValue.typedLink(ObjectLink(table: schema.target, object: $0)) }
                #expect(try origins.set(anySet, of: origin).values() == typed)
            }
            try test.write { try $0.set(.string("b"), schema.id, of: object, in: schema.target) }
            try test.auditTwice()
            try require([object, other].sorted())
            let target = try #require(try test.database.snapshot().table(schema.target))
            #expect(try target.tombstoneKeys() == [])
            let counts = try target.backlinkColumns.map {
                try target.backlinkCount($0, at: try target.requireObject(object))
            }
            #expect(counts.sorted() == [0, 0, 1, 1])
            try test.write { try $0.removeObject(object, from: schema.target) }
            try test.auditTwice()
            try require([other])
        }
    }

    @Test(arguments: [false, true]) func nestedLinksAreResolvedAndInvalidated(hasSmallNodes: Bool) throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            let (origin, tombstone, map) = try test.write { transaction in
                let map = try transaction.schema.addColumn("map", .mixed, [.nullable, .dictionary], to: schema.origin)
                let origin = try transaction.createObject(in: schema.origin)
                let tombstone = try transaction.tombstones.key(for: .string("ghost"), in: schema.target)
                if hasSmallNodes { transaction.store.treeCapacity = 4 }
                let typed = StoredValue.typedLink(ObjectLink(table: schema.target, object: tombstone))
                func path(_ column: ColumnKey, _ steps: CollectionPath.Step...) -> CollectionPath {
                    CollectionPath(column, of: origin, in: schema.origin, steps: steps)
                }
                try transaction.setCollection(.list, at: path(schema.any))
                try transaction.list(at: path(schema.anys)).insertCollection(.list, at: 0)
                try transaction.setCollection(.list, at: path(map, .key("k")))
                for list in [path(schema.any), path(schema.anys, .index(0)), path(map, .key("k"))] {
                    for number in 0..<9 {
                        try transaction.list(at: list).insert(.int(Int64(number)), at: number)
                    }
                    try transaction.list(at: list).insert(typed, at: 7)
                    try transaction.list(at: list).insertCollection(.dictionary, at: 3)
                    let dictionary = CollectionPath(
                        list.column, of: origin, in: schema.origin, steps: list.steps + [.index(3)])
                    for key in ["a", "b", "c", "d", "e", "f"] {
                        try transaction.dictionary(at: dictionary).set(.string(key), forKey: key)
                    }
                    try transaction.dictionary(at: dictionary).set(typed, forKey: "e")
                }
                return (origin, tombstone, map)
            }
            try test.auditTwice()
            func require(_ key: ObjectKey) throws {
                let snapshot = try test.database.snapshot()
                let target = try #require(try snapshot.table(schema.target))
                let position = try key.isUnresolved ? target.requireHeld(key) : target.requireObject(key)
                let counts = try target.backlinkColumns.map { try target.backlinkCount($0, at: position) }
                #expect(counts.sorted() == [0, 0, 2, 2, 2])
                let typed = StoredValue.typedLink(ObjectLink(table: schema.target, object: key))
                for (column, steps) in [(schema.any, []), (schema.anys, [.index(0)]), (map, [.key("k")])]
                    as [(ColumnKey, [CollectionPath.Step])]
                {
                    let path = CollectionPath(column, of: origin, in: schema.origin, steps: steps)
                    #expect(try snapshot.collection(path).list?.value(at: 8) == typed)
                    let inner = CollectionPath(column, of: origin, in: schema.origin, steps: steps + [.index(3)])
                    #expect(try snapshot.collection(inner).dictionary?.find("e") == typed)
                }
            }
            try require(tombstone)
            let object = try test.write {
                try $0.createObject(in: schema.target, [schema.id: .string("ghost")])
            }
            try test.auditTwice()
            try require(object)
            #expect(try test.write { try $0.tombstones.invalidate(object, in: schema.target) } == tombstone)
            try test.auditTwice()
            try require(tombstone)
        }
    }

    /// Two UUIDs have one local key. The second one gets another, and both are in the collision map (content 3.3).
    @Test func namesMayCollide() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0, .uuid) }
            let values = (0..<3).map { StoredValue.uuid(UUIDBytes(high: UInt64($0) << 56 | 0x80, low: 99)) }
            let tombstones = try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                return try values.map { value in
                    let key = try transaction.tombstones.key(for: value, in: schema.target)
                    try transaction.list(schema.list, of: origin, in: schema.origin).insert(.link(key), at: 0)
                    return key
                }
            }
            try test.auditTwice()
            #expect(Set(tombstones).count == 3)
            #expect(tombstones[1].unresolved.rawValue >= 0x4000_0000_0000_0000)
            try test.reopen()
            try test.write { transaction in
                let table = try #require(try transaction.table(schema.target))
                #expect(table.collisionsRef != 0)
                for (value, key) in zip(values, tombstones) {
                    #expect(try table.tombstone(primaryKey: value) == key)
                }
                let object = try transaction.createObject(in: schema.target, [schema.id: values[0]])
                let origins = try #require(try transaction.table(schema.origin))
                let list = try origins.list(schema.list, of: origins.clusters.position(at: 0).leaf.key(at: 0)).keys()
                #expect(list == [tombstones[2], tombstones[1], object])
                #expect(try table.tombstone(primaryKey: values[2]) == tombstones[2])
            }
            try test.auditTwice()
            try test.write { transaction in
                for value in values.dropFirst() {
                    _ = try transaction.createObject(in: schema.target, [schema.id: value])
                }
                let table = try #require(try transaction.table(schema.target))
                #expect(table.collisionsRef == 0 && table.tombstones == nil)
            }
            try test.auditTwice()
        }
    }

    @Test func longListsTrackUnresolvedKeys() throws {
        try TestDatabase.using { test in
            let schema = try test.write { try Schema($0) }
            try test.write { transaction in
                let origin = try transaction.createObject(in: schema.origin)
                let origins = try #require(try transaction.table(schema.origin))
                func root() throws -> NodeHeader {
                    let list = try #require(origins.column(schema.list))
                    let ref = try origins.collectionRoot(list, at: try origins.requireObject(origin))
                    return try transaction.store.node(ref).header
                }
                let object = try transaction.createObject(in: schema.target, [schema.id: .string("there")])
                for index in 0..<1500 {
                    try transaction.list(schema.list, of: origin, in: schema.origin).insert(.link(object), at: index)
                }
                #expect(try root().isInner && !root().hasContext)
                let missing = try transaction.tombstones.key(for: .string("missing"), in: schema.target)
                try transaction.list(schema.list, of: origin, in: schema.origin).set(.link(missing), at: 1200)
                #expect(try root().hasContext)
                try transaction.list(schema.list, of: origin, in: schema.origin).move(from: 1200, to: 3)
                #expect(try root().hasContext)
                for _ in 0..<1496 {
                    try transaction.list(schema.list, of: origin, in: schema.origin).erase(at: 4)
                }
                #expect(try !root().isInner && root().hasContext)
                for index in 0..<1500 {
                    try transaction.list(schema.list, of: origin, in: schema.origin).insert(.link(object), at: index)
                }
                #expect(try root().isInner && root().hasContext)
                let found = try transaction.createObject(in: schema.target, [schema.id: .string("missing")])
                #expect(try !root().hasContext)
                #expect(try origins.list(schema.list, of: origin).keys().filter { $0 == found }.count == 1)
                _ = try transaction.tombstones.invalidate(object, in: schema.target)
                #expect(try root().hasContext)
            }
            try test.auditTwice()
        }
    }

    /// In files of the reference, every tombstone with a primary key can be resolved, and every object invalidated.
    @Test func tombstonesOfTheReference() throws {
        let source = Fixtures.path("v24/tombstones.realm")
        let folder = try TemporaryFolder()
        let path = folder.path + "/tombstones.realm"
        try FileManager.default.copyItem(atPath: source, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let database = try Database.open(path)
        let before = try SnapshotText.lines(of: database.snapshot())
        var resolved: [(TableKey, ObjectKey, ObjectKey)] = []
        try database.write { transaction in
            for key in try transaction.tableKeys() {
                let table = try #require(try transaction.table(key))
                for tombstone in try table.tombstoneKeys() {
                    let links = try Self.links(to: tombstone, in: table)
                    let object: ObjectKey
                    if let primaryKey = table.primaryKey {
                        let value = try #require(try table.tombstoneValue(of: tombstone))
                        object = try transaction.createObject(in: key, [primaryKey: value])
                    } else {
                        object = tombstone.unresolved
                        try transaction.createObject(object, in: key)
                    }
                    #expect(try Self.links(to: object, in: table) == links && !links.isEmpty)
                    resolved.append((key, tombstone, object))
                }
                #expect(table.tombstones == nil)
            }
        }
        #expect(resolved.count > 10)
        try FileAudit.requireCleanTwice(path: path)
        try database.write { transaction in
            for (table, tombstone, object) in resolved {
                let again = try transaction.tombstones.invalidate(object, in: table)
                #expect(again == tombstone)
            }
        }
        try FileAudit.requireCleanTwice(path: path)
        // The visible content is unchanged, except for the order of sets and backlinks.
        let after = try SnapshotText.lines(of: database.snapshot())
        #expect(after.count == before.count)
    }

    private static func links(to key: ObjectKey, in table: Table) throws -> [[ObjectKey]] {
        let position = try table.requireHeld(key)
        return try table.backlinkColumns.map { try table.backlinks($0, at: position).sorted() }
    }
}
