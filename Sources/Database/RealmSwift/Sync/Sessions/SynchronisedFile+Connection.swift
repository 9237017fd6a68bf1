// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension SynchronisedFile: SyncConnectionSession {
    func didReachMark(_ request: UInt64) {
        guard session != nil else { return }
        if schemaMark != nil { return startOverIfUploaded(at: request) }
        endWaits(nil) { $0.direction == .download && ($0.target ?? .max) <= request }
        if let served, served.mark <= request { fulfil(served.request) }
        hasDownloaded = true
        completeReset()
        notifyObservers()
    }

    func didIntegrate() {
        if session != nil, subscribeToNewClasses() { connection.didCommit() }
        notifyRealms()
        endUploadWaits()
        completeReset()
        startOverIfUploaded()
        closeIfUploaded()
    }

    func subscriptionsDidChange() {
        notifyRealms()
        endSubscriptionWaits()
    }

    func notifyRealms() { summary.withLock { $0.coordinator.object }?.host.notifyOthers(than: nil) }

    func didFail(_ failure: ClientFailure) {
        guard phase == .active else { return }
        switch failure.action {
        case .transient: break
        case .warning: report(SyncError(failure))
        case .refreshUser, .refreshLocation: refresh(failure)
        case .logOutUser: didLoseUser(SyncError(failure, .clientUserError))
        case .clientReset, .clientResetNoRecovery: beginReset(failure)
        case .migrateToFLX where !isFlexible && failure.error.partitionQuery != nil: beginReset(failure)
        case .revertToPBS where migration != nil: beginReset(failure)
        case .deleteRealm: fail(deleting(failure))
        case .migrateSchema where failure.error.previousSchemaVersion != nil: beginSchemaMigration(failure)
        case .protocolViolation, .applicationBug, .migrateToFLX, .revertToPBS, .migrateSchema:
            let error =
                failure.code == SessionErrorCode.permissionDenied.rawValue ? deleting(failure) : SyncError(failure)
            if failure.error.canTryAgain { report(error) } else { fail(error) }
        }
    }

    func fail(_ error: SyncError) {
        report(error)
        enter(.failed, error)
        closeIfUploaded()
    }

    private func deleting(_ failure: ClientFailure) -> SyncError {
        let (folder, path) = (sync.user.app.store, path)
        if failure.action == .deleteRealm { folder.note(.delete, of: path) }
        return SyncError(failure, .permissionDeniedError) {
            folder.note(.delete, of: path)
            folder.executeNotes()
        }
    }

    private func refresh(_ failure: ClientFailure) {
        Task { [self] in
            do {
                if failure.action == .refreshLocation { try await sync.user.app.client.renewLocation() }
                try await sync.user.renewAccessToken()
                queue.async { [self] in if let session { connection.resume(session) } }
            } catch {
                let error = SyncError(failure, .clientUserError)
                queue.async { [self] in
                    // Network failures are retried with the session.
                    if phase == .active, !sync.user.isLoggedIn || !failure.error.canTryAgain { fail(error) }
                }
            }
        }
    }

    func didLoseUser(_ error: SyncError) {
        guard phase == .active else { return }
        report(error)
        enter(.loggedOut, error)
        closeIfUploaded()
    }

    func connectionDidChange(_ state: SyncSession.ConnectionState, _ error: (any Error)?) {
        setConnectionState(session == nil ? .disconnected : state)
        guard state == .disconnected else { return }
        if let error, sync.cancelAsyncOpenOnNonFatalErrors {
            endWaits(error) { _ in true }
            endSubscriptionWaits(error) { $0.isOpening }
        }
        closeIfUploaded()
    }
}
