// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSync
import RealmSyncCore

/// Migrations of a file to another version of its app's schema (§5.9).
extension SynchronisedFile {
    /// The session continues, so that the file's changes are uploaded. Until the file has started over, waits for
    /// downloads don't end.
    func beginSchemaMigration(_ failure: ClientFailure) {
        guard let session, let database, let previous = failure.error.previousSchemaVersion else { return }
        do {
            try SchemaMigration.record(previousVersion: previous, id: ObjectId.generate().bits, in: database)
        } catch {
            return fail(SyncError(failure))
        }
        hasDownloaded = false
        schemaMark = connection.requestMark(session)
    }

    /// - Parameter mark: A mark that was reached.
    func startOverIfUploaded(at mark: UInt64? = nil) {
        guard let schemaMark, phase == .active, let database else { return }
        if let mark, mark >= schemaMark { hasDownloaded = true }
        guard hasDownloaded, isUploaded else { return }
        unbind()
        do {
            // A write since then is uploaded first: the server requires the migration again in the next session.
            if try SchemaMigration.run(on: database) { didStartOver() }
        } catch {
            let text = "The file can't start over with schema version \(schemaVersion): \(error)"
            return fail(SyncError(.clientSessionError, text: text))
        }
        if phase == .active { bind() }
    }

    private func didStartOver() {
        hasReset = false
        if migration != nil { didMove(to: nil) }
        notifyRealms()
        endSubscriptionWaits(
            TransferWait.cancellation("the subscriptions were removed for another schema version")
        ) { !$0.isOpening }
        summary.withLock { $0.restarts += 1 }
        guard let coordinator = summary.withLock({ $0.coordinator.object }) else { return }
        connection.callbacks.async { [self] in
            do { try sync.didOpen(coordinator) } catch {
                sync.user.app.syncManager.log(.error, "The initial subscriptions of '\(path)' failed: \(error)")
            }
            queue.async { [self] in retargetOpenings() }
        }
    }
}
