// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// A class of a partition, with its objects in memory.
struct ObjectClass {
    let definition: TableDefinition
    var columns: [Text: Column] = [:]
    /// The objects in memory.
    var rows: [PrimaryKey: Entry] = [:]
    /// The number of objects.
    var count = 0
    /// The generation in which the class was added.
    let generation: UInt64
    var erased: [Text: Int] = [:]
    var lastNumber = 0
    /// The number of linking properties.
    var linksFromOthers = 0
    var linksFromItself = 0
    /// The Mixed properties that have had links to the class. A client's file has a column for each.
    var mixedOrigins: Set<ColumnReference> = []

    init(_ definition: TableDefinition, generation: UInt64) {
        (self.definition, self.generation) = (definition, generation)
    }

    /// `nil` for an embedded class.
    var primaryKey: PrimaryKeyColumn? {
        switch definition.kind {
        case .embedded: nil
        case .topLevel(let key), .asymmetric(let key): key
        }
    }

    /// Room for another column of any type in a client's file.
    var hasRoom: Bool {
        columns.count + linksFromOthers + linksFromItself + mixedOrigins.count + 1 < FileFormat.leafIndexCount / 2
    }

    // MARK: Storing

    mutating func forgetErased() {
        if rows.count > count { rows = rows.filter { $0.value.exists } }
    }

    mutating func forget(through generation: UInt64) {
        rows = rows.filter { $0.value.generation > generation }
    }
}

extension ObjectClass {
    struct Column {
        let definition: ColumnDefinition
        /// The key of the property in rows: its name, unless a property of this name was erased. Rows may still contain
        /// the erased property's content.
        let slot: Text
        /// The order in which properties were added.
        let number: Int
        /// The generation in which the property was added.
        let generation: UInt64
    }

    /// An object in memory.
    struct Entry {
        /// `nil` if the object doesn't exist.
        var row: ObjectRow?
        /// The generation of the last change; 0 if the object is as stored.
        var generation: UInt64

        var exists: Bool { row != nil }
    }
}
