// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension FileClientStore: FlexibleClientStore {
    // MARK: Reading

    package var activeQuery: VersionedQuery {
        var query = VersionedQuery(version: 0, text: SubscriptionSet.document(of: []))
        read { snapshot, _ in
            if let active = try SubscriptionStore(snapshot)?.active { query = active.query }
        }
        return query
    }

    package func pendingQuery(after version: UInt64) -> PendingQuery? {
        var pending: PendingQuery?
        read { snapshot, _ in
            pending = try SubscriptionStore(snapshot)?.pending(after: version).map {
                PendingQuery(query: $0.query, snapshotVersion: $0.snapshotVersion)
            }
        }
        return pending
    }

    package var holdsUploads: Bool {
        var holdsUploads = false
        read { snapshot, _ in holdsUploads = try PartitionMigration.holdsUploads(in: snapshot) }
        return holdsUploads
    }

    package func hasSet(_ version: UInt64) -> Bool {
        var hasSet = false
        read { snapshot, _ in
            hasSet = try SubscriptionStore(snapshot)?.headers().contains { $0.version == version } ?? false
        }
        return hasSet
    }

    // MARK: Bootstraps

    package func beginSession() throws(SessionError) -> Int? {
        let pending: [PendingBootstraps<Snapshot>.Header]
        let progress: ClientProgress
        do {
            try database.prepareSubscriptions()
            let snapshot = try database.snapshot(label: "synchronisation")
            pending = try PendingBootstraps(snapshot)?.headers ?? []
            progress = try StoredHistory(snapshot)?.progress ?? ClientProgress()
        } catch {
            throw FileClientStore.failure(error)
        }
        guard !pending.isEmpty else { return nil }
        if pending.contains(where: { $0.progress?.continues(progress) == true }) {
            // A bootstrap that can't be applied is downloaded again.
            if let count = try? applyStored() { return count }
        }
        try change { bootstraps, sets in try FileClientStore.discard(bootstraps, sets) { _ in true } }
        return nil
    }

    package func receive(_ part: BootstrapPart) throws(SessionError) -> Int? {
        if let progress = part.progress, part.isSmall, let count = try applyAlone(part, progress) { return count }
        try change { bootstraps, sets in
            try FileClientStore.discard(bootstraps, sets, where: part.replaces)
            try bootstraps.append(part)
            if try sets.headers().contains(where: { $0.version == part.queryVersion && $0.state == .pending }) {
                try sets.setState(.bootstrapping, of: part.queryVersion)
            }
        }
        return part.progress == nil ? nil : try applyStored()
    }

    /// Applies a bootstrap of one message. Returns nil if earlier messages of it are stored.
    private func applyAlone(_ part: BootstrapPart, _ progress: ClientProgress) throws(SessionError) -> Int? {
        try write { transaction, recorder in
            guard let bootstraps = try PendingBootstraps(transaction), let sets = try SubscriptionStore(transaction),
                try bootstraps.headers.allSatisfy({ part.replaces($0.queryVersion) })
            else { return nil }
            try FileClientStore.discard(bootstraps, sets, where: part.replaces)
            let changes = try part.entries.map(DownloadedChange.init)
            try integrate(changes, progress, downloadable: Self.allOfBootstrap, transaction, recorder)
            try sets.didBootstrap(part.queryVersion)
            return changes.count
        }
    }

    private func applyStored() throws(SessionError) -> Int {
        var count = 0
        while try applySlice(&count) {}
        return count
    }

    /// The recorded progress of a complete bootstrap.
    static let allOfBootstrap: UInt64 = 10_000

    /// Applies the next changes of the stored bootstrap. Returns whether more follow. The progress advances with the
    /// last ones.
    private func applySlice(_ count: inout Int) throws(SessionError) -> Bool {
        let slice = try write { transaction, recorder in
            guard let bootstraps = try PendingBootstraps(transaction), let sets = try SubscriptionStore(transaction),
                let header = try bootstraps.headers.first(where: { $0.progress != nil }),
                let progress = header.progress
            else { return PendingBootstraps<WriteTransaction>.Slice() }
            let slice = try bootstraps.slice(of: header, limit: BootstrapTables.sliceSize)
            let stored = try StoredHistory(before: transaction)?.progress ?? ClientProgress()
            try integrate(
                slice.changes, slice.isLast ? progress : stored, downloadable: slice.isLast ? Self.allOfBootstrap : 0,
                transaction, recorder)
            if slice.isLast {
                try bootstraps.remove(header)
                try sets.didBootstrap(header.queryVersion)
            } else {
                try bootstraps.removeFirst(slice.changes.count, of: header)
            }
            return slice
        }
        count += slice.changes.count
        return !slice.isLast
    }

    /// Removes the bootstraps of some query versions. Their sets are pending again.
    private static func discard(
        _ bootstraps: PendingBootstraps<WriteTransaction>, _ sets: SubscriptionStore<WriteTransaction>,
        where isDiscarded: (UInt64) -> Bool
    ) throws {
        for header in try bootstraps.headers where isDiscarded(header.queryVersion) {
            try bootstraps.remove(header)
            let state = try sets.headers().first { $0.version == header.queryVersion }?.state
            if state == .bootstrapping { try sets.setState(.pending, of: header.queryVersion) }
        }
    }

    // MARK: States

    package func completeSet() throws(SessionError) -> Bool {
        var version: UInt64?
        read { snapshot, _ in
            version = try SubscriptionStore(snapshot)?.headers().last { $0.state == .awaitingMark }?.version
        }
        guard let version else { return false }
        try write { transaction, _ in
            try SubscriptionStore(transaction)?.setState(.complete, of: version)
            try PartitionMigration.didComplete(version, in: transaction)
        }
        return true
    }

    package func reject(_ queryVersion: UInt64, _ reason: String) throws(SessionError) -> Bool {
        var isPending = false
        try change { bootstraps, sets in
            isPending = try sets.headers().contains { $0.version == queryVersion && $0.state.isPending }
            guard isPending else { return }
            try FileClientStore.discard(bootstraps, sets) { $0 == queryVersion }
            try sets.setState(.error, of: queryVersion, error: reason)
        }
        return isPending
    }

    private func change(
        _ body: (PendingBootstraps<WriteTransaction>, SubscriptionStore<WriteTransaction>) throws -> Void
    ) throws(SessionError) {
        try write { transaction, _ in
            guard let bootstraps = try PendingBootstraps(transaction), let sets = try SubscriptionStore(transaction)
            else { throw SessionError(.other, "the file has no subscriptions") }
            try body(bootstraps, sets)
        }
    }
}

