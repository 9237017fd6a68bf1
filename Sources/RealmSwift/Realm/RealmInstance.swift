// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

/// A database opened on one thread: what the copies of a `Realm` share.
///
/// Confined to the thread that made it, which every entry verifies, so its state needs no lock. It reads either the
/// snapshot it is at or, during a write, the transaction's own view.
@usableFromInline
final class RealmInstance {
    let coordinator: RealmCoordinator
    let configuration: Realm.Configuration
    /// Lives as long as the instance; accessors point to it.
    @usableFromInline let state: UnsafeMutablePointer<ReadState>
    private(set) var snapshot: Snapshot?
    private(set) var transaction: WriteTransaction?
    /// A number for the write transaction in progress, or 0; never repeated.
    private(set) var currentWrite: UInt64 = 0
    private var writeCount: UInt64 = 0
    /// For cancelled writes: the sequence numbers that their tables had before, by which new objects are told.
    private var cancelledWrites: [UInt64: [TableKey: UInt64]] = [:]
    /// Whether the write transaction is that of a migration.
    private(set) var isMigrating = false
    /// Classes as dynamic objects see them.
    let dynamicClasses = Locked<[TableKey: ManagedClass]>([:])
    /// Damage that a read met; the next commit reports it.
    private var damage: StorageError?

