// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage

/// An open database, confined to a thread, a queue or an actor. Copies denote the same instance.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
/// for dog in realm.objects(Dog.self).where({ $0.age > 3 }) { print(dog.name) }
/// ```
///
/// The Realm and everything read from it are confined to that thread, queue or actor: use elsewhere traps. Opening the
/// file again there returns the same instance. Frozen Realms and objects may be used anywhere.
public struct Realm: Equatable {
    let instance: RealmInstance

    init(_ instance: RealmInstance) { self.instance = instance }

    /// Opens the default Realm, confined to this thread, or to a serial queue that this code runs on.
    ///
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models.
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens the Realm of a configuration, confined to this thread, or to a serial queue that this code runs on.
    ///
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

    /// Opens a file; all other settings are those of the default configuration.
    ///
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models.
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// Returns whether both are the same opened instance.
    public static func == (lhs: Realm, rhs: Realm) -> Bool { lhs.instance === rhs.instance }

    /// The configuration that the Realm was opened with.
    public var configuration: Configuration { instance.configuration }

    /// The classes of the Realm.
    public var schema: Schema { Schema(instance.coordinator.managedClasses.map(\.info)) }

    /// A Boolean value that indicates whether the Realm has no objects of any class.
    public var isEmpty: Bool {
        instance.verifyThread()
        instance.adoptArrivedClasses()
        return instance.coordinator.managedClasses.filter { $0.info.kind == .topLevel }.allSatisfy { managed in
            guard let table = instance.table(managed.tableKey) else { return true }
            return instance.reading(0, { try table.count() }) == 0
        }
    }

    // MARK: Transactions

    /// Runs `block` in a write transaction and commits it. If the block throws an error, everything is rolled back and
    /// the error is rethrown. There is one writer at a time: others wait.
    ///
    /// - Precondition: No write of this Realm is in progress.
    /// - Throws: `Realm.Error` for an I/O error: before the block runs if the write can't begin; at its end if an
    ///   assignment, `create`, `delete` or the like encountered damage, or lacked a resource. Nothing is changed then.
    ///   Changes that the block makes after the error are skipped while its reads continue, and `add` and `create`
    ///   leave the object unmanaged. A loop that waits for its own changes must therefore also check
    ///   `isInWriteTransaction`.
    @discardableResult
    public func write<Result>(_ block: () throws -> Result) throws -> Result {
        try instance.throwing { try instance.writes.enter() }
        let result = try instance.writes.rollingBackOnError(block)
        if isInWriteTransaction { try commitWrite() }
        return result
    }

    /// Begins a write transaction, after moving to the newest version. Waits while another is in progress.
    ///
    /// If the write can't begin, for example because the disk is full, `commitWrite()` throws the error. Until then
    /// changes are skipped, and reads continue. `cancelWrite()` ends it as well.
    public func beginWrite() { instance.writes.begin() }

    /// Makes the changes durable and visible to all.
    ///
    /// - Precondition: A write is in progress.
    /// - Throws: `Realm.Error` if the commit fails; then nothing is changed.
    public func commitWrite() throws { try instance.writes.commit() }

    /// Discards all changes of the write transaction. Objects that were created in it become invalidated.
    public func cancelWrite() { instance.writes.cancel() }

    /// A Boolean value that indicates whether a write transaction of this Realm is in progress.
    public var isInWriteTransaction: Bool {
        instance.verifyThread()
        return instance.isInWriteTransaction
    }

    /// Moves to the newest version. Returns whether that is a different one; false during a write, and for a frozen
    /// Realm.
    @discardableResult
    public func refresh() -> Bool {
        if configuration.isImmutable {
            throwRealmException("Read-only Realms do not change and cannot be refreshed.")
        }
        return instance.refresh()
    }

    /// Releases the version that is being read: objects and collections that were read before become permanently
    /// invalid. The next query reads the newest version. A write in progress is cancelled.
    ///
    /// After this, reading from a frozen Realm traps.
    public func invalidate() { instance.invalidate() }
}
