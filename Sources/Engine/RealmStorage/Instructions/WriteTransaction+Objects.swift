// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Instructions that create objects (content 1.3).
extension WriteTransaction {
    /// Creates an object.
    ///
    /// `values` contains single values other than links; properties without one get the column's default. A table with
    /// a primary key requires its value, and this throws `.invalidArgument` if an object already has it. Links, lists
    /// and embedded objects are set by separate instructions.
    package func createObject(in key: TableKey, _ values: [ColumnKey: StoredValue] = [:]) throws -> ObjectKey {
        try createObject(in: key, RowValues(values))
    }

    /// `isDistinct`: the caller has verified that no object has this primary key.
    package func createObject(
        in key: TableKey, _ values: RowValues, isDistinct: Bool = false
    ) throws -> ObjectKey {
        let table = try require(key)
        guard !table.isEmbedded else {
            throw StorageError(.invalidArgument, "embedded objects are created in their parent")
        }
        try validate(values, for: table, isDistinct: isDistinct)
        let object = try insertObject(into: table, values)
        try recorder?.record(.createObject(object, values, table), in: self)
        return object
    }

    /// Records the values as assignments, because the recorded creation of an embedded object has none.
    func recordValues(_ values: RowValues?, of child: ObjectKey, in table: Table) throws {
        guard let recorder, let values else { return }
        try values.forEach { try recorder.record(.set($1, try table.require($0), child, table), in: self) }
    }

    func validate(_ values: RowValues, for table: Table, isDistinct: Bool = false) throws {
        try values.forEach { column, value in
            let position = try table.requirePosition(of: column)
            try validate(value, for: column, named: table.columns[position].name)
            switch value {
            case .link, .typedLink:
                throw StorageError(.invalidArgument, "links are set when the object is there, not while it is created")
            default: break
            }
        }
        guard !isDistinct, let primaryKey = table.primaryKey else { return }
        let column = try table.require(primaryKey)
        try table.requireDistinct(primaryKey: values[primaryKey] ?? column.defaultValue, of: nil)
    }

    /// Inserts a row under the next free object key (content 1.3).
    func insertObject(into table: Table, _ values: RowValues? = nil) throws -> ObjectKey {
        let object = try nextKey(table)
        try insertRow(object, into: table, values ?? defaults)
        return object
    }

    private func nextKey(_ table: Table) throws -> ObjectKey {
        while true {
            let number = try takeNumber(of: table)
            let key = table.primaryKey == nil ? ObjectKey.squeezed(number) : ObjectKey(Int64(number))
            if table.tombstoneRoot == 0, isNext(key, in: table) { return key }
            // A tombstone's key is reserved for another object, which may still be created.
            let isAwaited = try table.primaryKey == nil && table.tombstones?.find(key.unresolved) != nil
            if try !isAwaited && table.find(key) == nil { return key }
        }
    }

    func takeNumber(of table: Table) throws -> UInt64 {
        let number = unsafe table.sequence
        guard number < FileFormat.keyNumberLimit else {
            throw StorageError.corrupt("'\(table.name)' has no more object keys to give; the file is damaged", at: 0)
        }
        unsafe table.sequence = number + 1
        return number
    }

    /// Creates an object under a key chosen by the caller (content 1.3, explicit key).
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
        try recorder?.record(.createObject(object, values, table), in: self)
    }

    private func insertRow(_ object: ObjectKey, into table: Table, _ values: RowValues) throws {
        if let primaryKey = table.primaryKey, primaryKey.type == .int {
            try table.learnPrimaryKeyBound()
            table.raisePrimaryKeyBound(values[primaryKey] ?? .int(0))
        }
        if unsafe table.hasEnumeratedColumns {
            try insertRow(of: object, into: table, try encodeEnumerated(values, for: table))
        } else {
            try insertRow(of: object, into: table, values)
        }
        for place in unsafe table.indexes.leafIndexes.indices {
            let leafIndex = unsafe table.indexes.leafIndexes[place]
            guard let column = table.column(leafIndex: leafIndex), !column.key.isCollection else { continue }
            let value = values[leafIndex: leafIndex] ?? column.defaultValue
            try indexes.insert(value.withoutNullPattern, object, into: column, of: table)
        }
        if table.tombstoneRoot != 0 { try tombstones.resolve(of: object, in: table) }
    }

    /// Most objects are inserted after the last inserted one, in the leaf that is still open.
    private func insertRow(of object: ObjectKey, into table: Table, _ values: RowValues) throws {
        if isNext(object, in: table) {
            try store.whole { try unsafe table.appendCursor?.append(values, table.layout, in: store) }
            return changed(table, in: .clusterLeaf)
        }
        unsafe table.appendCursor = nil
        var root = table.clusterRoot
        defer { table.clusterRoot = root }
        try ClusterTreeEditor(store).insert(&root, table.layout, key: object) { column in
            values[leafIndex: column.leafIndex] ?? column.defaultValue
        }
        changed(table, .contents)
        unsafe table.appendCursor = try AppendCursor(space, root: root, last: object, at: table.rows)
    }

    /// Whether an object with this key can be appended to the open leaf, which implies that no object has the key.
    private func isNext(_ key: ObjectKey, in table: Table) -> Bool {
        guard let open = unsafe table.appendCursor, unsafe open.stamp == table.rows else { return false }
        return open.takes(key, in: store)
    }

    /// Returns the values as stored in leaves: those of enumerated columns, including defaults, as indexes in their key
    /// lists.
    func encodeEnumerated(_ values: RowValues, for table: Table) throws -> RowValues {
        let stored = values.copy()
        for position in table.columns.indices where table.columns[position].enumKeys != 0 {
            let column = table.columns[position]
            stored[column.key] = try enumIndex(of: values[column.key] ?? column.defaultValue, in: table, at: position)
        }
        return stored
    }
}