extension BootstrapPart {
    /// Whether the part replaces a stored bootstrap of a query version.
    fileprivate func replaces(_ storedVersion: UInt64) -> Bool { isFirst || storedVersion != queryVersion }

    /// Whether one commit can apply all changes.
    fileprivate var isSmall: Bool {
        entries.count <= BootstrapTables.maxSlice
            && entries.reduce(0) { $0 + $1.changeset.count } <= BootstrapTables.sliceSize
    }
}

extension SubscriptionStore where Source == WriteTransaction {
    /// The server may also send a bootstrap for a set that is complete. Its state doesn't change then.
    fileprivate func didBootstrap(_ version: UInt64) throws {
        guard try headers().contains(where: { $0.version == version && $0.state.isPending }) else { return }
        try setState(.awaitingMark, of: version)
    }
}

extension Database {
    /// Creates the tables of subscriptions in a new client file, with an empty first set, for which the server sends
    /// the schema (§5.3). Has no effect on a file that has them.
    ///
    /// - Throws: `StorageError`: `incompatibleHistory` if the file's subscriptions have an unknown layout.
    package func prepareSubscriptions() throws {
        let snapshot = try snapshot(label: "synchronisation")
        let isPrepared =
            try SubscriptionTables.sets.arePresent(in: snapshot) && BootstrapTables.all.arePresent(in: snapshot)
        if isPrepared { return }
        try write { try SubscriptionTables.prepare(in: $0) }
    }

    /// Copies the active subscriptions of another client file to this new one, for a client reset (§7.2). The session
    /// of the copy is complete when its newest set is.
    package func subscribe(as other: Database) throws {
        try prepareSubscriptions()
        let active = try SubscriptionStore(try other.snapshot(label: "client reset"))?.active
        guard let active, !active.subscriptions.isEmpty else { return }
        try write { transaction in _ = try SubscriptionStore(transaction)?.add(active.subscriptions) }
    }
}
