// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport

@testable import RealmQuery

/// Objects with properties of all kinds, with many paths between them.
struct RichDatabase {
    let database: Database
    let table: TableKey
    let keys: [ObjectKey]
    let snapshot: Snapshot

    static let singles: [(name: String, type: ColumnType)] = [
        ("i", .int), ("io", .int), ("b", .bool), ("f", .float), ("d", .double), ("s", .string), ("so", .string),
        ("data", .binary), ("date", .timestamp), ("oid", .objectId), ("uuid", .uuid), ("dec", .decimal),
        ("any", .mixed),
    ]
    static let collections: [(name: String, type: ColumnType)] = [
        ("li", .int), ("ls", .string), ("ld", .double), ("lany", .mixed), ("si", .int), ("ss", .string),
        ("mi", .int), ("ms", .string), ("many", .mixed),
    ]
    static let toMany = ["llink", "slink", "mlink", "@links.Rich.link", "@links.Rich.llink", "lplace"]

    init(count: Int, seed: UInt64) throws {
        database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Rich")
        let places = try write.schema.addTable("class_Place", kind: .embedded)
        let type = try write.schema.addColumn("type", .string, [], to: places)
        let coordinates = try write.schema.addColumn("coordinates", .double, .list, to: places)
        let inner = try write.schema.addColumn("x", .int, [], to: places)
        var columns: [String: ColumnKey] = [:]
        for (name, type) in Self.singles {
            var attributes: ColumnAttributes = ["io", "so", "any"].contains(name) ? .nullable : []
            if ["io", "s", "oid"].contains(name) { attributes.insert(.indexed) }
            columns[name] = try write.schema.addColumn(name, type, attributes, to: table)
        }
        columns["ft"] = try write.schema.addColumn("ft", .string, [.nullable, .fullTextIndexed], to: table)
        for (name, type) in Self.collections {
            var attributes = Self.kind(name)
            if type == .mixed { attributes.insert(.nullable) }
            columns[name] = try write.schema.addColumn(name, type, attributes, to: table)
        }
        for name in ["link", "llink", "slink", "mlink"] {
            let attributes = name == "link" ? .nullable : Self.kind(name)
            columns[name] = try write.schema.addColumn(
                name, .link, name == "mlink" ? [attributes, .nullable] : attributes, target: table, to: table)
        }
        columns["place"] = try write.schema.addColumn("place", .link, .nullable, target: places, to: table)
        columns["lplace"] = try write.schema.addColumn("lplace", .link, .list, target: places, to: table)

        var random = SeededGenerator(seed: seed)
        let pool = ValuePool(&random)
        var keys: [ObjectKey] = []
        for _ in 0..<count {
            var values = [columns["ft"]!: StoredValue.string("some words of text")]
            for (name, type) in Self.singles {
                values[columns[name]!] = pool.value(
                    type, nullable: ["io", "so", "any"].contains(name), &random)
            }
            keys.append(try write.createObject(in: table, values))
        }
        for key in keys {
            for (name, type) in Self.collections {
                for index in 0..<random.below(3) {
                    let value = pool.value(type, nullable: type == .mixed, &random)
                    let column = columns[name]!
                    switch Self.kind(name) {
                    case .list: try write.list(column, of: key, in: table).insert(value, at: index)
                    case .set: _ = try write.set(column, of: key, in: table).insert(value)
                    default: _ = try write.dictionary(column, of: key, in: table).set(value, forKey: "k\(index)")
                    }
                }
            }
            let target = { (random: inout SeededGenerator) in StoredValue.link(keys[random.below(keys.count)]) }
            if random.chance(80) { try write.set(target(&random), columns["link"]!, of: key, in: table) }
            for index in 0..<3 {
                try write.list(columns["llink"]!, of: key, in: table).insert(target(&random), at: index)
                _ = try write.set(columns["slink"]!, of: key, in: table).insert(target(&random))
            }
            _ = try write.dictionary(columns["mlink"]!, of: key, in: table).set(target(&random), forKey: "k0")
            var embedded = [try write.links.createEmbedded(columns["place"]!, of: key, in: table)]
            embedded.append(try write.list(columns["lplace"]!, of: key, in: table).createEmbedded(at: 0))
            for place in embedded {
                try write.set(.string("Point"), type, of: place, in: places)
                try write.set(.int(Int64(random.below(5))), inner, of: place, in: places)
                for index in 0..<2 {
                    try write.list(coordinates, of: place, in: places).insert(
                        .double(Double(random.below(90))), at: index)
                }
            }
        }
        try write.commit()
        (self.table, self.keys) = (table, keys)
        snapshot = try database.snapshot(label: "rich")
    }

    private static func kind(_ name: String) -> ColumnAttributes {
        switch name.first {
        case "s": .set
        case "m": .dictionary
        default: .list
        }
    }
}
