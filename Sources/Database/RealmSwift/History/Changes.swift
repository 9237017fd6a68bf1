// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Realm {
    /// What two versions of a Realm differ in, as a value: which objects came, went and were changed, and on demand
    /// what their properties were and are. An addition to Realm's API.
    ///
    /// ```swift
    /// let before = realm.freeze(label: "before import")
    /// try realm.write { … }
    /// let changes = try realm.changes(since: before)
    /// for dog in changes["Dog"]?.modified ?? [] {
    ///     print(dog.object, dog.properties, try dog.oldValue(of: "age"), try dog.newValue(of: "age"))
    /// }
    /// ```
    ///
    /// What was done in between does not count, only the outcome: an object that came and went is not there, and a
    /// value that was set to what it was is no change. An object that was deleted and made anew with the same primary
    /// key counts as modified. Embedded objects are parts of the properties that hold them; links are equal if they
    /// lead to an object of the same class and primary key.
    ///
    /// May be used on any thread. It keeps both versions, as `Realm.freeze()` does, until the value and all of its
    /// objects are released; `records()` gives values that keep nothing.
    public struct Changes: Sendable {
        /// The classes with changes, by name.
        public let classes: [ClassChanges]
        let versions: ChangedVersions

        /// The version that the changes begin with.
        public var oldVersion: UInt64 { versions.history.old.version }

        /// The version that they lead to.
        public var newVersion: UInt64 { versions.history.new.version }

        /// Whether no object differs.
        public var isEmpty: Bool { classes.isEmpty }

        /// The changes of a class; nil if there are none.
        public subscript(className: String) -> ClassChanges? { classes.first { $0.className == className } }

        /// The changes of a class; nil if there are none.
        public subscript<Element: Object>(type: Element.Type) -> ClassChanges? { self[type.tableClassName] }
    }

    /// What has changed in the objects of one class. An addition to Realm's API.
    public struct ClassChanges: Sendable {
        /// The name of the class.
        public let className: String
        /// The objects that only the new version has.
        public fileprivate(set) var inserted: [ChangedObject] = []
        /// The objects that only the old version has.
        public fileprivate(set) var deleted: [ChangedObject] = []
        /// The objects of both versions that have other values.
        public fileprivate(set) var modified: [ChangedObject] = []

        /// All of them: deleted, inserted, modified.
        public var all: [ChangedObject] { deleted + inserted + modified }
    }

    /// An object that two versions differ in. An addition to Realm's API.
    public struct ChangedObject: Sendable {
        /// What has happened to an object.
        public enum Kind: String, Sendable, Codable {
            /// It was not there before.
            case inserted
            /// It is not there any more.
            case deleted
            /// Some of its properties have other values.
            case modified
        }

        /// What has happened to it.
        public let kind: Kind
        /// Which object it is.
        public let object: ObjectReference
        /// The names of the properties that differ, in the order of the class; all of them unless it was modified.
        public let properties: [String]
        fileprivate let versions: ChangedVersions
        fileprivate let table: TableKey
        fileprivate let oldKey: ObjectKey?
        fileprivate let newKey: ObjectKey?
        fileprivate let columns: [ColumnKey]
    }
}

extension Realm.ChangedObject {
    /// What the property was; nil if the object was not there, or has no such property.
    ///
    /// - Throws: `Realm.Error` if the file is damaged.
    public func oldValue(of property: String) throws -> Realm.ChangeValue? {
        try value(property, oldKey, versions.oldReader)
    }

    /// What the property is; nil if the object is gone, or has no such property.
    ///
    /// - Throws: `Realm.Error` if the file is damaged.
    public func newValue(of property: String) throws -> Realm.ChangeValue? {
        try value(property, newKey, versions.newReader)
    }

    private func value(_ property: String, _ key: ObjectKey?, _ reader: ChangeReader) throws -> Realm.ChangeValue? {
        guard let key else { return nil }
        do {
            guard let table = try reader.version.table(self.table),
                let column = table.publicColumns.first(where: { reader.names.property($0, table) == property })
            else { return nil }
            return try reader.value(column.key, of: key, in: self.table)
        } catch {
            throw Realm.Error(error)
        }
    }

    /// What differs, by the names of the properties: in the old version, and in the new one.
    func values() throws -> (old: [String: Realm.ChangeValue], new: [String: Realm.ChangeValue]) {
        (try values(oldKey, versions.oldReader), try values(newKey, versions.newReader))
    }

    private func values(_ key: ObjectKey?, _ reader: ChangeReader) throws -> [String: Realm.ChangeValue] {
        guard let key else { return [:] }
        var values: [String: Realm.ChangeValue] = [:]
        for (name, column) in zip(properties, columns) { values[name] = try reader.value(column, of: key, in: table) }
        return values
    }
}

/// The versions that changes lie between.
struct ChangedVersions: Sendable {
    let history: VersionHistory
    let oldReader: ChangeReader
    let newReader: ChangeReader

    init(_ history: VersionHistory, _ names: ClassNames) {
        self.history = history
        oldReader = ChangeReader(version: history.old, names: names)
        newReader = ChangeReader(version: history.new, names: names)
    }
}

// MARK: Making

extension Realm.Changes {
    init(from old: Snapshot, to new: Snapshot, _ names: ClassNames) throws {
        let versions = ChangedVersions(try VersionHistory(from: old, to: new), names)
        self.versions = versions
        let recreated = try RecreatedObjects(versions.history)
        classes = try versions.history.tables.ordered { $0.key < $1.key }
            .compactMap { try Realm.ClassChanges($0.key, $0.value, versions, recreated) }
            .ordered { $0.className < $1.className }
    }
}

