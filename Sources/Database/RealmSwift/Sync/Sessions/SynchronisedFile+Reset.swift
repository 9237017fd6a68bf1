// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore

/// Client resets (§7).
extension SynchronisedFile {
    /// The server can't continue from the state of the file (§7.2), or moves it to subscriptions or back (§5.8).
    func beginReset(_ failure: ClientFailure) {
        let move = move(for: failure)
        let automatic: ClientResetMode? = move == nil ? nil : .recoverOrDiscardUnsyncedChanges()
        guard let reset = FileReset(sync.clientResetMode) ?? automatic.flatMap(FileReset.init) else {
            return fail(byHand(failure))
        }
        enter(.resetting)
        do {
            copy = try FreshCopy(of: self, realmConfiguration, move) { [weak self] problem in
                if let problem {
                    self?.endReset(failure, problem)
                } else {
                    self?.tellBefore(reset, failure)
                }
            }
        } catch {
            failReset(failure, "\(error)")
        }
    }

    private func move(for failure: ClientFailure) -> ClientReset.Move? {
        switch failure.action {
        case .migrateToFLX:
            failure.error.partitionQuery.map { .toSubscriptions(PartitionMigration(of: partition, to: $0)) }
        case .revertToPBS: .toPartition
        default: nil
        }
    }

    /// The session of the file continues with the other connection.
    private func didMove(_ move: ClientReset.Move) {
        switch move {
        case .toSubscriptions(let migration): didMove(to: migration)
        case .toPartition: didMove(to: nil)
        }
    }

    /// - Parameter migration: The move of the file to subscriptions; nil for a partition.
    func didMove(to migration: PartitionMigration?) {
        self.migration = migration
        let connection = sync.user.connection(isFlexible ? .flexible : .partition)
        usedConnection.withLock { $0 = connection }
    }

    private func tellBefore(_ reset: FileReset, _ failure: ClientFailure) {
        connection.callbacks.async { [self] in
            var before: Realm?
            if reset.before != nil || reset.after != nil {
                before = try? Realm(configuration: openConfiguration, queue: connection.callbacks).freeze()
            }
            if let before { reset.before?(before) }
            // Frozen Realms are usable on any thread.
            nonisolated(unsafe) let shown = before
            queue.async { [self] in rewrite(reset, failure, unsafe shown) }
        }
    }

    private func rewrite(_ reset: FileReset, _ failure: ClientFailure, _ before: Realm?) {
        if let error = error(of: reset, failure) { return failReset(failure, "\(error)") }
        removeCopy()
        if let move = move(for: failure) { didMove(move) }
        hasReset = true
        notifyRealms()
        if sync.user.isLoggedIn { enter(.active) } else { enter(.loggedOut) }
        guard let after = reset.after, let before else { return closeIfUploaded() }
        // Frozen Realms are usable on any thread.
        nonisolated(unsafe) let shown = before
        connection.callbacks.async { [self] in
            guard let realm = try? Realm(configuration: openConfiguration, queue: connection.callbacks) else { return }
            after(unsafe shown, realm)
        }
    }

    /// The configuration for another Realm of the file. It must have the same permissions as the Realms that are open.
    private var openConfiguration: Realm.Configuration {
        summary.withLock { $0.coordinator.object }?.configuration ?? realmConfiguration
    }

    /// Returns the error that prevented the reset. The copy is closed afterwards.
    private func error(of reset: FileReset, _ failure: ClientFailure) -> (any Error)? {
        guard let database, let fresh = copy?.database else { return SessionError(.other, "the file was closed") }
        do {
            try reset.run(on: database, fresh, for: failure, move(for: failure))
            return nil
        } catch {
            return error
        }
    }

    /// - Parameter problem: The error of the fresh copy. If the app was moved meanwhile, the file's session follows.
    private func endReset(_ failure: ClientFailure, _ problem: ClientFailure) {
        guard problem.isMove else { return failReset(failure, problem.error.message) }
        removeCopy()
        if sync.user.isLoggedIn { enter(.active) } else { enter(.loggedOut) }
        closeIfUploaded()
    }

    private func failReset(_ failure: ClientFailure, _ reason: String) {
        removeCopy()
        fail(byHand(failure, because: "The automatic client reset failed: \(reason)."))
    }

    private func removeCopy() {
        copy?.remove()
        copy = nil
    }

    /// Removes the record of a reset after all changes were uploaded and downloaded. Until then, another reset counts
    /// as a cycle.
    func completeReset() {
        guard hasReset, hasDownloaded, isUploaded, let database else { return }
        hasReset = false
        do { try ClientResetRecord.remove(from: database) } catch {
            sync.user.app.syncManager.log(
                .warn, "The record of the client reset of '\(path)' could not be removed: \(error)")
        }
    }

    /// Returns an error whose token moves the file to a path from which the program can recover changes that weren't
    /// uploaded (§7.1).
    private func byHand(_ failure: ClientFailure, because reason: String = "") -> SyncError {
        let (users, path) = (sync.user.app.store, path)
        let copy = users.note(.backUpThenDelete, of: path, copyingTo: users.folder.newRecoveredRealm())
        var failure = failure
        if !reason.isEmpty { failure.error.message = reason + " " + failure.error.message }
        return SyncError(failure, .clientResetError, recoveredPath: copy) { users.executeNotes() }
    }
}

extension ClientFailure {
    /// Whether the server moves the file to subscriptions or back (§5.8).
    var isMove: Bool { action == .migrateToFLX || action == .revertToPBS }
}
