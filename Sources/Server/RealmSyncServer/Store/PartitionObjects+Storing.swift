// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionObjects {
    /// Creates the objects of a version that are all stored.
    ///
    /// - Throws: `StorageError`.
    init(_ rows: StoredRows, _ version: SaltedVersion) throws {
        self.init()
        (storedRows, stored) = (rows, Stored(version: version, generation: 0))
        let classes = try rows.classes()
        for found in classes {
            var table = ObjectClass(found.definition, generation: 0)
            table.count = found.count
            tables[found.definition.name] = table
        }
        for definition in classes.flatMap(\.columns) {
            let (name, property) = (definition.column.table, definition.column.name)
            let number = (tables[name]?.lastNumber ?? 0) + 1
            tables[name]?.columns[property] = ObjectClass.Column(
                definition: definition, slot: property, number: number, generation: 0)
            tables[name]?.lastNumber = number
            count(definition, by: 1)
        }
        for found in classes { tables[found.definition.name]?.mixedOrigins = found.mixedOrigins }
    }

    /// Begins to store the present objects. Returns their generation for `didStore`.
    mutating func beginStoring() -> UInt64 {
        defer { generation += 1 }
        if isStoring, stored == nil { for name in tables.keys { tables[name]?.forgetErased() } }
        isStoring = true
        return generation
    }

    /// Forgets the stored objects, unless they are few.
    ///
    /// - Parameters:
    ///   - maxWhole: The number of objects that remain in memory.
    ///   - rows: The objects of the version, or of a later one.
    mutating func didStore(
        _ version: SaltedVersion, through generation: UInt64, maxWhole: Int, _ rows: StoredRows
    ) {
        let isLarge = tables.values.reduce(0) { $0 + $1.rows.count } > maxWhole
        guard stored != nil || isLarge, stored.map({ $0.generation < generation }) ?? true else { return }
        stored = Stored(version: version, generation: generation)
        storedRows = rows
        guard isLarge else { return }
        for name in tables.keys { tables[name]?.forget(through: generation) }
    }

    /// Closes the file of the stored objects until it's needed again.
    func releaseRows() { storedRows?.release() }
}
