// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// The part of an instance that has models: its configuration, its classes, and the memory for adding objects.
///
/// Unchecked: the variables are confined like the instance; of a frozen one, which several threads may use, only the
/// constants are used.
final class InstanceModels: InstanceClasses, @unchecked Sendable {
    let coordinator: RealmCoordinator
    let configuration: Realm.Configuration
    let dynamicClasses = Locked<[TableKey: ManagedClass]>([:])
    /// Caches class lookups; the slot is a hash of the type.
    @safe @exclusivity(unchecked) var knownClasses = [ClassCacheEntry?](repeating: nil, count: 32)
    /// Memory for the values of the next new object, or nil while one is being added. Used during writes only.
    @safe @exclusivity(unchecked) var spareValues: RowValues?
    let additions = Additions()
    @safe @exclusivity(unchecked) fileprivate var lastFrozen: (version: UInt64, reference: InstanceReference)?

    init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration) {
        self.coordinator = coordinator
        self.configuration = configuration
    }

    func elementClass(
        _ type: AnyClass, of column: ColumnKey, in managed: ManagedClass, _ instance: RealmInstance
    ) -> ManagedClass? {
        if type == DynamicObject.self { return instance.dynamicTarget(of: column, in: managed) }
        // All element types of this module are object classes, and a cast would take longer than the lookup.
        return instance.requireManaged(unsafe unsafeBitCast(type, to: ObjectBase.Type.self))
    }

    func filter(_ keyPaths: [String], of managed: ManagedClass, _ instance: RealmInstance) -> KeyPathFilter {
        KeyPathFilter(keyPaths, of: managed, in: instance)
    }
}

extension RealmInstance {
    /// The models, which all instances of this module have.
    @inline(__always) var own: InstanceModels { unsafe unsafeDowncast(models, to: InstanceModels.self) }

    var coordinator: RealmCoordinator { own.coordinator }
    var configuration: Realm.Configuration { own.configuration }

    /// `reader` is a frozen one.
    convenience init(
        _ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, frozen reader: VersionReader
    ) {
        self.init(reader, models: InstanceModels(coordinator, configuration), names: coordinator.propertyNames)
    }

    convenience init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, frozen snapshot: Snapshot) {
        self.init(
            coordinator, configuration,
            frozen: VersionReader(coordinator.host, configuration.readerSettings, frozen: snapshot))
    }

    /// Creates the instance of a migration: for the version before it or, with `transaction`, for its result.
    convenience init(
        migrating coordinator: RealmCoordinator, _ configuration: Realm.Configuration, _ snapshot: Snapshot?,
        _ transaction: WriteTransaction?, _ space: NodeSpace
    ) {
        let reader = VersionReader(
            migrating: coordinator.host, configuration.readerSettings, snapshot, transaction, space)
        self.init(reader, models: InstanceModels(coordinator, configuration), names: coordinator.propertyNames)
    }

    // MARK: Versions

    /// The frozen instance of a version that observers were notified of, for the values that they see.
    func showing(_ version: ObservedVersion) -> RealmInstance {
        RealmInstance(coordinator, configuration, frozen: version.reader)
    }

    /// The frozen instance of the version that is read; during a write, of the version before the write.
    func frozen() -> RealmInstance {
        if isFrozen { return self }
        verifyThread()
        let isSettled = transaction == nil && writes.waiting.inFlight == 0
        if isSettled, let last = own.lastFrozen, last.version == snapshot?.version,
            let instance = last.reference.instance
        {
            return instance
        }
        return requiring {
            guard let version = try settledVersion() else {
                return try coordinator.frozen(
                    try coordinator.database.snapshot(label: VersionReader.frozenHolder), configuration)
            }
            let instance = try coordinator.frozen(version, configuration)
            own.lastFrozen = (version.version, instance.reference)
            return instance
        }
    }

    // MARK: Objects

    func wasCancelled(_ object: ObjectBase) -> Bool {
        guard object._rlmRow.createdInWrite != 0, let managed = object._rlmRow.managed else { return false }
        return writes.cancelled.contains(
            object._rlmRow.key, of: managed, createdInWrite: object._rlmRow.createdInWrite)
    }

    // MARK: Errors

    /// Like `trappingOnError`, where the API has to return a value and has no placeholder for it: a world error also
    /// traps.
    func requiring<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            throwRealmException("\(Realm.Error(worldFailure(error)))")
        }
    }

    func throwing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw Realm.Error(error)
        }
    }
}
