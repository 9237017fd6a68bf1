// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmValues

extension Realm {
    /// The differences between two versions of a Realm: the objects that were inserted, deleted and modified, and on
    /// demand the old and new values of their properties. An addition to Realm's API.
    ///
    /// ```swift
    /// let before = try realm.snapshot(label: "before import")
    /// try realm.write { … }
    /// let changes = try realm.diff(since: before)
    /// for dog in changes["Dog"]?.modified ?? [] {
    ///     print(dog.object, dog.properties, try dog.oldValue(of: "age"), try dog.newValue(of: "age"))
    /// }
    /// ```
    ///
    /// Only the outcome counts, not the commits in between: an object that was created and deleted in between isn't
    /// included, and setting a property back to its old value isn't a change. An object that was deleted and recreated
    /// with the same primary key counts as modified. Embedded objects are parts of the properties that contain them;
    /// links are equal if their targets have the same class and primary key.
    ///
    /// The value can be used on any thread. It pins both versions, like `Realm.snapshot(label:)`, until it and all of
    /// its objects are released; `records()` returns values that don't pin any version.
    public struct Changes: Sendable {
        /// The classes with changes, by name.
        public let classes: [ClassChanges]
        let versions: ChangedVersions

        /// The version before the changes.
        public var oldVersion: UInt64 { versions.history.old.version }

        /// The version after the changes.
        public var newVersion: UInt64 { versions.history.new.version }

        /// A Boolean value that indicates whether no object differs.
        public var isEmpty: Bool { classes.isEmpty }

        /// The changes of the class with this name; nil if it has none.
        public subscript(className: String) -> ClassChanges? { classes.first { $0.className == className } }

        /// The changes of a class; nil if it has none.
        public subscript<Element: Object>(type: Element.Type) -> ClassChanges? { self[type.tableClassName] }
    }

    /// The changes to the objects of one class. An addition to Realm's API.
    public struct ClassChanges: Sendable {
        /// The name of the class.
        public let className: String
        /// The objects that only the new version contains.
        public fileprivate(set) var inserted: [ChangedObject] = []
        /// The objects that only the old version contains.
        public fileprivate(set) var deleted: [ChangedObject] = []
        /// The objects of both versions whose values differ.
        public fileprivate(set) var modified: [ChangedObject] = []

        /// The changed objects: the deleted ones, then the inserted ones, then the modified ones.
        public var all: [ChangedObject] { deleted + inserted + modified }
    }

    /// An object that differs between two versions. An addition to Realm's API.
    public struct ChangedObject: Sendable {
        /// The kind of a change to an object.
        public enum Kind: String, Sendable, Codable {
            /// The object was created.
            case inserted
            /// The object was deleted.
            case deleted
            /// A modification of some of the object's properties.
            case modified
        }

        /// The kind of the change.
        public let kind: Kind
        /// The changed object.
        public let object: ObjectReference
        /// The names of the properties that differ, in the order of the class; all of them unless the object was
        /// modified.
        public let properties: [String]
        fileprivate let versions: ChangedVersions
        fileprivate let table: TableKey
        fileprivate let oldKey: ObjectKey?
        fileprivate let newKey: ObjectKey?
        fileprivate let columns: [ColumnKey]
    }
}

extension Realm.ChangedObject {
    /// Returns the old value of the property, or nil if the object didn't exist or has no such property.
    ///
    /// - Throws: `Realm.Error` if the file is damaged.
    public func oldValue(of property: String) throws -> Realm.ChangeValue? {
        try value(property, oldKey, versions.oldReader)
    }

    /// Returns the new value of the property, or nil if the object was deleted or has no such property.
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

    /// Returns the values that differ by the names of the properties, in the old version and in the new one.
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

// MARK: Computing the differences

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

/// Objects that were deleted and recreated with the same primary key: a map from the old key to the new one.
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

    /// Whether values of a column may be equal although the keys in the file differ.
    func mayHideEquality(of column: Column, in table: Table, _ history: VersionHistory) throws -> Bool {
        if column.type == .mixed { return !pairs.isEmpty }
        guard column.type == .link else { return false }
        let target = table.oppositeTables[column.leafIndex]
        return try pairs[target] != nil || history.new.table(target)?.kind == .embedded
    }
}

extension Realm.ClassChanges {
    /// Returns nil if no value differs.
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

    /// Returns nil if all values are equal. This is checked for all columns if `isComparing`, else only if different
    /// keys may represent equal values.
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

// MARK: Comparing versions

extension Realm {
    /// Returns the differences between `earlier`, a version of the same file, and the current version. An addition to
    /// Realm's API.
    ///
    /// The cost is proportional to the changes, not the data. Includes changes made by other processes. During a write,
    /// the version at the beginning of the write is compared. The versions may be in any order.
    ///
    /// - Throws: `Realm.Error`: `.invalidInput` if `earlier` is of another file, or of the same file opened in another
    ///   way; other codes if the file is damaged.
    public func diff(since earlier: Frozen<Realm>) throws -> Changes {
        do {
            let old = try earlier.value.instance.pinnedVersion(label: Changes.label)
            let new = try instance.pinnedVersion(label: Changes.label)
            guard old.database === new.database else {
                throw StorageError(
                    .invalidArgument, "the versions to compare must be of one file, opened in the same way",
                    path: old.database.path)
            }
            return try Changes(from: old, to: new, ClassNames(instance.coordinator))
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension Realm.Changes {
    static let label = "changes"
}
