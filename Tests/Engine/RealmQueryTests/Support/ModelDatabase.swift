// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport

@testable import RealmQuery

// Foundation declares these names too.
typealias Predicate = RealmQuery.Predicate
typealias PredicateError = RealmQuery.PredicateError

/// A random database and a model of its content.
final class ModelDatabase {
    struct Property {
        enum Kind { case single, list, link, linkList }
        let name: String
        let kind: Kind
        let type: ColumnType
        let isNullable: Bool
        let target: Int
        var key = ColumnKey.null
    }

    struct Inverse {
        let name: String
        let origin: Int
        let property: String
    }

    struct Class {
        let name: String
        let table: TableKey
        var properties: [Property] = []
        var inverses: [Inverse] = []
        var keys: [ObjectKey] = []
        /// The values of each property, one for properties that aren't lists. Links are `.link`.
        var values: [ObjectKey: [String: [StoredValue]]] = [:]
    }

    static let types: [ColumnType] = [
        .int, .bool, .float, .double, .string, .binary, .timestamp, .decimal, .objectId, .uuid, .mixed,
    ]

    let database: Database
    private(set) var classes: [Class] = []
    private(set) var snapshot: Snapshot
    private var pool: ValuePool
    private var origins: [String: [ObjectKey: [ObjectKey]]] = [:]

    init(_ random: inout SeededGenerator) throws {
        database = try Database.inMemory(in: NSTemporaryDirectory())
        pool = ValuePool(&random)
        snapshot = try database.snapshot(label: "empty")
        let transaction = try database.beginWrite()
        for index in 0..<2 + random.below(2) {
            classes.append(Class(name: "C\(index)", table: try transaction.schema.addTable("class_C\(index)")))
        }
        for index in classes.indices { try addProperties(index, transaction, &random) }
        for index in classes.indices { try addObjects(index, transaction, &random) }
        for index in classes.indices { try addLinks(index, transaction, &random) }
        try removeObjects(transaction, &random)
        try transaction.commit()
        snapshot = try database.snapshot(label: "model")
        for inverse in classes.flatMap(\.inverses) { collectOrigins(inverse) }
    }

    // MARK: Schema

    private func addProperties(
        _ index: Int, _ transaction: WriteTransaction, _ random: inout SeededGenerator
    ) throws {
        let types = Self.types.filter { _ in random.chance(60) }
        for (number, type) in types.enumerated() {
            let isNullable = type == .mixed || random.chance(50)
            try add(
                Property(name: "p\(number)_\(type)", kind: .single, type: type, isNullable: isNullable, target: 0),
                index, transaction, indexed: type.isIndexable && random.chance(40))
        }
        for number in 0..<random.below(3) {
            let type = Self.types.randomElement(using: &random)!
            let isNullable = type == .mixed || random.chance(50)
            try add(
                Property(name: "l\(number)_\(type)", kind: .list, type: type, isNullable: isNullable, target: 0),
                index, transaction, indexed: false)
        }
        for number in 0..<1 + random.below(2) {
            for kind in [Property.Kind.link, .linkList] {
                let target = random.below(classes.count)
                let name = "\(kind)\(number)"
                try add(
                    Property(name: name, kind: kind, type: .link, isNullable: kind == .link, target: target), index,
                    transaction, indexed: false)
                let inverse = "of\(index)_\(name)"
                classes[target].inverses.append(Inverse(name: inverse, origin: index, property: name))
            }
        }
    }

    private func add(
        _ property: Property, _ index: Int, _ transaction: WriteTransaction, indexed: Bool
    ) throws {
        var attributes: ColumnAttributes = property.isNullable ? .nullable : []
        if property.kind == .list || property.kind == .linkList { attributes.insert(.list) }
        if indexed { attributes.insert(.indexed) }
        let target = property.type == .link ? classes[property.target].table : nil
        var property = property
        property.key = try transaction.schema.addColumn(
            property.name, property.type, attributes, target: target, to: classes[index].table)
        classes[index].properties.append(property)
    }

    // MARK: Objects

