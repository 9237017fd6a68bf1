// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage

/// A database opened where it is used: on a thread, on a queue, in an actor. Copies denote the same instance.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
/// for dog in realm.objects(Dog.self).where({ $0.age > 3 }) { print(dog.name) }
/// ```
///
/// Confined to that place, and so is everything got from it: use elsewhere traps. Opening the same file again at the
/// same place gives the same instance. What is frozen may be used anywhere.
public struct Realm: Equatable {
    let instance: RealmInstance

    init(_ instance: RealmInstance) { self.instance = instance }

    /// Opens the default Realm, confined to this thread, or to a serial queue that this code runs on.
    ///
    /// - Throws: `Realm.Error` if the file cannot be opened or does not suit the models.
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens the Realm of a configuration, confined to this thread, or to a serial queue that this code runs on.
    ///
    /// - Throws: `Realm.Error` if the file cannot be opened or does not suit the models.
    public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
        let place = queue.map { Confinement.queue(.of($0), $0) } ?? .current
        if !place.isCurrent { throwRealmException("Realm opened from incorrect dispatch queue.") }
        do {
            self.init(try RealmRegistry.instance(configuration, at: place))
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Opens a file with the default configuration otherwise.
    ///
    /// - Throws: `Realm.Error` if the file cannot be opened or does not suit the models.
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// Whether both are the same opened instance.
    public static func == (lhs: Realm, rhs: Realm) -> Bool { lhs.instance === rhs.instance }

    /// What the Realm was opened with.
    public var configuration: Configuration { instance.configuration }

    /// The classes of the Realm.
    public var schema: Schema { Schema(instance.coordinator.managedClasses.map(\.info)) }

    /// Whether there is no object of any class.
    public var isEmpty: Bool {
        instance.verifyThread()
        instance.adoptArrivedClasses()
        return instance.coordinator.managedClasses.filter { $0.info.kind == .topLevel }.allSatisfy { managed in
            guard let table = instance.table(managed.tableKey) else { return true }
            return instance.reading(0, { try table.count() }) == 0
        }
    }

    // MARK: Transactions

    /// Runs `block` in a write transaction and commits it. An error of the block rolls everything back and is thrown
    /// on. One writer at a time: others wait.
    ///
    /// - Precondition: No write of this Realm is in progress.
    /// - Throws: `Realm.Error` for whatever the world does to the write: before the block is run where it cannot begin;
    ///   at its end where an assignment, `create`, `delete` or the like has met damage, or could not get what it needs.
    ///   Nothing is changed then: what the block changes after that is skipped while its reads go on, `add` and
    ///   `create` leave the object unmanaged, and a loop that waits for its own changes must look at
    ///   `isInWriteTransaction` no more than otherwise.
    @discardableResult
    public func write<Result>(_ block: () throws -> Result) throws -> Result {
        try instance.throwing { try instance.writes.enter() }
        let result = try instance.writes.rollingBackOnError(block)
        if isInWriteTransaction { try commitWrite() }
        return result
    }

    /// Begins a write transaction, after moving to the newest version. Waits while another is in progress.
    ///
    /// If the write cannot begin, because the disk is full for instance, `commitWrite()` throws the error; until then
    /// changes are skipped, and reads go on. `cancelWrite()` ends it as well.
    public func beginWrite() { instance.writes.begin() }

    /// Makes the changes durable and visible to all.
    ///
    /// - Precondition: A write is in progress.
    /// - Throws: `Realm.Error` if that fails; then nothing was changed.
    public func commitWrite() throws { try instance.writes.commit() }

    /// Gives up all changes of the write transaction. Objects that were created in it become invalidated.
    public func cancelWrite() { instance.writes.cancel() }

    /// Whether a write transaction is in progress here.
    public var isInWriteTransaction: Bool {
        instance.verifyThread()
        return instance.isInWriteTransaction
    }

    /// Moves to the newest version. Returns whether that is another one; false during a write, and if frozen.
    @discardableResult
    public func refresh() -> Bool {
        if configuration.isImmutable {
            throwRealmException("Read-only Realms do not change and cannot be refreshed.")
        }
        return instance.refresh()
    }

    /// Lets go of the version that is being read: objects and collections that were got before are invalid for good.
    /// The next query reads the newest version. A write in progress is cancelled.
    ///
    /// Of a frozen Realm, later reads trap.
    public func invalidate() { instance.invalidate() }
}
