// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Schedules and delivers change notifications for one instance of a database. Everything except slow queries runs in
/// the instance's confinement.
package final class Delivery {
    /// The observed instance, which owns the delivery.
    private(set) unowned var instance: RealmInstance!
    let reader: VersionReader
    /// Used by other threads to notify the instance of new versions; nil if it can't be notified.
    package private(set) var port: DeliveryPort?
    /// Whether the instance follows other instances' commits automatically.
    package private(set) var autorefresh: Bool
    package var waiters: [ChangeWaiter] = []
    /// Whether the instance has returned from the version of a failed commit, of which the observers of versions are
    /// notified when the commit ends.
    var hasLeftFailedVersion = false
    package var observers = Observers()

    package init(_ reader: VersionReader) {
        self.reader = reader
        autorefresh = !reader.isFrozen
    }

    package func attach(to instance: RealmInstance) { self.instance = instance }

    package func openPort() {
        guard !reader.settings.isImmutable else { return }
        let reference = instance.reference
        let port = DeliveryPort(reader.confinement) {
            guard let instance = reference.instance else { return }
            // No observer can be notified before the confinement runs work, so watching for other processes also
            // starts then: a program that never runs any has no cost.
            instance.reader.host.watchOtherProcesses()
            instance.delivery.followOthers()
        }
        self.port = port
        reader.host.add(port)
    }

    func wakeIfObserved() { if !observers.isEmpty { port?.wake() } }

    // MARK: Observers

    package func verifyCanObserve() {
        reader.verifyThread()
        if reader.isFrozen {
            throwRealmException("Frozen Realms do not change and do not have change notifications.")
        }
        if reader.settings.isImmutable {
            throwRealmException("Read-only Realms do not change and do not have change notifications.")
        }
    }

    /// Traps if the instance can't be observed, or if no block can be called in its confinement.
    package func verifyCanDeliver() {
        verifyCanObserve()
        if !instance.attachToRunLoop() { throwRealmException("Can only add notification blocks from within runloops.") }
    }

    /// Traps within a write that has changed something: observers compare versions, and an uncommitted state isn't a
    /// version.
    package func verifyNotChanging() {
        guard let transaction = reader.transaction, transaction.clock.hasRecorded else { return }
        throwRealmException("Cannot create asynchronous query after making changes in a write transaction.")
    }

    package func add(_ observer: Observer) {
        if let delivered = observer.delivered, delivered.number != reader.snapshot?.version,
            reader.transaction == nil
        {
            observer.hasForeignChanges = true
        }
        reader.noteRead()
        observers.add(observer)
        port?.wake()
    }

    /// Returns the current version for observers; nil if there isn't one. Within a write it is the version at its
    /// beginning, which must still be unchanged.
    package func observedVersion() throws -> ObservedVersion? {
        // Versions retained by observers must be durable: a notification can't be revoked.
        guard let transaction = reader.transaction else { return try instance.settledVersion().map(observed) }
        guard instance.writes.waiting.inFlight == 0, !transaction.clock.hasRecorded else { return nil }
        if let known = observers.version, known.number == transaction.baseVersion { return known }
        return makeObserved(try reader.database.snapshot(label: ObservedVersion.label))
    }

    func observed(_ target: Snapshot) throws -> ObservedVersion {
        if let known = observers.version, known.number == target.version { return known }
        return makeObserved(try target.again(label: ObservedVersion.label))
    }

    private func makeObserved(_ snapshot: Snapshot) -> ObservedVersion {
        let version = ObservedVersion(snapshot, like: reader)
        observers.version = version
        return version
    }

    // MARK: Events

    /// Called when the instance has advanced to a version that it didn't commit itself.
    func movedByOthers() {
        hasLeftFailedVersion = false
        for observer in observers.activeObservers() { observer.hasForeignChanges = true }
        notifyVersionObservers(.moved)
    }

    func notifyVersionObservers(_ event: VersionEvent, except skipped: [any Observation] = []) {
        let notified = observers.observingVersion()
        guard !notified.isEmpty else { return }
        observers.beginDelivery()
        for observer in notified where !skipped.contains(where: { $0 === observer }) { observer.notify(event) }
        observers.endDelivery()
    }

    func notifyOfInvalidation() {
        for observer in observers.observingVersion() where observer.followsInvalidation { observer.notify(.moved) }
    }

    /// Called after a commit of this instance: these observers aren't notified of its changes.
    func skip(_ skipped: [any Observation], since base: UInt64) {
        let skipped = skipped.compactMap { $0 as? Observer }.filter { $0.delivered?.number == base }
        guard !skipped.isEmpty else { return }
        reader.reading(()) {
            guard let version = try observedVersion() else { return }
            for observer in skipped { observer.skip(to: version) }
        }
    }

    // MARK: Following commits

    /// Follows other instances' commits, if `autorefresh` is on, and notifies waiting tasks and observers. Called in
    /// the instance's confinement.
    func followOthers() {
        // After an invalidation, only tasks that wait for a change need a newer version.
        guard !reader.isInWriteTransaction, instance.writes.waiting.inFlight == 0,
            reader.snapshot != nil || !waiters.isEmpty
        else { return }
        let newest = reader.database.version
        guard reader.lastVersion != newest else {
            if reader.snapshot != nil { scheduleDelivery(movingTo: nil) }
            return
        }
        if autorefresh {
            return reader.reading(()) {
                scheduleDelivery(
                    movingTo: try reader.database.snapshot(label: VersionReader.holder))
            }
        }
        resumeWaiters()
        if observers.announced != newest {
            observers.announced = newest
            notifyVersionObservers(.newerExists)
        }
        scheduleDelivery(movingTo: nil)
    }

    /// Moves the instance to a version that others committed.
    func follow(to version: Snapshot) {
        reader.move(to: version)
        resumeWaiters()
        movedByOthers()
        instance.tracker?.moved(instance)
    }

    private func resumeWaiters() {
        let resumed = waiters
        waiters = []
        for waiter in resumed { waiter.resume(true) }
    }

    package func setAutorefresh(_ isOn: Bool) {
        reader.verifyThread()
        autorefresh = isOn
        if isOn { followOthers() }
    }
}
