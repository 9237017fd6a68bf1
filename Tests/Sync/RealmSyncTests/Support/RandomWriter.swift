// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

/// Random writes to properties of all types, by the instructions of an application's calls.
struct RandomWriter {
    let transaction: WriteTransaction
    var generator: SeededGenerator

    static let plain: [ColumnType] = [
        .int, .bool, .string, .binary, .timestamp, .float, .double, .decimal, .objectId, .uuid,
    ]

    // MARK: Schema

    static func makeSchema(_ transaction: WriteTransaction) throws {
        let all = try transaction.schema.addTable("class_All")
        let part = try transaction.schema.addTable("class_Part", kind: .embedded)
        let text = try transaction.schema.addTable("class_Text")
        _ = try transaction.schema.addTable("internal")
        let column = try transaction.schema.addColumn("_id", .int, to: all)
        try transaction.schema.setPrimaryKey(column, of: all)
        let name = try transaction.schema.addColumn("name", .string, [.nullable, .indexed], to: text)
        try transaction.schema.setPrimaryKey(name, of: text)
        for type in plain + [.mixed] {
            for attributes: ColumnAttributes in [[], .list, .set, .dictionary] {
                for isNullable in type == .mixed ? [true] : [false, true] {
                    let attributes = isNullable ? attributes.union(.nullable) : attributes
                    let name = "\(type)\(attributes.rawValue)"
                    try transaction.schema.addColumn(name, type, attributes, to: all)
                }
            }
        }
        for (table, prefix) in [(all, ""), (part, "")] {
            try transaction.schema.addColumn(prefix + "friend", .link, target: text, to: table)
            try transaction.schema.addColumn(prefix + "friends", .link, .list, target: all, to: table)
            try transaction.schema.addColumn(prefix + "chosen", .link, .set, target: text, to: table)
            try transaction.schema.addColumn(prefix + "named", .link, .dictionary, target: all, to: table)
            try transaction.schema.addColumn(prefix + "part", .link, target: part, to: table)
            try transaction.schema.addColumn(prefix + "parts", .link, .list, target: part, to: table)
        }
        try transaction.schema.addColumn("partsByName", .link, .dictionary, target: part, to: all)
        try transaction.schema.addColumn("n", .int, to: part)
        try transaction.schema.addColumn("any", .mixed, to: part)
        try transaction.schema.addColumn("words", .string, .list, to: part)
        try transaction.schema.addColumn("numbers", .int, .dictionary, to: part)
    }

    // MARK: Writes

    mutating func write(_ count: Int) throws {
        for _ in 0..<count { try write() }
    }

    private mutating func write() throws {
        let all = try table("class_All")
        let text = try table("class_Text")
        switch generator.below(20) {
        case 0, 1: try createNumbered(all)
        case 2: try createNamed(text)
        case 3:
            let table = generator.chance(30) ? text : all
            guard let object = try pick(table) else { return }
            try transaction.removeObject(object, from: table.key)
        case 4:
            guard generator.chance(10) else { return }
            let keys = try (0..<3).compactMap { _ in try pick(text) }
            try transaction.removeObjects(keys, from: text.key)
        case 5..<9:
            let part = try table("class_Part")
            guard let object = try pick(part) else { return }
            try change(part, object)
        default:
            guard let object = try pick(all) else { return try createNumbered(all) }
            try change(all, object)
        }
    }

    private func table(_ name: String) throws -> Table {
        guard let table = try transaction.table(named: name) else { throw Failure("no \(name)") }
        return table
    }

    private mutating func pick(_ table: Table) throws -> ObjectKey? {
        var keys: [ObjectKey] = []
        try table.clusters.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        return keys.isEmpty ? nil : generator.pick(keys)
    }

    private mutating func createNumbered(_ table: Table) throws {
        guard let key = table.primaryKey, let column = table.column(named: "int0") else { return }
        let value = StoredValue.int(Int64(generator.below(30)))
        guard try table.object(primaryKey: value) == nil else { return }
        transaction.givesDefaults = generator.chance(20)
        _ = try transaction.createObject(in: table.key, [key: value, column.key: .int(5)])
        transaction.givesDefaults = false
    }

