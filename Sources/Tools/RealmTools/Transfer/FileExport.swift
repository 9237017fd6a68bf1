// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

struct FileExport {
    let file: OpenFile
    let classes: [Table]
    /// The selected objects of the only class; nil for all.
    let keys: [ObjectKey]?
    let progress: Progress
    private let sets = MergedSets()

    /// The sets with several NaN elements, which become one when they are read again.
    private final class MergedSets {
        var names: Set<String> = []

        func look(_ values: [DetachedValue], _ table: Table) {
            for (column, value) in zip(table.publicColumns, values) where column.key.isSet {
                guard case .set(let elements) = value, elements.count(where: \.isNaN) > 1 else { continue }
                names.insert("\(table.className ?? table.name).\(column.name)")
            }
        }
    }

    /// Without names, returns all classes. Embedded objects are written with their owners.
    static func classes(_ names: [String], in snapshot: Snapshot) throws -> [Table] {
        let all = try snapshot.allTables().filter { $0.className != nil && !$0.isEmbedded }
        guard !names.isEmpty else { return all }
        return try names.map { name in
            guard let table = all.first(where: { $0.className == name }) else {
                throw NoClassError(message: "there is no class '\(name)' whose objects stand alone")
            }
            return table
        }
    }

    /// The classes that are written, and those of their embedded objects and link targets.
    var schema: SchemaDescription {
        get throws {
            var needed = Set(classes.map(\.key))
            var rest = classes
            while let table = rest.popLast() {
                for column in table.publicColumns where column.type == .link {
                    let target = table.oppositeTables[column.leafIndex]
                    guard needed.insert(target).inserted, let next = try file.snapshot.table(target) else { continue }
                    rest.append(next)
                }
            }
            let names = try Set(needed.compactMap { try file.snapshot.table($0)?.name })
            return SchemaDescription(
                tables: try SchemaDescription(file.snapshot).tables.filter { names.contains($0.name) })
        }
    }

    func write(to writer: some ExportWriter) throws {
        try writer.begin(try schema)
        let reader = ObjectReader(file.snapshot, budget: ReadBudget(byteCount: file.byteCount))
        for table in classes {
            try writer.begin(table)
            if let keys {
                for key in keys {
                    guard let place = try table.find(key) else { continue }
                    let values = try reader.values(of: table, at: place)
                    sets.look(values, table)
                    try writer.write(key, values, of: table)
                    progress.advance()
                }
            } else {
                try reader.forEachObject(of: table) { key, values in
                    sets.look(values, table)
                    try writer.write(key, values, of: table)
                    progress.advance()
                }
            }
            try writer.end(table)
        }
        try writer.end()
    }

    /// Notes on data that the files of `realm export` and `realm import` can't represent. Complete after everything is
    /// written.
    var notes: [String] {
        get throws {
            var notes = sets.names.sorted().map { "'\($0)' has several NaN values, which become one" }
            for key in try file.snapshot.tableKeys() {
                guard let table = try file.snapshot.table(key) else { continue }
                if table.className == nil, table.name != FileFormat.metadataTable {
                    notes.append("the table '\(table.name)' isn't a class and is omitted")
                }
                if let count = try table.tombstones?.count(), count > 0 {
                    notes.append(
                        "links to \(count.counted("absent object")) of '\(table.className ?? table.name)' become null")
                }
                for column in table.publicColumns where column.key.isDictionary && column.dictionaryKeyType != .string {
                    notes.append("the keys of '\(table.className ?? table.name).\(column.name)' become texts")
                }
            }
            return notes
        }
    }
}

protocol ExportWriter {
    func begin(_ schema: SchemaDescription) throws
    func begin(_ table: Table) throws
    func write(_ key: ObjectKey, _ values: [DetachedValue], of table: Table) throws
    func end(_ table: Table) throws
    func end() throws
}

extension DetachedValue {
    /// Whether it's NaN, which has many bit patterns.
    fileprivate var isNaN: Bool {
        switch self {
        case .plain(.double(let number)): number.isNaN
        case .plain(.float(let number)): number.isNaN
        case .plain(.decimal(let number)): number.isNaN
        default: false
        }
    }
}
