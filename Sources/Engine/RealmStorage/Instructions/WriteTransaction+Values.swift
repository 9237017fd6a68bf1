// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Instructions that set single values (content 12.1, 12.5, 12.6).
extension WriteTransaction {
    /// Sets a single value. A link column takes `.link` or `.null`, Mixed takes `.typedLink` for a link; backlinks and
    /// indexes are updated, and an embedded object that loses its only link is removed. Throws `.invalidArgument` for a
    /// value of the wrong type, for null in a required property, and for a link to an object that doesn't exist.
    package func set(_ value: StoredValue, _ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws {
        let table = try require(key)
        guard let index = table.position(of: column) else { throw StorageError.absent("\(column) is gone") }
        try validate(value, for: column, named: table.columns[index].name)
        if column == table.primaryKey { return try setPrimaryKeyValue(value, at: index, of: object, in: table) }
        if let recorder {
            try links.validate(value, table.columns[index], in: table)
            try recorder.record(.set(value, table.columns[index], object, table), in: self)
        }
        switch column.type {
        case .link: try links.set(value, table.columns[index], of: object, in: table)
        case .mixed: try links.setMixed(value, table.columns[index], of: object, in: table)
        default: try replaceValue(value, at: index, of: object, in: table)
        }
    }

    /// Adds to a single integer, also one in a Mixed property; null stays null. Concurrent additions are all applied,
    /// while of concurrent assignments only the last one is.
    package func addInteger(_ amount: Int64, _ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws {
        let table = try require(key)
        let info = try table.require(column)
        guard !column.isCollection, column != table.primaryKey, info.type == .int || info.type == .mixed else {
            throw StorageError(.invalidArgument, "'\(info.name)' holds no integer")
        }
        switch try table.value(column, of: object) {
        case .int(let number):
            try recorder?.record(.addInteger(amount, info, object, table), in: self)
            guard let position = table.position(of: column) else { return }
            try replaceValue(.int(number &+ amount), at: position, of: object, in: table)
        case .null where info.type == .int: return
        default: throw StorageError(.invalidArgument, "'\(info.name)' holds no integer")
        }
    }

    func replaceValue(_ value: StoredValue, at position: Int, of object: ObjectKey, in table: Table) throws {
        if table.hasIndex(table.columns[position].key) {
            let column = table.columns[position]
            // The value as stored: an unresolved link isn't null here.
            let old = try table.storedValue(column, at: try table.requireObject(object))
            guard !old.isIdentical(to: value) else { return }
            try indexes.erase(old, object, from: column, of: table)
            try store(value, at: position, of: object, in: table)
            // Not `column`, because a new string may have moved the list of its distinct strings (content 4.5).
            try indexes.insert(value, object, into: table.columns[position], of: table)
        } else {
            try store(value, at: position, of: object, in: table)
        }
    }

    /// Sets the primary key, which must stay distinct. A tombstone with the new value is resolved (content 5.8).
    private func setPrimaryKeyValue(
        _ value: StoredValue, at position: Int, of object: ObjectKey, in table: Table
    ) throws {
        try table.requireDistinct(primaryKey: value, of: object)
        table.raisePrimaryKeyBound(value)
        try replaceValue(value, at: position, of: object, in: table)
        try tombstones.resolve(of: object, in: table)
    }

    private func store(_ value: StoredValue, at position: Int, of object: ObjectKey, in table: Table) throws {
        let isEnumerated = table.columns[position].enumKeys != 0
        let stored = isEnumerated ? try enumIndex(of: value, in: table, at: position) : value
        let kind = table.columns[position].leafKind
        try changeColumn(table.columns[position].leafIndex, of: object, in: table) { leaf, row in
            try ColumnLeafEditor(store, kind).set(&leaf, at: row, stored)
        }
    }

    /// Returns the index of `value` in the key list of an enumerated column; a new value is appended to it
    /// (content 4.5).
    func enumIndex(of value: StoredValue, in table: Table, at position: Int) throws -> StoredValue {
        var keys = table.columns[position].enumKeys
        let index = try BytesLeafEditor(store, .string).index(of: value, keys: &keys)
        if keys != table.columns[position].enumKeys {
            table.columns[position].enumKeys = keys
            table.columns[position].leafKind = .enumeratedString(keys: keys)
            table.columnsChanged()
            changed(table, [.contents, .schema])
        }
        return .int(index)
    }

    func validate(_ value: StoredValue, for column: Column) throws {
        try validate(value, for: column.key, named: column.name)
    }

    /// The name is only used for the error and isn't retained.
    @inline(__always)
    func validate(
        _ value: StoredValue, for column: ColumnKey, named name: @autoclosure () -> String
    ) throws {
        guard value.isAdmitted(by: column) else { throw refusal(of: value, by: column, named: name()) }
    }

    @inline(never)
    private func refusal(of value: StoredValue, by column: ColumnKey, named name: String) -> any Error {
        if value.isNull { return StorageError(.invalidArgument, "'\(name)' cannot be null") }
        guard value.fits(column) else { return StorageError(.invalidArgument, "'\(name)' cannot hold \(value)") }
        let (what, limit, count) =
            switch value {
            case .string(let text): ("String", FileFormat.maximumStringByteCount, text.utf8.count)
            case .binary(let bytes): ("Binary", StoredValue.maximumBinaryByteCount(in: column), bytes.count)
            default: ("Value", 0, 0)
            }
        return StorageError(.limitExceeded, "\(what) too big: '\(name)' takes \(limit) bytes, not \(count)")
    }
}

extension StoredValue {
    fileprivate func isAdmitted(by column: ColumnKey) -> Bool {
        if isNull { return column.isNullable || column.type == .link && !column.isCollection }
        return fits(column) && !isTooLong(for: column)
    }

    /// A binary in Mixed has a terminating zero like a string, so its maximum is one byte less (content 6.14).
    private func isTooLong(for column: ColumnKey) -> Bool {
        switch self {
        case .string(let text): return text.utf8.count > FileFormat.maximumStringByteCount
        case .binary(let bytes):
            return bytes.count > StoredValue.maximumBinaryByteCount(in: column)
        default: return false
        }
    }

    fileprivate static func maximumBinaryByteCount(in column: ColumnKey) -> Int {
        let isInMixed = column.type == .mixed || column.isDictionary
        return isInMixed ? FileFormat.maximumStringByteCount : FileFormat.maximumBinaryByteCount
    }

    /// The value must not be null.
    fileprivate func fits(_ column: ColumnKey) -> Bool {
        column.holds(.mixed) ? fitsMixed : fitsOnly(column)
    }
}

extension StoredValue {
    fileprivate func fitsOnly(_ column: ColumnKey) -> Bool {
        switch self {
        case .int: column.holds(.int)
        case .bool: column.holds(.bool)
        case .float: column.holds(.float)
        case .double: column.holds(.double)
        case .string: column.holds(.string)
        case .binary: column.holds(.binary)
        case .timestamp(let moment): column.holds(.timestamp) && moment.isValid
        case .decimal: column.holds(.decimal)
        case .objectId: column.holds(.objectId)
        case .uuid: column.holds(.uuid)
        case .link: column.holds(.link)
        case .null, .typedLink, .list, .dictionary: false
        }
    }

    /// Nested collections are stored by separate instructions.
    fileprivate var fitsMixed: Bool {
        switch self {
        case .link, .list, .dictionary: false
        default: true
        }
    }
}