    private mutating func createNamed(_ table: Table) throws {
        guard let key = table.primaryKey else { return }
        let value = generator.chance(10) ? StoredValue.null : .string(word())
        guard try table.object(primaryKey: value) == nil else { return }
        _ = try transaction.createObject(in: table.key, [key: value])
    }

    private mutating func change(_ table: Table, _ object: ObjectKey) throws {
        let columns = table.publicColumns.filter { $0.key != table.primaryKey }
        let column = generator.pick(columns)
        let path = CollectionPath(column.key, of: object, in: table.key)
        let target = try column.type == .link ? transaction.table(table.oppositeTables[column.leafIndex]) : nil
        if column.key.isList {
            try changeList(path, table, column, target)
        } else if column.key.isSet {
            try changeSet(path, table, column, target)
        } else if column.key.isDictionary {
            try changeDictionary(path, table, column, target)
        } else if let target, target.isEmbedded {
            if generator.chance(60) {
                _ = try transaction.links.createEmbedded(column.key, of: object, in: table.key)
            } else {
                try transaction.set(.null, column.key, of: object, in: table.key)
            }
        } else if column.type == .mixed {
            try changeMixed(path, table, column)
        } else if column.type == .int, generator.chance(40) {
            try transaction.addInteger(Int64(generator.below(9)) - 4, column.key, of: object, in: table.key)
        } else {
            try transaction.set(element(column, target), column.key, of: object, in: table.key)
        }
    }

    private mutating func changeMixed(_ path: CollectionPath, _ table: Table, _ column: Column) throws {
        switch try transaction.collectionIfPresent(path) {
        case .list where generator.chance(80): try changeList(path, table, column, nil)
        case .dictionary where generator.chance(80): try changeDictionary(path, table, column, nil)
        default:
            if generator.chance(50) {
                try transaction.setCollection(generator.chance(50) ? .list : .dictionary, at: path)
            } else {
                try transaction.set(mixed(), column.key, of: path.object, in: path.table)
            }
        }
    }

    // MARK: Collections

    private mutating func changeList(
        _ path: CollectionPath, _ table: Table, _ column: Column, _ target: Table?
    ) throws {
        let count = try transaction.collection(path).count
        if let target, target.isEmbedded, count == 0 || generator.chance(30) {
            _ = try transaction.list(column.key, of: path.object, in: table.key).createEmbedded(
                at: generator.below(count + 1))
            return
        }
        if column.type == .mixed, !column.key.isCollection || generator.chance(60) {
            if try changeNested(path, count, table, column) { return }
        }
        let isEmbedded = target?.isEmbedded ?? false
        switch generator.below(10) {
        case 0..<3 where !isEmbedded:
            guard let value = try present(column, target) else { return }
            try transaction.list(at: path).insert(value, at: generator.below(count + 1))
        case 3 where !isEmbedded:
            let values = try (0..<3).compactMap { _ in try present(column, target) }
            try transaction.list(at: path).insert(contentsOf: values, at: generator.below(count + 1))
        case 4, 5:
            guard count > 0, !isEmbedded, let value = try present(column, target) else { return }
            try transaction.list(at: path).set(value, at: generator.below(count))
        case 6: if count > 0 { try transaction.list(at: path).erase(at: generator.below(count)) }
        case 7:
            if count > 0 {
                try transaction.list(at: path).move(from: generator.below(count), to: generator.below(count))
            }
        case 8: if count > 0 { try transaction.list(at: path).swap(generator.below(count), generator.below(count)) }
        case 9: if generator.chance(30) { try transaction.list(at: path).clear() }
        default: break
        }
    }

