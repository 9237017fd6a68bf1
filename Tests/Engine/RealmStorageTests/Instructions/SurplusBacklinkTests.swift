// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Surplus backlinks as the reference leaves them (content 13.9, 13.19), and links that aren't allowed.
@Suite struct SurplusBacklinkTests {
    private static let columns: [(name: String, attributes: ColumnAttributes)] = [
        ("property", .nullable), ("list", [.nullable, .list]), ("set", [.nullable, .set]),
        ("dictionary", [.nullable, .dictionary]), ("indexed", [.nullable, .indexed]),
    ]

    /// An object with a surplus backlink, a link, and a nested link can be removed. Objects that don't link to it stay
    /// unchanged.
    @Test(arguments: columns.map(\.name), 0..<3) func objectsCanBeRemoved(_ name: String, links: Int) throws {
        try TestDatabase.using { test in
            let attributes = try #require(SurplusBacklinkTests.columns.first { $0.name == name }).attributes
            try test.write { transaction in
                let target = try transaction.schema.addTable("class_Target")
                let origin = try transaction.schema.addTable("class_Origin")
                let column = try transaction.schema.addColumn("value", .mixed, attributes, to: origin)
                let (doomed, other) = (
                    try transaction.createObject(in: target), try transaction.createObject(in: target)
                )
                let object = try transaction.createObject(in: origin)
                let path = CollectionPath(column, of: object, in: origin, steps: [])
                func add(_ value: StoredValue) throws {
                    switch name {
                    case "list": try transaction.list(at: path).insert(value, at: 0)
                    case "set": _ = try transaction.set(column, of: object, in: origin).insert(value)
                    case "dictionary":
                        try transaction.dictionary(at: path).set(value, forKey: "k\(transaction.clock.count)")
                    default: try transaction.set(value, column, of: object, in: origin)
                    }
                }
                let doomedLink = StoredValue.typedLink(ObjectLink(table: target, object: doomed))
                if links == 1 { try add(doomedLink) }
                if links == 2, name == "property" || name == "list" {
                    if name == "list" { try transaction.list(at: path).insertCollection(.list, at: 0) }
                    if name == "property" { try transaction.setCollection(.list, at: path) }
                    let inner = CollectionPath(
                        column, of: object, in: origin, steps: name == "list" ? [.index(0)] : [])
                    try transaction.list(at: inner).insert(.int(5), at: 0)
                    try transaction.list(at: inner).insert(doomedLink, at: 0)
                    try transaction.list(at: inner).insert(doomedLink, at: 0)
                }
                if name == "list" || name == "set" || name == "dictionary" {
                    try add(.typedLink(ObjectLink(table: target, object: other)))
                    try add(.int(7))
                }
                let (from, to) = (
                    try #require(try transaction.table(origin)), try #require(try transaction.table(target))
                )
                let info = try from.require(column)
                for _ in 0..<2 { try transaction.links.addBacklink(to: doomed, in: to, from: object, info, of: from) }
                let before = try SurplusBacklinkTests.origins(transaction)
                try transaction.removeObject(doomed, from: target)
                #expect(try #require(try transaction.table(target)).count() == 1)
                let after = try SurplusBacklinkTests.origins(transaction)
                if links == 0 { #expect(before == after) }
            }
        }
    }

    private static func origins(_ transaction: WriteTransaction) throws -> [String] {
        let lines = try SnapshotText.lines(of: transaction).drop { !$0.hasPrefix("class_Origin") }
        try require(lines.count == 3, "one column and one object: \(lines)")
        return Array(lines)
    }

    /// A column of links has no such entries, so a link to another object stays.
    @Test func linksToOthersStay() throws {
        try TestDatabase.using { test in
            let transaction = try test.database.beginWrite()
            let target = try transaction.schema.addTable("class_Target")
            let origin = try transaction.schema.addTable("class_Origin")
            let column = try transaction.schema.addColumn("link", .link, .nullable, target: target, to: origin)
            let (doomed, other) = (try transaction.createObject(in: target), try transaction.createObject(in: target))
            let object = try transaction.createObject(in: origin)
            try transaction.set(.link(other), column, of: object, in: origin)
            let (from, to) = (try #require(try transaction.table(origin)), try #require(try transaction.table(target)))
            try transaction.links.addBacklink(to: doomed, in: to, from: object, try from.require(column), of: from)
            #expect(throws: StorageError.self) { try transaction.removeObject(doomed, from: target) }
            #expect(try from.value(column, of: object) == .link(other))
            transaction.rollback()
        }
    }

    /// Mixed links lead neither to nor from objects of asymmetric tables, and aren't set while an object is created
    /// (content 12.2).
    @Test func linksOfAsymmetricTablesAreRefused() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let plain = try transaction.schema.addTable("class_Plain")
                let asymmetric = try transaction.schema.addTable("class_Asymmetric", kind: .asymmetric)
                func refused(_ body: () throws -> Void) {
                    let before = transaction.clock.value
                    #expect { try body() } throws: { ($0 as? StorageError)?.code == .invalidArgument }
                    #expect(transaction.clock.value == before)
                }
                var objects: [TableKey: ObjectKey] = [:]
                for table in [plain, asymmetric] { objects[table] = try transaction.createObject(in: table) }
                for (table, other) in [(plain, asymmetric), (asymmetric, plain)] {
                    let link = StoredValue.typedLink(ObjectLink(table: other, object: objects[other]!))
                    let object = objects[table]!
                    let single = try transaction.schema.addColumn("single", .mixed, .nullable, to: table)
                    let list = try transaction.schema.addColumn("list", .mixed, [.nullable, .list], to: table)
                    let path = CollectionPath(list, of: object, in: table, steps: [])
                    refused { try transaction.set(link, single, of: object, in: table) }
                    refused { try transaction.list(at: path).insert(link, at: 0) }
                    refused { _ = try transaction.createObject(in: table, [single: link]) }
                    try transaction.set(.int(1), single, of: object, in: table)
                    try transaction.list(at: path).insert(.string("a"), at: 0)
                }
            }
        }
    }
}
