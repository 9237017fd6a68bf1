// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension RealmInstance: WriteOwner {
    /// Whether work can be sent to this thread. Checked repeatedly, because its run loop may start after the database
    /// was opened.
    package func attachToRunLoop() -> Bool {
        if reader.adoptRunLoop() { delivery.openPort() }
        return reader.confinement.canSchedule
    }

    // MARK: Versions

    /// Reads `version`, which may be older than the one that was opened, if nothing has been read yet. An instance with
    /// automatic refresh soon advances.
    package func beginReading(at version: Snapshot) {
        reader.noteRead()
        guard reader.snapshot?.version != version.version else { return }
        reader.move(to: version)
        delivery.port?.wake()
    }

    /// Moves to the newest version. Returns whether the version changed. Notifies all observers of pending changes;
    /// does nothing within one of their blocks.
    @discardableResult
    package func refresh() -> Bool {
        reader.verifyThread()
        guard !reader.isInWriteTransaction, !delivery.observers.isDelivering else { return false }
        let hasMoved = moveToNewest()
        if !reader.isFrozen { delivery.deliver() }
        return hasMoved
    }

    @discardableResult
    package func moveToNewest() -> Bool {
        // If a commit of this instance isn't durable yet, its version is the newest one.
        guard !reader.isInWriteTransaction, !reader.isFrozen, writes.waiting.inFlight == 0 else { return false }
        reader.noteRead()
        return reader.reading(false) {
            guard reader.snapshot?.version != reader.database.version else { return false }
            delivery.follow(to: try reader.database.snapshot(label: VersionReader.holder))
            return true
        }
    }

    /// Returns to the last durable version after a commit failed: the failed version must no longer be read.
    package func returnToCommitted() throws {
        guard reader.snapshot?.isVoid == true else { return }
        // If no version is available now, the next read tries again.
        reader.releaseVersion()
        reader.changed()
        try reader.advance()
        delivery.hasLeftFailedVersion = true
        // The failed version can't be compared with another one.
        tracker?.forgetVersion()
        tracker?.moved(self)
    }

    /// Returns the version that is read, once it is durable, because a frozen version can't be rolled back. Returns nil
    /// during a write.
    package func settledVersion() throws -> Snapshot? {
        guard reader.transaction == nil else { return nil }
        if writes.waiting.inFlight > 0 {
            writes.finishCommits()
            try returnToCommitted()
        }
        return reader.currentSnapshot
    }

    /// Releases the version while `body` runs, and then moves to the newest one. `body` must not read from the
    /// database.
    package func withoutVersion<Result>(_ body: () throws -> Result) throws -> Result {
        writes.yieldTurn()
        writes.finishCommits()
        reader.releaseVersion()
        tracker?.forgetVersion()
        let result: Result
        do {
            result = try body()
        } catch {
            try? reader.advance()
            throw error
        }
        try reader.advance()
        tracker?.moved(self)
        return result
    }

    /// Releases the version; everything that was read before becomes invalid.
    ///
    /// A frozen instance retains its version until it is deallocated, because other threads may be reading.
    package func invalidate() {
        reader.verifyThread()
        guard !reader.isFrozen else {
            reader.state.pointee.close()
            return
        }
        if reader.isInWriteTransaction {
            reader.host.logRollback("invalidated")
            writes.cancel()
        }
        writes.finishCommits()
        reader.invalidate()
        tracker?.moved(self)
        delivery.notifyOfInvalidation()
    }

    // MARK: Writes

    package var port: DeliveryPort? { delivery.port }

    /// Commits the write in progress, and notifies the other instances, and the observers except these.
    package func commit(withoutNotifying skipped: [any Observation]) throws {
        let base = try writes.commitUnannounced()
        reader.host.notifyOthers(than: port)
        delivery.skip(skipped, since: base)
        delivery.notifyVersionObservers(.moved, except: skipped)
        tracker?.moved(self)
    }

    package func writeDidBegin(hasMoved: Bool) {
        if hasMoved { delivery.movedByOthers() }
        delivery.deliverBeforeWrite(hasMoved: hasMoved)
        if hasMoved { tracker?.moved(self) }
    }

    package func writeDidCommit() {
        delivery.notifyVersionObservers(.moved)
        tracker?.moved(self)
    }

    package func writeWasCancelled() { tracker?.moved(self) }

    package func writeDidEnd() { delivery.wakeIfObserved() }

    package func commitDidEnd() {
        if delivery.hasLeftFailedVersion { delivery.movedByOthers() }
        delivery.followOthers()
    }
}
