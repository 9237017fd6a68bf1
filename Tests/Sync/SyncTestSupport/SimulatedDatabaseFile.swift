// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport

/// A database as a client file of a simulation. Changes of the application are applied as its own, and recorded again.
package final class SimulatedDatabaseFile: SimulatedFile {
    private let folder: TemporaryFolder
    private let path: String
    private let clock = Clock()
    private let isCheckedByPython: Bool
    private var opened: FileClientStore?
    package private(set) var faults: [String] = []

    /// The timestamp of the next commit. Guarded by the simulation, which has one thread.
    private final class Clock: @unchecked Sendable {
        var now: UInt64 = 1
    }

    /// - Parameters:
    ///   - isFlexible: Whether the file has subscriptions.
    ///   - isCheckedByPython: Whether the audits at the end include that of another program, which takes a second.
    package init(isFlexible: Bool = false, isCheckedByPython: Bool = true) throws {
        self.isCheckedByPython = isCheckedByPython
        folder = try TemporaryFolder()
        path = folder.path + "/client.realm"
        let store = try SimulatedDatabaseFile.open(path, clock)
        if isFlexible { try store.database.prepareSubscriptions() }
        opened = store
    }

    package var database: Database { store.database }

    private var store: FileClientStore {
        guard let opened else { preconditionFailure("the file is closed") }
        return opened
    }

    private static func open(_ path: String, _ clock: Clock) throws -> FileClientStore {
        var options = OpenOptions()
        options.synchronisedHistory = ClientFileHistory(now: { clock.now })
        return FileClientStore(try Database.open(path, options: options))
    }

    package var model: SyncModel {
        do {
            return try StoredState.model(of: try store.database.snapshot())
        } catch {
            faults.append("the state cannot be read: \(error)")
            return SyncModel()
        }
    }

    package var isUploaded: Bool {
        store.uploads(after: store.state.progress.upload.clientVersion, limit: .max).entries.isEmpty
    }

    // MARK: Application

    package func commit(_ changeset: Changeset, timestamp: UInt64) throws -> Changeset {
        clock.now = timestamp
        let version = try store.database.snapshot().version
        try store.database.write { try ChangesetApplier($0, isRecorded: true).apply(changeset) }
        let entries = store.uploads(after: version, limit: .max).entries
        return Changeset(try entries.flatMap { try Changeset(decoding: $0.changeset).instructions })
    }

    package func sync() {}

    package func crash() {
        opened = nil
        do {
            opened = try SimulatedDatabaseFile.open(path, clock)
        } catch {
            faults.append("the file does not open again: \(error)")
        }
    }

    package func reset(
        to other: any SimulatedFile, discarding: Bool, _ recovered: (Changeset, SyncModel) -> Void
    ) throws {
        guard let fresh = other as? SimulatedDatabaseFile else { throw Failure("a reset to a file of another kind") }
        let state = fresh.model
        let reset = ClientReset(local: store.database, fresh: fresh.store.database)
        let outcome = try reset.run(discarding ? .discard : .recover)
        try requireEqual(outcome.mode, discarding ? .discard : .recover)
        // The later rounds complete the reset, since the simulation doesn't cover cycles.
        try ClientResetRecord.remove(from: store.database)
        for entry in store.uploads(after: 0, limit: .max).entries {
            recovered(try Changeset(decoding: entry.changeset), state)
        }
        try fresh.close()
    }

    package func close() throws {
        if let failure = store.failure { throw failure }
        opened = nil
        try FileAudit.requireClean(path: path)
        if isCheckedByPython { try PythonChecker.requireClean(path: path, strict: false) }
    }

    // MARK: Session

    package var state: ClientFileState { store.state }

    package func assign(_ file: SaltedIdent) throws(SessionError) { try store.assign(file) }

    package func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        do {
            try store.integrate(changes, progress, downloadableBytes: downloadableBytes)
        } catch {
            faults.append("\(error)")
            throw error
        }
    }

    package func uploads(after version: UInt64, limit: Int) -> UploadBatch {
        store.uploads(after: version, limit: limit)
    }
}

extension SimulatedDatabaseFile: ReplayedFile {
    package static func makeNew() throws -> SimulatedDatabaseFile { try SimulatedDatabaseFile() }

    package func subscribe(_ query: VersionedQuery) throws {
        if store.hasSet(query.version) { return }
        let subscriptions = try SimulatedDatabaseFile.subscriptions(try JSON(parsing: Array(query.text.utf8)))
        let version = try store.database.write { transaction in
            try SubscriptionStore(transaction)?.add(subscriptions)
        }
        try requireEqual(version, query.version, "the version of a set")
        try requireEqual(store.pendingQuery(after: query.version - 1)?.query, query, "the query of a set")
    }

    package func startOver() throws -> SimulatedDatabaseFile {
        try require(try SchemaMigration.run(on: store.database), "the file has changes that weren't uploaded")
        return self
    }

    /// Returns a subscription for each alternative of each query, in an order other than that of the document.
    private static func subscriptions(_ document: JSON) throws -> [Subscription] {
        (document.members ?? []).flatMap { member in
            let text = (member.value.text ?? "").dropFirst().dropLast()
            return text.split(separator: ") OR (").reversed().map { query in
                Subscription(
                    id: ObjectIdBytes(high: 1, low: 2), createdAt: Timestamp(seconds: 1, nanoseconds: 0),
                    updatedAt: Timestamp(seconds: 1, nanoseconds: 0), objectClass: member.name, query: String(query))
            }
        }
    }
}

extension SimulatedDatabaseFile: FlexibleClientStore {
    package var activeQuery: VersionedQuery { store.activeQuery }
    package func pendingQuery(after version: UInt64) -> PendingQuery? { store.pendingQuery(after: version) }
    package var holdsUploads: Bool { store.holdsUploads }
    package func hasSet(_ version: UInt64) -> Bool { store.hasSet(version) }
    package func beginSession() throws(SessionError) -> Int? { try store.beginSession() }
    package func receive(_ part: BootstrapPart) throws(SessionError) -> Int? {
        do {
            return try store.receive(part)
        } catch {
            faults.append("\(error)")
            throw error
        }
    }
    package func completeSet() throws(SessionError) -> Bool { try store.completeSet() }
    package func reject(_ queryVersion: UInt64, _ reason: String) throws(SessionError) -> Bool {
        try store.reject(queryVersion, reason)
    }

    package var subscriptionSets: [SubscriptionSet] {
        get throws { try SubscriptionStore(try store.database.snapshot())?.all ?? [] }
    }
}