    /// Enters an element that is a collection, or creates one. Returns whether it did.
    private mutating func changeNested(
        _ path: CollectionPath, _ count: Int, _ table: Table, _ column: Column
    ) throws -> Bool {
        if path.level > 3 { return false }
        let kind: NestedKind = generator.chance(50) ? .list : .dictionary
        if count == 0 || generator.chance(20) {
            try transaction.list(at: path).insertCollection(kind, at: generator.below(count + 1))
            return true
        }
        let inner = path.appending(.index(generator.below(count)))
        switch try transaction.collectionIfPresent(inner) {
        case .list: try changeList(inner, table, column, nil)
        case .dictionary: try changeDictionary(inner, table, column, nil)
        default:
            guard generator.chance(30) else { return false }
            try transaction.setCollection(kind, at: inner)
        }
        return true
    }

    private mutating func changeSet(
        _ path: CollectionPath, _ table: Table, _ column: Column, _ target: Table?
    ) throws {
        guard generator.chance(97) else {
            return try transaction.set(column.key, of: path.object, in: table.key).clear()
        }
        guard let value = try column.type == .mixed ? .int(Int64(generator.below(9))) : present(column, target) else {
            return
        }
        if generator.chance(60) {
            try transaction.set(at: path).insert(value)
        } else {
            try transaction.set(column.key, of: path.object, in: table.key).erase(value)
        }
    }

    private mutating func changeDictionary(
        _ path: CollectionPath, _ table: Table, _ column: Column, _ target: Table?
    ) throws {
        let key = generator.pick(["a", "b", "c", "é"])
        if let target, target.isEmbedded, generator.chance(60) {
            _ = try transaction.dictionary(column.key, of: path.object, in: table.key).createEmbedded(forKey: key)
            return
        }
        switch generator.below(10) {
        case 0, 1: try transaction.dictionary(at: path).erase(key)
        case 2: if generator.chance(20) { try transaction.dictionary(at: path).clear() }
        case 3..<6 where column.type == .mixed && path.level < 4:
            let inner = path.appending(.key(key))
            switch try transaction.collectionIfPresent(inner) {
            case .list: try changeList(inner, table, column, nil)
            case .dictionary: try changeDictionary(inner, table, column, nil)
            default: try transaction.setCollection(generator.chance(50) ? .list : .dictionary, at: inner)
            }
        default:
            let isEmbedded = target?.isEmbedded ?? false
            let value = try isEmbedded ? .null : element(column, target)
            try transaction.dictionary(at: path).set(value, forKey: key)
        }
    }

    // MARK: Values

    private mutating func word() -> String {
        generator.pick(["", "a", "ab", "é", "\u{1F600}", "a word of some length, so that it is not a short one"])
    }

    private mutating func present(_ column: Column, _ target: Table?) throws -> StoredValue? {
        guard let target else { return try element(column, nil) }
        return try pick(target).map { .link($0) }
    }

    private mutating func element(_ column: Column, _ target: Table?) throws -> StoredValue {
        if let target { return try pick(target).map { .link($0) } ?? .null }
        if column.type == .mixed { return try mixed() }
        if column.key.isNullable, generator.chance(15) { return .null }
        return plain(column.type)
    }

    private mutating func mixed() throws -> StoredValue {
        if generator.chance(20) {
            let table = try table(generator.chance(50) ? "class_All" : "class_Text")
            return try pick(table).map { .typedLink(ObjectLink(table: table.key, object: $0)) } ?? .null
        }
        return generator.chance(10) ? .null : plain(generator.pick(RandomWriter.plain))
    }

    private mutating func plain(_ type: ColumnType) -> StoredValue {
        let number = Int64(generator.below(7)) - 3
        switch type {
        case .int: return .int(generator.chance(10) ? .min : number)
        case .bool: return .bool(number > 0)
        case .string: return .string(word())
        case .binary: return .binary(Array(repeating: UInt8(number + 3), count: Int(number + 3)))
        case .timestamp: return .timestamp(Timestamp(seconds: number, nanoseconds: Int32(number) * 1000))
        case .float: return .float(Float(number) + 0.5)
        case .double: return .double(Double(number) + 0.25)
        case .decimal: return .decimal(DecimalBits("\(number).5") ?? .zero)
        case .objectId: return .objectId(ObjectIdBytes(high: UInt64(number + 3), low: 7))
        case .uuid: return .uuid(UUIDBytes(high: UInt64(number + 3), low: 9))
        default: return .null
        }
    }
}
