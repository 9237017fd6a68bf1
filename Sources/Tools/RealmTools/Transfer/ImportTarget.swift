// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmValues

final class ImportTarget {
    private let write: WriteTransaction
    private let mappings: [ByteText: String]
    private let updates: Bool
    private let parser: ValueParser
    private var classes: [ByteText: ImportedClass] = [:]
    /// Represents links to missing objects by tombstones, until the object is imported.
    private let writer: ObjectWriter

    /// `mappings` has the properties of renamed fields, empty for an omitted one.
    init(_ write: WriteTransaction, cellsHoldJSON: Bool, mappings: [ByteText: String], updates: Bool) {
        self.write = write
        self.mappings = mappings
        self.updates = updates
        parser = ValueParser(source: write, cellsHoldJSON: cellsHoldJSON)
        writer = ObjectWriter(write: write) { name in
            switch name {
            case .primaryKey(let table, let value):
                ObjectLink(table: table, object: try write.tombstones.key(for: value, in: table))
            case .key(let table, let key):
                ObjectLink(table: table, object: try write.tombstones.key(for: key, in: table))
            }
        }
    }

    static func prepare(_ schema: SchemaDescription, in write: WriteTransaction) throws {
        var new: [(TableDescription, TableKey)] = []
        for table in schema.tables {
            guard let name = table.className else { continue }
            if try write.table(named: FileFormat.classPrefix + name) == nil {
                new.append((table, try write.schema.addTable(FileFormat.classPrefix + name, kind: table.kind)))
            }
        }
        // Links may refer to any of the classes.
        for (table, key) in new {
            let columns = try write.schema.addColumns(try table.properties.map { try column($0, in: write) }, to: key)
            for (property, column) in zip(table.properties, columns) where property.isPrimaryKey {
                try write.schema.setPrimaryKey(column, of: key)
            }
        }
    }

    private static func column(
        _ property: PropertyDescription, in write: WriteTransaction
    ) throws -> SchemaWriter.NewColumn {
        var attributes: ColumnAttributes = property.isOptional ? .nullable : []
        switch property.collection {
        case .list: attributes.insert(.list)
        case .set: attributes.insert(.set)
        case .dictionary: attributes.insert(.dictionary)
        case nil: break
        }
        switch property.index {
        case .general where !property.isPrimaryKey: attributes.insert(.indexed)
        case .fullText: attributes.insert(.fullTextIndexed)
        default: break
        }
        var target: TableKey?
        if property.type == .link {
            let name = property.targetClass ?? ""
            guard let found = try write.table(named: FileFormat.classPrefix + name) else {
                throw TransferError("'\(property.name)' links to the class '\(name)', which doesn't exist")
            }
            target = found.key
        }
        return SchemaWriter.NewColumn(property.name, property.type, attributes, target: target)
    }

    /// Creates or updates the object of a record. Throws a `BadRow`, with nothing written, if that's impossible.
    func importRecord(_ record: ImportRecord) throws {
        do {
            try write(record, in: try imported(record.className))
        } catch let error as ValueParser.Mismatch {
            throw BadRow(place: record.place, message: error.description)
        } catch let error as ObjectWriter.Mismatch {
            throw BadRow(place: record.place, message: error.description)
        } catch let error as StorageError where error.code == .invalidArgument || error.code == .limitExceeded {
            throw BadRow(place: record.place, message: error.message)
        }
    }

    private func imported(_ name: String) throws -> ImportedClass {
        if let known = classes[ByteText(name)] { return known }
        guard let table = try write.table(named: FileFormat.classPrefix + name) else {
            throw ValueParser.Mismatch(message: "the class '\(name)' was not among the first records")
        }
        guard !table.isEmbedded else {
            throw ValueParser.Mismatch(message: "'\(name)' is embedded: its objects are imported in their owners")
        }
        let made = ImportedClass(table)
        classes[ByteText(name)] = made
        return made
    }

    private func write(_ record: ImportRecord, in imported: ImportedClass) throws {
        var values: [(column: Column, value: DetachedValue)] = []
        var key: ObjectKey?
        imported.beginRecord()
        for (field, raw) in record.fields {
            if field == "$key" {
                guard imported.table.primaryKey == nil else { continue }
                guard key == nil else { throw ValueParser.Mismatch(message: "has the member '$key' twice") }
                if case .int(let number) = try parser.plain(raw, .int), number >= 0 { key = ObjectKey(number) }
                continue
            }
            let mapped = mappings[ByteText(field)]
            if mapped?.isEmpty == true { continue }
            let name = mapped ?? ValueParser.unescaped(field)
            guard let column = try imported.column(named: name) else {
                throw ImportTarget.noProperty(name, field, record)
            }
            values.append((column, try parser.value(raw, column, of: imported.table)))
        }
        if updates, let existing = try existing(values, imported) {
            for (column, value) in values where column.key != imported.table.primaryKey {
                try writer.set(value, column, of: existing, in: imported.table.key)
            }
        } else {
            if let key, try imported.table.find(key) != nil {
                throw ValueParser.Mismatch(message: "an object with the key \(key.rawValue) already exists")
            }
            _ = try writer.create(in: imported.table, key, values)
        }
    }

    private static func noProperty(_ name: String, _ field: String, _ record: ImportRecord) -> ValueParser.Mismatch {
        ValueParser.Mismatch(
            message: name.isEmpty
                ? "has a field without a name; --map '=NAME' gives it one, --map '=' leaves it out"
                : "'\(record.className)' has no property '\(name)'; --map '\(field)=' leaves it out")
    }

    private func existing(
        _ values: [(column: Column, value: DetachedValue)], _ imported: ImportedClass
    ) throws -> ObjectKey? {
        guard let primaryKey = imported.table.primaryKey,
            case .plain(let value)? = values.first(where: { $0.column.key == primaryKey })?.value
        else { return nil }
        return try imported.table.object(primaryKey: value)
    }
}

private final class ImportedClass {
    let table: Table
    private let columns: [Column]
    private let places: [ByteText: Int]
    /// The number of the last record that had a value for the column, by column index.
    private var lastRecords: [Int]
    private var record = 0

    init(_ table: Table) {
        self.table = table
        columns = Array(table.publicColumns)
        places = Dictionary(columns.indices.map { (ByteText(table.columns[$0].name), $0) }) { first, _ in first }
        lastRecords = Array(repeating: 0, count: columns.count)
    }

    func beginRecord() { record += 1 }

    func column(named name: String) throws -> Column? {
        guard let place = places[ByteText(name)] else { return nil }
        guard lastRecords[place] != record else {
            throw ValueParser.Mismatch(message: "has two values for '\(name)'")
        }
        lastRecords[place] = record
        return columns[place]
    }
}
