// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Migrates the objects of a file from an older schema version to that of the models.
///
/// Runs inside the write transaction that installs the schema, so the migration is atomic. `oldVersion` is the schema
/// version of the file; a block handles all the versions since:
///
/// ```swift
/// { migration, oldVersion in
///     if oldVersion < 1 { migration.renameProperty(onType: "Person", from: "years", to: "age") }
///     if oldVersion < 2 { migration.enumerateObjects(ofType: "Person") { old, new in … } }
/// }
/// ```
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// A block that is called with an object before and after the migration. `oldObject` is nil for an object that the
/// migration created, and `newObject` is nil if the models no longer have the class.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// The data of a migration: the old objects, which are immutable and have the properties of the file, and the new
/// objects, which have the properties of the models.
///
/// Valid only within the block and on its thread.
public final class Migration {
    /// The classes of the file before the migration. Properties have the names of their columns.
    public let oldSchema: Schema
    /// The classes of the models.
    public let newSchema: Schema

    let old: RealmInstance
    let new: RealmInstance
    let installer: SchemaInstaller
    /// Classes without a model whose tables are removed at the end.
    private(set) var droppedClasses: [String] = []
    /// Renamed columns, by class and old name.
    private(set) var renames: [RenamedColumn: String] = [:]

    struct RenamedColumn: Hashable {
        let className: String
        let column: String
    }

    init(old: RealmInstance, new: RealmInstance, oldSchema: Schema, _ installer: SchemaInstaller) {
        self.old = old
        self.new = new
        self.oldSchema = oldSchema
        self.installer = installer
        newSchema = installer.schema
    }

    /// Creates an object of a class of the models from a dictionary by property name, an array in the order of the
    /// properties, or another object. An embedded object is unmanaged until it is assigned to its parent. If the
    /// migration makes the class embedded, the object is managed at once, and is deleted at the end of the migration if
    /// it has no parent by then.
    @discardableResult
    public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
        new.verifyThread()
        let managed = new.requireDynamicClass(named: typeName)
        if newSchema[typeName] == nil {
            throwRealmException(RealmInstance.unmanagedClass(typeName))
        }
        if managed.info.isEmbedded, new.table(managed.tableKey)?.isEmbedded == true,
            let object = new.makeDetached(typeName, from: value)
        {
            return object
        }
        return new.createDynamic(managed, value, update: .error)
    }

    /// Deletes an object of the new version.
    public func delete(_ object: MigrationObject) {
        new.verifyThread()
        guard object._rlmRow.realm === new, object.hasRow, let managed = object._rlmRow.managed else {
            throwRealmException("Can only delete an object from the Realm it belongs to.")
        }
        new.change { try $0.removeObject(object._rlmRow.key, from: managed.tableKey) }
        object._rlmRow.isDeleted = true
    }

    /// Deletes all objects of a class, and its table if the models no longer have the class. Returns false if the file
    /// has no such class.
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
        new.verifyThread()
        // The table of a class removed from the schema is kept until the block returns, because columns may still link
        // to it; but its data can be deleted only once.
        guard !droppedClasses.contains(typeName), let managed = new.dynamicClass(named: typeName) else { return false }
        new.change { try $0.clear(managed.tableKey) }
        if newSchema[typeName] == nil { droppedClasses.append(typeName) }
        return true
    }

    func noteRename(_ className: String, from old: String, to new: String) {
        renames[RenamedColumn(className: className, column: old)] = new
    }
}

/// The name of ``Migration`` in the Objective-C half of Realm's SDK.
public typealias RLMMigration = Migration
