// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage
import RealmSystem

/// The state that all instances of one database in this process share: the open file, which its `DatabaseHost` holds,
/// and the classes it stores.
///
/// `frozen` is guarded by `lock`; the host and the classes guard themselves; the rest is immutable. Instances retain
/// it, and the file is closed with the last of them.
final class RealmCoordinator: @unchecked Sendable {
    let host: DatabaseHost
    var database: Database { host.database }
    let configuration: Realm.Configuration
    let logger = Logger.shared
    private let isForMigration: Bool
    /// For the objects before a migration: their classes after it, by table name. Empty otherwise.
    let declared: [String: ClassInfo]
    private let lock = Lock()
    private let classes: ManagedClasses
    /// Resolves property names of the models to columns.
    let propertyNames: PropertyNames
    private var frozen: [UInt64: InstanceReference] = [:]
    /// The result of the last comparison of frozen objects, for further comparisons in the same turn.
    let frozenChanges = Locked<VersionChanges?>(nil)
    /// Synchronises the file; nil for local files. Set before other threads see the coordinator.
    private(set) var synchronisation: SynchronisedFiles.Hold?
    /// Whether a new object needs a subscription of its class.
    let needsSubscriptions: Bool

    /// `classes` are those of the configuration, as `database` stores them.
    init(_ configuration: Realm.Configuration, _ database: Database, _ classes: [ManagedClass]) {
        isForMigration = false
        needsSubscriptions = configuration.isFlexible
        declared = [:]
        self.configuration = configuration
        host = DatabaseHost(database, place: configuration.place, log: logger)
        let classes = ManagedClasses(classes)
        self.classes = classes
        propertyNames = PropertyNames { classes.namedProperty($0, $1) }
    }

    deinit {
        if !isForMigration { logger.log(.detail, "\(database.logName) Close \(configuration.place)") }
    }

    init(
        migrating database: Database, _ configuration: Realm.Configuration, _ managed: [ManagedClass],
        declared: [ClassInfo] = []
    ) {
        isForMigration = true
        needsSubscriptions = false
        self.declared = Dictionary(declared.map { ($0.tableName, $0) }) { first, _ in first }
        host = DatabaseHost(database, place: configuration.place, log: logger)
        self.configuration = configuration
        let classes = ManagedClasses(managed)
        self.classes = classes
        propertyNames = PropertyNames { classes.namedProperty($0, $1) }
    }

    func replaceClasses(by managed: [ManagedClass]) { classes.replaceAll(by: managed) }

    // MARK: Classes

    func managedClass(_ info: ClassInfo) -> ManagedClass? { classes[info] }

    func managedClass(named name: String) -> ManagedClass? { classes[name] }

    /// `name` is the class's name in the program or in the file.
    func tableName(ofClass name: String) -> String {
        if let managed = classes[name] { return managed.info.tableName }
        return declared.values.first { $0.swiftName == name }?.tableName ?? FileFormat.classPrefix + name
    }

    func model(of table: Table) -> ManagedClass? { managedClasses.first { $0.tableKey == table.key } }

    var managedClasses: [ManagedClass] { classes.all }

    /// Adds a class that was first used after the file was opened. Without `transaction`, begins and commits a write.
    func register(_ info: ClassInfo, within transaction: WriteTransaction?) throws {
        let installer = SchemaInstaller(configuration, Schema(managedClasses.map(\.info) + newClasses(from: info)))
        let managed: [ManagedClass]
        if let transaction {
            managed = try installer.installAdditions(in: transaction)
        } else {
            let transaction = try database.beginWrite(within: configuration.storage.writeLimit)
            managed = try installer.installAdditions(in: transaction)
            try transaction.commit()
        }
        classes.add(managed)
    }

    private func newClasses(from info: ClassInfo) -> [ClassInfo] {
        var found = [info]
        var next = 0
        while next < found.count {
            for property in found[next].allProperties {
                guard let target = property.shape.objectType.map(ClassRegistry.shared.info),
                    managedClass(target) == nil,
                    !found.contains(where: { $0 === target })
                else { continue }
                found.append(target)
            }
            next += 1
        }
        return found
    }

    // MARK: New versions

    func synchronise(_ synchronisation: SynchronisedFiles.Hold) {
        self.synchronisation = synchronisation
        synchronisation.file.connect(to: self)
    }

    func frozen(_ version: Snapshot, _ configuration: Realm.Configuration) throws -> RealmInstance {
        // Retains the removed instances: nothing may be deallocated under the lock.
        var gone: [RealmInstance?] = []
        defer { withExtendedLifetime(gone) {} }
        return try lock.locked {
            if let known = frozen[version.version]?.instance { return known }
            frozen = frozen.filter { entry in
                let instance = entry.value.instance
                gone.append(instance)
                return instance != nil
            }
            let instance = RealmInstance(
                self, configuration, frozen: try version.again(label: VersionReader.frozenHolder))
            frozen[version.version] = instance.reference
            return instance
        }
    }

    /// Creates tables for the classes of this configuration that the opening configuration lacked. In a read-only
    /// Realm, adopts the tables that were added to the file since then.
    func registerMissingClasses(_ configuration: Realm.Configuration) throws {
        if configuration.readOnly {
            guard !configuration.isImmutable else { return }
            let schema = configuration.schema
            guard schema.classes.contains(where: { managedClass($0) == nil }) else { return }
            return classes.add(try SchemaInstaller(configuration, schema).install(in: database).classes)
        }
        for info in configuration.schema.classes where managedClass(info) == nil { try register(info, within: nil) }
    }
}
