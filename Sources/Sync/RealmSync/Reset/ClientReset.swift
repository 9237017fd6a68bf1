// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Rewrites a client file that its server rejects, using a fresh copy of the server's state (§7.3).
///
/// Both databases are opened with a `ClientFileHistory`. The copy was downloaded up to its mark, from the same
/// partition or with the same active subscriptions (`Database.subscribe`), under its own ident. A reset doesn't change
/// the copy, but assigns its ident to the file, so the copy can't be used afterwards. No session of either may be open.
/// Confined to one thread at a time. The application may write to the file meanwhile; its writes wait for the
/// transaction.
package struct ClientReset {
    package struct Outcome: Hashable, Sendable {
        package var mode: ClientResetMode
        package var hasChangedObjects: Bool
    }

    /// The change of a file between a partition and subscriptions (§5.8).
    package enum Move: Sendable {
        /// The fresh copy has subscriptions.
        case toSubscriptions(PartitionMigration)
        case toPartition
    }

    private let local: Database
    private let fresh: Database
    private let move: Move?

    /// - Parameter move: The fresh copy has the other mode than the file. Nil without a change of the mode.
    package init(local: Database, fresh: Database, _ move: Move? = nil) {
        self.local = local
        self.fresh = fresh
        self.move = move
    }

    /// Makes the file equal to the copy, in one commit. With `recover`, the changes that the server doesn't have are
    /// reapplied and uploaded under their previous versions.
    ///
    /// - Parameters:
    ///   - isRecoveryAllowed: Whether the server allows recovery of changes.
    ///   - mayDiscard: Whether changes that can't be recovered are discarded ("recover or discard").
    ///   - cause: The error that caused the reset. The file records it until `ClientResetRecord.remove`. Another reset
    ///     with the same action before that is a cycle: `discard` and `recover` then fail, and "recover or discard"
    ///     discards once.
    /// - Throws: `ClientResetError`. The file is unchanged then.
    @discardableResult
    package func run(
        _ mode: ClientResetMode, isRecoveryAllowed: Bool = true, mayDiscard: Bool = false,
        cause: ClientResetCause = ClientResetCause()
    ) throws(ClientResetError) -> Outcome {
        do {
            return try local.write { transaction in
                guard let recorder = transaction.recorder as? HistoryRecorder else {
                    throw ClientResetError(.file, "the database was not opened as a client file")
                }
                // The reset isn't a change of this file.
                transaction.recorder = nil
                let wanted = try chosen(
                    mode, isRecoveryAllowed, mayDiscard, after: ClientResetRecord.pending(in: transaction), cause)
                let outcome = try rewrite(transaction, recorder, wanted, mayDiscard)
                try ClientResetRecord(outcome.mode, SyncClock.timestamp(), cause).write(in: transaction)
                return outcome
            }
        } catch let error as ClientResetError {
            throw error
        } catch {
            throw ClientResetError(.file, "the file could not be reset: \(error)")
        }
    }

    private func chosen(
        _ mode: ClientResetMode, _ isRecoveryAllowed: Bool, _ mayDiscard: Bool, after pending: ClientResetRecord?,
        _ cause: ClientResetCause
    ) throws -> ClientResetMode {
        if let pending, pending.cause.action == cause.action {
            guard mode == .recover, mayDiscard, pending.mode == .recover else {
                throw ClientResetError(
                    .cycle,
                    "the server requires another client reset before the previous one was complete; its cause: "
                        + pending.cause.message)
            }
            return .discard
        }
        guard mode == .recover, !isRecoveryAllowed else { return mode }
        guard mayDiscard else {
            throw ClientResetError(
                .recoveryNotAllowed, "the server does not allow to make again what it does not have")
        }
        return .discard
    }

    private func rewrite(
        _ transaction: WriteTransaction, _ recorder: HistoryRecorder, _ mode: ClientResetMode, _ mayDiscard: Bool
    ) throws -> Outcome {
        let snapshot = try fresh.snapshot(label: "client reset")
        guard let copy = try StoredHistory(snapshot), let file = copy.file else {
            throw ClientResetError(.file, "the fresh copy was not downloaded from a server")
        }
        let history = try StoredHistory(before: transaction)
        let recovered = mode == .discard ? nil : try recover(history, transaction, mayDiscard)
        defer { recovered?.transaction.rollback() }
        // Partitions have no asymmetric classes.
        var isToPartition = false
        if case .toPartition? = move { isToPartition = true }
        let transfer = StateTransfer(
            from: recovered?.transaction ?? snapshot, to: transaction, allowsAsymmetric: isToPartition)
        try transfer.run()
        switch move {
        case .toSubscriptions(let migration): try migration.complete(in: transaction, from: snapshot)
        case .toPartition: try PartitionMigration.revert(in: transaction)
        case nil: try SubscriptionStore(transaction)?.didReset(keepsPending: recovered != nil)
        }
        try PendingBootstraps(transaction)?.removeAll()
        transaction.fileIdent = file.ident
        recorder.integration = HistoryRecorder.Integration { editor in
            try editor.reset(to: file, copy.progress, recovered?.changes ?? [:])
        }
        return Outcome(mode: recovered == nil ? .discard : .recover, hasChangedObjects: transfer.changeCount > 0)
    }

    private struct Recovered {
        let transaction: WriteTransaction
        let changes: [Int: [UInt8]]
    }

    private func recover(
        _ history: StoredHistory?, _ local: WriteTransaction, _ mayDiscard: Bool
    ) throws -> Recovered? {
        let transaction = try fresh.beginWrite()
        do {
            transaction.recorder = nil
            let pending = try history?.pendingForms() ?? []
            let made = try ChangeRecovery(on: transaction, of: local).recover(pending.map(\.form))
            var changes: [Int: [UInt8]] = [:]
            for (entry, changeset) in zip(pending, made) where !changeset.isEmpty {
                changes[entry.index] = changeset.encoded()
            }
            return Recovered(transaction: transaction, changes: changes)
        } catch let error as ClientResetError where mayDiscard && error.reason == .recovery {
            transaction.rollback()
            return nil
        } catch {
            transaction.rollback()
            throw error
        }
    }
}

extension StoredHistory {
    fileprivate func pendingForms() throws -> [(index: Int, form: Changeset)] {
        var pending: [(index: Int, form: Changeset)] = []
        try forEachEntry(in: indexes(after: progress.upload.clientVersion)) { index, entry in
            if entry.isUpload {
                pending.append((index, try Changeset(decoding: entry.reciprocal() ?? entry.changeset())))
            }
            return true
        }
        return pending
    }
}

extension HistoryEditor {
    /// Gives the file the identity of another client file. Its entries are based on the version that the other file
    /// downloaded. The recovered changes, keyed by position, replace its own changes.
    fileprivate mutating func reset(
        to file: SaltedIdent, _ progress: ClientProgress, _ recovered: [Int: [UInt8]]
    ) throws {
        for slot in HistorySlots.numbers { self[slot] = 0 }
        self[HistorySlots.salt] = file.salt
        let version = progress.download.serverVersion
        set(
            ClientProgress(
                download: DownloadCursor(serverVersion: version), latest: progress.latest,
                upload: UploadCursor(serverVersion: version)))
        self[HistorySlots.uploadableBytes] = UInt64(recovered.values.reduce(0) { $0 + $1.count })
        try rebase(onto: version, recovered)
    }
}
