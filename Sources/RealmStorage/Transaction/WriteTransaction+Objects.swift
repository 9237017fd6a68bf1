// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Instructions that create and remove objects (content 1.3, 12.4).
extension WriteTransaction {
    /// Creates an object.
    ///
    /// `values` gives single values other than links; what is left out gets the column's default. A table with a
    /// primary key needs its value here, and throws `.invalidArgument` if an object has it already. Links, lists and
    /// embedded objects follow by their own instructions.
    package func createObject(in key: TableKey, _ values: [ColumnKey: StoredValue] = [:]) throws -> ObjectKey {
        try createObject(in: key, RowValues(values))
    }

    /// As above, for callers that create many objects.
    package func createObject(in key: TableKey, _ values: RowValues) throws -> ObjectKey {
        let table = try require(key)
        guard !table.isEmbedded else {
            throw StorageError(.invalidArgument, "embedded objects are created in their parent")
        }
        try validate(values, for: table)
        return try insertObject(into: table, values)
    }

    /// Throws unless an object can begin with these values.
    private func validate(_ values: RowValues, for table: Table) throws {
        for column in values.columns {
            guard let value = values[column] else { continue }
            try validate(value, for: try table.require(column))
            switch value {
            case .link, .typedLink:
                throw StorageError(.invalidArgument, "links are set when the object is there, not while it is created")
            default: break
            }
        }
        guard let primaryKey = table.primaryKey else { return }
        let column = try table.require(primaryKey)
        try requireDistinct(primaryKey: values[primaryKey] ?? column.defaultValue, of: nil, in: table)
    }

    /// Takes the next free object key and makes the row (content 1.3).
    func insertObject(into table: Table, _ values: RowValues = RowValues(columnCount: 0)) throws -> ObjectKey {
        let object = try nextKey(table)
        try insertRow(object, into: table, values)
        return object
    }

    private func nextKey(_ table: Table) throws -> ObjectKey {
        while true {
            let number = table.sequence
            table.sequence += 1
            let key = table.primaryKey == nil ? ObjectKey.squeezed(number) : ObjectKey(Int64(number))
            // A tombstone's key is somebody else's, who may yet come.
            let isAwaited = try table.primaryKey == nil && table.tombstones?.find(key.unresolved) != nil
            if try !isAwaited && table.find(key) == nil { return key }
        }
    }

    /// Creates an object under a key of the caller's choice (content 1.3, explicit key).
    package func createObject(
        _ object: ObjectKey, in key: TableKey, _ values: [ColumnKey: StoredValue] = [:]
    ) throws {
        let table = try require(key)
        guard !table.isEmbedded else {
            throw StorageError(.invalidArgument, "embedded objects are created in their parent")
        }
        guard object.rawValue >= 0, try table.find(object) == nil else {
            throw StorageError(.invalidArgument, "\(object) is in use in '\(table.name)'")
        }
        let values = RowValues(values)
        try validate(values, for: table)
        try insertRow(object, into: table, values)
    }

    private func insertRow(_ object: ObjectKey, into table: Table, _ values: RowValues) throws {
        let stored = try encodeEnumerated(values, for: table)
        try store.clusterInsert(&table.clusterRoot, table.layout, key: object) { column in
            stored[leafIndex: column.leafIndex] ?? column.defaultValue
        }
        changed(table, .contents)
        for column in table.publicColumns where !column.key.isCollection && table.hasIndex(column.key) {
            let value = (values[column.key] ?? column.defaultValue).withoutNullPattern
            try enter(value, object, into: column, of: table)
        }
        if table.tombstoneRoot != 0 { try resolveTombstone(of: object, in: table) }
    }

    /// The values as leaves hold them: those of enumerated columns as places in their key lists, defaults included.
    func encodeEnumerated(_ values: RowValues, for table: Table) throws -> RowValues {
        var stored = values
        for position in table.columns.indices where table.columns[position].enumKeys != 0 {
            let column = table.columns[position]
            stored[column.key] = try enumIndex(of: values[column.key] ?? column.defaultValue, in: table, at: position)
        }
        return stored
    }

    /// Removes an object and every consequence of that: incoming links become null or leave their lists, outgoing
    /// links lose their backlinks, embedded objects that lose their only link go too, to any depth (content 12.3,
    /// 12.4).
    package func removeObject(_ object: ObjectKey, from key: TableKey) throws {
        var doomed = [ObjectLink(table: key, object: object)]
        while let next = doomed.popLast() {
            let table = try require(next.table)
            guard try table.find(next.object) != nil else { continue }
            try removeIncomingLinks(next, of: table)
            try withdrawFromIndexes(next.object, of: table)
            for column in table.publicColumns {
                doomed += try removeOutgoingLinks(of: next.object, column, in: table)
            }
            try store.clusterErase(&table.clusterRoot, table.layout, key: next.object)
            changed(table, .contents)
            if table.collisionsRef != 0 { try dropCollision(of: next.object, in: table) }
        }
    }

    /// Removes objects, as if one by one. Keys of no object are passed over.
    package func removeObjects(_ objects: [ObjectKey], from key: TableKey) throws {
        let table = try require(key)
        let count = try table.count()
        if try objects.count >= count && canClearAtOnce(table) && Set(objects).count == count,
            try objects.allSatisfy({ try table.find($0) != nil })
        {
            return try clearAtOnce(table)
        }
        for object in objects { try removeObject(object, from: key) }
    }

    private func withdrawFromIndexes(_ object: ObjectKey, of table: Table) throws {
        for column in table.publicColumns where table.hasIndex(column.key) {
            let position = try table.requireObject(object)
            if column.key.isCollection {
                for value in Set(try table.list(column, at: position).values()) {
                    try store.wordIndexErase(
                        &table.indexRoots[column.leafIndex], word: ListWord.storedBytes(of: value), object)
                }
                table.changes.insert(.indexes)
            } else {
                try withdraw(try table.value(column, at: position), object, from: column, of: table)
            }
        }
    }

    /// Removes all objects of a table, as if one by one.
    package func clear(_ key: TableKey) throws {
        let table = try require(key)
        if try canClearAtOnce(table) { return try clearAtOnce(table) }
        var keys: [ObjectKey] = []
        try table.clusters.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        for object in keys { try removeObject(object, from: key) }
    }

    /// Whether no object of the table links or is linked to.
    private func canClearAtOnce(_ table: Table) throws -> Bool {
        table.tombstoneRoot == 0 && table.collisionsRef == 0
            && !table.columns.contains { $0.isBacklink || $0.type == .link || $0.type == .mixed }
    }

    private func clearAtOnce(_ table: Table) throws {
        try store.freeTree(table.clusterRoot)
        table.clusterRoot = try store.clusterCreate(table.layout)
        for index in table.indexRoots.indices where table.indexRoots[index] != 0 {
            try store.indexFree(table.indexRoots[index])
            table.indexRoots[index] = try store.indexCreate()
        }
        changed(table, [.contents, .indexes])
    }
}