    private func addObjects(_ index: Int, _ transaction: WriteTransaction, _ random: inout SeededGenerator) throws {
        let table = classes[index].table
        for _ in 0..<(random.chance(6) ? 600 : [3, 20, 30, 60][random.below(4)]) {
            var stored: [ColumnKey: StoredValue] = [:]
            var values: [String: [StoredValue]] = [:]
            for property in classes[index].properties {
                values[property.name] = property.kind == .list || property.kind == .linkList ? [] : [.null]
                guard property.kind == .single else { continue }
                let value = pool.value(property.type, nullable: property.isNullable, &random)
                stored[property.key] = value
                values[property.name] = [value]
            }
            let key = try transaction.createObject(in: table, stored)
            classes[index].keys.append(key)
            classes[index].values[key] = values
            for property in classes[index].properties where property.kind == .list {
                try fill(property, key, index, transaction, &random)
            }
        }
    }

    private func fill(
        _ property: Property, _ key: ObjectKey, _ index: Int, _ transaction: WriteTransaction,
        _ random: inout SeededGenerator
    ) throws {
        for position in 0..<random.below(5) {
            let value = pool.value(property.type, nullable: property.isNullable, &random)
            try transaction.list(property.key, of: key, in: classes[index].table).insert(value, at: position)
            classes[index].values[key]![property.name]!.append(value)
        }
    }

    private func addLinks(_ index: Int, _ transaction: WriteTransaction, _ random: inout SeededGenerator) throws {
        let table = classes[index].table
        for property in classes[index].properties where property.type == .link {
            let targets = classes[property.target].keys
            for key in classes[index].keys {
                if property.kind == .link {
                    guard random.chance(70) else { continue }
                    let target = StoredValue.link(targets.randomElement(using: &random)!)
                    try transaction.set(target, property.key, of: key, in: table)
                    classes[index].values[key]![property.name] = [target]
                } else {
                    for position in 0..<random.below(4) {
                        let target = StoredValue.link(targets.randomElement(using: &random)!)
                        try transaction.list(property.key, of: key, in: table).insert(target, at: position)
                        classes[index].values[key]![property.name]!.append(target)
                    }
                }
            }
        }
    }

    /// Leaves gaps between the keys, and cluster leaves in general form.
    private func removeObjects(_ transaction: WriteTransaction, _ random: inout SeededGenerator) throws {
        for index in classes.indices {
            for key in classes[index].keys where random.chance(15) {
                try transaction.removeObject(key, from: classes[index].table)
                classes[index].keys.removeAll { $0 == key }
                classes[index].values[key] = nil
                unlink(.link(key), target: index)
            }
        }
    }

    private func unlink(_ link: StoredValue, target: Int) {
        for index in classes.indices {
            for property in classes[index].properties where property.type == .link && property.target == target {
                for key in classes[index].keys {
                    let values = classes[index].values[key]![property.name]!
                    guard values.contains(link) else { continue }
                    classes[index].values[key]![property.name] =
                        property.kind == .link ? [.null] : values.filter { $0 != link }
                }
            }
        }
    }

    // MARK: Names

    var names: PropertyNames {
        let inverses = Dictionary(
            uniqueKeysWithValues: classes.flatMap { owner in
                owner.inverses.map { inverse in
                    (
                        owner.name + "." + inverse.name,
                        NamedProperty.backlinks(className: classes[inverse.origin].name, column: inverse.property)
                    )
                }
            })
        return PropertyNames { inverses[$0 + "." + $1] ?? .column($1) }
    }

    private func collectOrigins(_ inverse: Inverse) {
        var found: [ObjectKey: [ObjectKey]] = [:]
        for origin in classes[inverse.origin].keys {
            for value in classes[inverse.origin].values[origin]![inverse.property]! {
                if case .link(let target) = value { found[target, default: []].append(origin) }
            }
        }
        origins["\(inverse.origin).\(inverse.property)"] = found
    }

    func backlinks(_ inverse: Inverse, _ key: ObjectKey) -> [ObjectKey] {
        origins["\(inverse.origin).\(inverse.property)"]?[key] ?? []
    }

    func constant(_ type: ColumnType, _ random: inout SeededGenerator) -> StoredValue {
        pool.value(type, nullable: true, &random)
    }
}
