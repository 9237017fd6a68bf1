// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmStorage

/// An open database, confined to a thread, a queue or an actor. Copies of the value refer to the same instance.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
/// for dog in realm.objects(Dog.self).where({ $0.age > 3 }) { print(dog.name) }
/// ```
///
/// The Realm and everything read from it can be used only on that thread, queue or actor; use elsewhere traps. Opening
/// the file there again returns the same instance. Frozen Realms and objects can be used anywhere.
public struct Realm: Equatable {
    let instance: RealmInstance

    init(_ instance: RealmInstance) { self.instance = instance }

    /// Opens the Realm of `Configuration.defaultConfiguration`, confined to the current thread or to `queue`.
    ///
    /// - Parameter queue: A serial queue on which this code runs; nil for the current thread.
    /// - Precondition: The code runs on `queue`, if it isn't nil.
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models.
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens the Realm of a configuration, confined to the current thread or to `queue`.
    ///
    /// - Parameters:
    ///   - configuration: The file and the settings of the Realm.
    ///   - queue: A serial queue on which this code runs; nil for the current thread.
    /// - Precondition: The code runs on `queue`, if it isn't nil.
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models.
    public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
        let place = queue.map { Confinement.queue(.of($0), $0) } ?? .current
        if !place.isCurrent { throwRealmException("Realm opened from incorrect dispatch queue.") }
        do {
            self.init(try RealmRegistry.instance(configuration, at: place))
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Opens the Realm in a file, confined to the current thread. All other settings are those of the default
    /// configuration.
    ///
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models.
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// Returns whether both values refer to the same instance.
    public static func == (lhs: Realm, rhs: Realm) -> Bool { lhs.instance === rhs.instance }

    /// The configuration with which the Realm was opened.
    public var configuration: Configuration { instance.configuration }

    /// The classes stored in the Realm.
    public var schema: Schema { Schema(instance.coordinator.managedClasses.map(\.info)) }

    /// A Boolean value that indicates whether the Realm contains no objects.
    public var isEmpty: Bool {
        instance.verifyThread()
        instance.adoptArrivedClasses()
        return instance.coordinator.managedClasses.filter { $0.info.kind == .topLevel }.allSatisfy { managed in
            guard let table = instance.table(managed.tableKey) else { return true }
            return instance.reading(0, { try table.count() }) == 0
        }
    }

    // MARK: Transactions

    /// Runs `block` in a write transaction and commits it. If the block throws an error, all changes are rolled back
    /// and the error is rethrown. Other writers wait meanwhile.
    ///
    /// - Precondition: No write of this Realm is in progress.
    /// - Throws: Any error thrown by `block`, and `Realm.Error` for an I/O error: before the block runs if the write
    ///   can't begin; after it if a change in the block encountered damage or lacked a resource. In both cases nothing
    ///   is changed. Changes that the block makes after the error are skipped while its reads continue, and `add` and
    ///   `create` leave the object unmanaged. A loop that waits for its own changes must therefore also check
    ///   `isInWriteTransaction`.
    @discardableResult
    public func write<Result>(_ block: () throws -> Result) throws -> Result {
        try instance.throwing { try instance.writes.enter() }
        let result = try instance.writes.rollingBackOnError(block)
        if isInWriteTransaction { try commitWrite() }
        return result
    }

    /// Begins a write transaction, after advancing to the newest version. Waits while another write is in progress.
    ///
    /// If the write can't begin, for example because the disk is full, changes are skipped, reads continue, and
    /// `commitWrite()` throws the error. `cancelWrite()` also ends such a write.
    public func beginWrite() { instance.writes.begin() }

    /// Commits the write transaction: its changes are durable, and visible to all readers, when this returns.
    ///
    /// - Precondition: A write is in progress.
    /// - Throws: `Realm.Error` if the commit fails. In this case nothing is changed.
    public func commitWrite() throws { try instance.throwing { try instance.writes.commit() } }

    /// Discards all changes of the write transaction. Objects created in it are invalidated.
    ///
    /// - Precondition: A write is in progress.
    public func cancelWrite() { instance.writes.cancel() }

    /// A Boolean value that indicates whether a write transaction of this Realm is in progress.
    public var isInWriteTransaction: Bool {
        instance.verifyThread()
        return instance.isInWriteTransaction
    }

    /// Advances to the newest version, and notifies observers of the changes. Returns whether the version changed;
    /// false during a write, and for a frozen Realm.
    ///
    /// - Precondition: The Realm isn't read-only, unless it is synchronised.
    @discardableResult
    public func refresh() -> Bool {
        if configuration.isImmutable {
            throwRealmException("Read-only Realms do not change and cannot be refreshed.")
        }
        return instance.refresh()
    }

    /// Releases the version that the Realm reads. Objects and collections read before become permanently invalid; the
    /// next query reads the newest version. A write in progress is cancelled.
    ///
    /// After this, reading from a frozen Realm traps.
    public func invalidate() { instance.invalidate() }
}