/// Objects that were deleted and made anew with the same primary key: the new key by the old one.
private struct RecreatedObjects {
    private(set) var pairs: [TableKey: [ObjectKey: ObjectKey]] = [:]

    init(_ history: VersionHistory) throws {
        for (key, changes) in history.tables where !changes.deleted.isEmpty && !changes.inserted.isEmpty {
            guard let old = try history.old.table(key), let new = try history.new.table(key),
                let primaryKey = old.primaryKey, new.primaryKey == primaryKey
            else { continue }
            for object in changes.deleted {
                let value = try old.value(primaryKey, of: object)
                if let now = try new.object(primaryKey: value) { pairs[key, default: [:]][object] = now }
            }
        }
    }

    /// Whether values of a column may be equal although the file has other keys in them.
    func mayHideEquality(of column: Column, in table: Table, _ history: VersionHistory) throws -> Bool {
        if column.type == .mixed { return !pairs.isEmpty }
        guard column.type == .link else { return false }
        let target = table.oppositeTables[column.leafIndex]
        return try pairs[target] != nil || history.new.table(target)?.kind == .embedded
    }
}

extension Realm.ClassChanges {
    /// nil if nothing has changed after all.
    fileprivate init?(
        _ key: TableKey, _ changes: VersionHistory.TableChanges, _ versions: ChangedVersions,
        _ recreated: RecreatedObjects
    ) throws {
        let (old, new) = (try versions.history.old.table(key), try versions.history.new.table(key))
        className = (new ?? old)?.className ?? ""
        let maker = ObjectMaker(key: key, versions: versions, recreated: recreated)
        let pairs = recreated.pairs[key] ?? [:]
        let made = Set(pairs.values)
        if let old {
            for object in changes.deleted where pairs[object] == nil {
                if let one = try maker.make(.deleted, object, nil, Array(old.publicColumns), in: old) {
                    deleted.append(one)
                }
            }
        }
        guard let new else { return }
        for object in changes.inserted where !made.contains(object) {
            if let one = try maker.make(.inserted, nil, object, Array(new.publicColumns), in: new) {
                inserted.append(one)
            }
        }
        for object in changes.modified.keys.sorted() {
            let columns = changes.modified[object] ?? []
            if let one = try maker.modified(object, object, new.publicColumns.filter { columns.contains($0.key) }, new)
            {
                modified.append(one)
            }
        }
        for (before, after) in pairs.ordered(by: { $0.key < $1.key }) {
            if let one = try maker.modified(before, after, Array(new.publicColumns), new, comparing: true) {
                modified.append(one)
            }
        }
        if inserted.isEmpty && deleted.isEmpty && modified.isEmpty { return nil }
    }
}

private struct ObjectMaker {
    let key: TableKey
    let versions: ChangedVersions
    let recreated: RecreatedObjects

    func make(
        _ kind: Realm.ChangedObject.Kind, _ old: ObjectKey?, _ new: ObjectKey?, _ columns: [Column], in table: Table
    ) throws -> Realm.ChangedObject? {
        let (reader, object) = new.map { (versions.newReader, $0) } ?? (versions.oldReader, old ?? .null)
        guard let reference = try reader.reference(to: object, in: key) else { return nil }
        return Realm.ChangedObject(
            kind: kind, object: reference, properties: columns.map { reader.names.property($0, table) },
            versions: versions, table: key, oldKey: old, newKey: new, columns: columns.map(\.key))
    }

    /// nil if all values are equal after all, which is looked at for all columns if `isComparing`, else only where
    /// other keys may hide it.
    func modified(
        _ old: ObjectKey, _ new: ObjectKey, _ columns: [Column], _ table: Table, comparing isComparing: Bool = false
    ) throws -> Realm.ChangedObject? {
        let columns = try columns.filter { column in
            guard try isComparing || recreated.mayHideEquality(of: column, in: table, versions.history) else {
                return true
            }
            return try versions.oldReader.value(column.key, of: old, in: key)
                != versions.newReader.value(column.key, of: new, in: key)
        }
        return columns.isEmpty ? nil : try make(.modified, old, new, columns, in: table)
    }
}

// MARK: Entry

extension Realm {
    /// What has changed since a version that was kept: what the version that is read here differs in from `earlier`,
    /// a frozen Realm of the same file. An addition to Realm's API.
    ///
    /// The cost follows the change, not the data. Changes that other processes made are among them. During a write the
    /// version is the one that the write began with. The versions may be in any order.
    ///
    /// - Precondition: `earlier` is frozen and of the same file.
    /// - Throws: `Realm.Error` if the file is damaged.
    public func changes(since earlier: Realm) throws -> Changes {
        guard earlier.isFrozen else {
            throwRealmException("changes(since:) needs a frozen Realm: keep the version before with freeze().")
        }
        instance.verifyThread()
        do {
            guard let old = earlier.instance.snapshot, let new = instance.frozen().snapshot else {
                throw StorageError(.fileAccess, "the Realm has no version to read from")
            }
            guard old.database === new.database else {
                throwRealmException("changes(since:) needs two versions of one file, opened in the same way.")
            }
            return try Changes(
                from: try old.again(label: Changes.label), to: try new.again(label: Changes.label),
                ClassNames(instance.coordinator))
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension Realm.Changes {
    /// What the pins of changes are called.
    static let label = "changes"
}