    init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration) throws {
        self.coordinator = coordinator
        self.configuration = configuration
        let snapshot = try coordinator.database.snapshot(label: "Realm")
        self.snapshot = snapshot
        state = .allocate(capacity: 1)
        state.initialize(to: ReadState(generation: 1, thread: ThreadToken.current(), space: snapshot.space))
    }

    /// For a migration: the version before it or, with `transaction`, what becomes of it.
    init(
        migrating coordinator: RealmCoordinator, _ configuration: Realm.Configuration, _ snapshot: Snapshot?,
        _ transaction: WriteTransaction?, _ space: NodeSpace
    ) {
        self.coordinator = coordinator
        self.configuration = configuration
        self.snapshot = snapshot
        self.transaction = transaction
        isMigrating = transaction != nil
        currentWrite = isMigrating ? 1 : 0
        state = .allocate(capacity: 1)
        state.initialize(to: ReadState(generation: 1, thread: ThreadToken.current(), space: space))
    }

    /// Ends what a migration's Realm sees; the transaction is not its own. Throws what damage was met.
    func endMigration() throws {
        transaction = nil
        snapshot = nil
        changed()
        if let damage { throw damage }
    }

    deinit {
        if transaction != nil {
            warnOfRollback("deallocated")
            transaction?.rollback()
        }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    private func warnOfRollback(_ reason: String) {
        coordinator.logger.log(
            .warn,
            """
            An RLMRealm instance was \(reason) during a write transaction and all pending changes have been rolled \
            back.
            """)
    }

    // MARK: Verification

    /// Ends the process if this is not the Realm's thread.
    func verifyThread() {
        if state.pointee.thread != ThreadToken.current() {
            throwRealmException("Realm accessed from incorrect thread.")
        }
    }

    /// Ends the process with `text` unless a write is in progress on this thread.
    func verifyInWrite(_ text: String) {
        verifyThread()
        if transaction == nil { throwRealmException(text) }
    }

    /// The write transaction of a migration ends with its block.
    private func verifyNotMigrating() {
        if isMigrating { throwRealmException("Can't commit or cancel the write transaction of a migration") }
    }

    // MARK: Reading

    /// What reads see: the transaction's view during a write, else the snapshot; nil after `invalidate()`.
    var source: (any TableSource)? { transaction ?? snapshot }

    /// The table with this key, as it is now.
    func table(_ key: TableKey) -> Table? {
        reading(nil) { try source?.table(key) }
    }

    /// Runs a read. Damage in the file gives `fallback`, is reported once on standard error, and makes the next commit
    /// throw, because most reads of the API cannot throw themselves.
    func reading<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            report(error.at(path: coordinator.database.path))
        } catch {
            report(StorageError(.fileAccess, "\(error)", path: coordinator.database.path))
        }
        return fallback
    }

    private func report(_ error: StorageError) {
        guard damage == nil else { return }
        damage = error
        coordinator.logger.log(.error, error.description)
    }

    /// The class as this file stores it; nil if it does not.
    func managed(_ info: ClassInfo) -> ManagedClass? { coordinator.managedClass(info) }

    /// As `managed`, and the documented exception for a class that the Realm does not have.
    func requireManaged(_ type: ObjectBase.Type) -> ManagedClass {
        let info = ClassRegistry.shared.info(for: type)
        if let managed = managed(info) { return managed }
        if configuration.objectTypes == nil, !configuration.readOnly, !info.allProperties.isEmpty {
            return learn(info)
        }
        throwRealmException(
            """
            Object type '\(info.name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` \
            array in your configuration, add `\(info.name)` to the list of `objectClasses` / `objectTypes`.
            """)
    }

    /// A class that was first used after the Realm was opened gets its table now.
    private func learn(_ info: ClassInfo) -> ManagedClass {
        do {
            try coordinator.learn(info, within: transaction)
            if transaction == nil { try advance() } else { changed() }
        } catch {
            throwRealmException("\(Realm.Error(error))")
        }
        guard let managed = managed(info) else {
            throwRealmException("Object type '\(info.name)' is not managed by the Realm.")
        }
        return managed
    }

    /// An accessor of the object with `key` of a class.
    func object<Element: ObjectBase>(of type: Element.Type, _ key: ObjectKey) -> Element {
        object(of: type, requireManaged(type), key)
    }

    /// As `object(of:_:)`, of a class that is known already; with `place`, the first read needs no look-up.
    func object<Element: ObjectBase>(
        of type: Element.Type, _ managed: ManagedClass, _ key: ObjectKey, at place: RowPlace? = nil
    ) -> Element {
        let object = type.init()
        object.manageFresh(self, managed, key, at: place)
        return object
    }

    // MARK: Versions

    /// Moves to the newest version. True if it is another one.
    @discardableResult
    func refresh() -> Bool {
        verifyThread()
        guard transaction == nil else { return false }
        return reading(false) {
            guard snapshot?.version != coordinator.database.version else { return false }
            try advance()
            return true
        }
    }

    private func advance() throws {
        let newest = try coordinator.database.snapshot(label: "Realm")
        snapshot = newest
        changed(newest.space)
    }

    /// Lets go of the version while `body` runs, which must not read, and moves to the newest one after that.
    func withoutVersion<Result>(_ body: () throws -> Result) throws -> Result {
        snapshot = nil
        let result: Result
        do {
            result = try body()
        } catch {
            try? advance()
            throw error
        }
        try advance()
        return result
    }

    /// Lets go of the version; everything read from this Realm is invalid until it reads again.
    func invalidate() {
        verifyThread()
        if isInWriteTransaction {
            warnOfRollback("invalidated")
            cancelWrite()
        }
        reading((), { try advance() })
    }

    /// Whatever was read before may have changed or moved.
    private func changed(_ space: NodeSpace? = nil) {
        state.pointee.generation &+= 1
        if let space { state.pointee.space = space }
    }

    // MARK: Writing

    var isInWriteTransaction: Bool { transaction != nil }

    func beginWrite() {
        verifyThread()
        if configuration.readOnly { throwRealmException("Can't perform transactions on read-only Realms.") }
        if transaction != nil { throwRealmException("The Realm is already in a write transaction") }
        // The snapshot goes first: it would keep space from being reused for as long as the write lasts.
        snapshot = nil
        do {
            let transaction = try coordinator.database.beginWrite()
            try verifyVersionCount()
            self.transaction = transaction
            writeCount += 1
            currentWrite = writeCount
            changed(transaction.space)
        } catch {
            throwRealmException("Cannot begin a write transaction: \(error)")
        }
    }

    /// The documented exception where more versions are in use than the configuration allows.
    private func verifyVersionCount() throws {
        guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
        let count = try coordinator.database.activeVersionCount
        guard count > limit else { return }
        throwRealmException("Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    }

    func commitWrite() throws {
        verifyThread()
        guard let transaction else { throwRealmException("Can't commit a non-existing write transaction") }
        verifyNotMigrating()
        do {
            if let damage { throw damage }
            try transaction.commit()
            coordinator.logger.log(.debug, "Committed to \(configuration.place).")
            try endWrite()
        } catch {
            if transaction.isOpen { transaction.rollback() }
            try? endWrite()
            throw Realm.Error(error)
        }
    }

    func cancelWrite() {
        verifyThread()
        guard let transaction else { throwRealmException("Can't cancel a non-existing write transaction") }
        verifyNotMigrating()
        let cancelled = currentWrite
        transaction.rollback()
        reading((), { try endWrite() })
        var sequences: [TableKey: UInt64] = [:]
        for key in reading([], { try source?.tableKeys() ?? [] }) {
            if let table = table(key) { sequences[key] = table.sequence }
        }
        cancelledWrites[cancelled] = sequences
    }

    private func endWrite() throws {
        transaction = nil
        currentWrite = 0
        try advance()
    }

    /// Whether the object came into being in a write that was cancelled since.
    func wasCancelled(_ object: ObjectBase) -> Bool {
        guard object._rlmRow.bornIn != 0, let managed = object._rlmRow.managed else { return false }
        return wasCancelled(object._rlmRow.key, of: managed, bornIn: object._rlmRow.bornIn)
    }

    /// As above, of an object that something was made for in the write `bornIn`, or outside of writes if that is 0.
    func wasCancelled(_ key: ObjectKey, of managed: ManagedClass, bornIn: UInt64) -> Bool {
        guard bornIn != 0, let sequences = cancelledWrites[bornIn] else { return false }
        guard let sequence = sequences[managed.tableKey] else { return true }
        return key.number(hasPrimaryKey: managed.primaryKey != nil) >= sequence
    }

    /// Runs an instruction of the write in progress. What it refuses is a programmer error, unless the file is damaged,
    /// which the commit reports.
    @discardableResult
    func change<Result>(_ body: (WriteTransaction) throws -> Result) -> Result {
        guard let transaction else { throwRealmException("Cannot modify the Realm outside of a write transaction.") }
        defer { changed() }
        do {
            return try body(transaction)
        } catch let error as StorageError {
            throwRealmException(error.message)
        } catch {
            throwRealmException("\(error)")
        }
    }
}
