// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Schedules and delivers change notifications for one Realm instance. Everything except slow queries runs in the
/// instance's confinement.
final class Delivery {
    /// The observed instance, which owns the delivery.
    private(set) unowned var instance: RealmInstance!
    /// Used by other threads to notify the instance of new versions; nil if it can't be notified.
    private(set) var port: DeliveryPort?
    /// Whether the instance follows other instances' commits automatically.
    private(set) var autorefresh: Bool
    var waiters: [ChangeWaiter] = []
    var observers = Observers()

    init(autorefresh: Bool) { self.autorefresh = autorefresh }

    func attach(to instance: RealmInstance) { self.instance = instance }

    func openPort() {
        guard !instance.configuration.isImmutable else { return }
        let reference = instance.reference
        let port = DeliveryPort(instance.confinement) {
            guard let instance = reference.instance else { return }
            // No observer can be notified before the confinement runs work, so watching for other processes also
            // starts then: a program that never runs any has no cost.
            instance.coordinator.host.watchOtherProcesses()
            instance.delivery.followOthers()
        }
        self.port = port
        instance.coordinator.host.add(port)
    }

    func wakeIfObserved() { if !observers.isEmpty { port?.wake() } }

    // MARK: Observers

    func verifyCanObserve() {
        instance.verifyThread()
        if instance.isFrozen {
            throwRealmException("Frozen Realms do not change and do not have change notifications.")
        }
        if instance.configuration.isImmutable {
            throwRealmException("Read-only Realms do not change and do not have change notifications.")
        }
    }

    /// Traps if the instance can't be observed, or if no block can be called in its confinement.
    func verifyCanDeliver() {
        verifyCanObserve()
        if !instance.attachToRunLoop() { throwRealmException("Can only add notification blocks from within runloops.") }
    }

    /// Traps within a write that has changed something: observers compare versions, and an uncommitted state isn't a
    /// version.
    func verifyNotChanging() {
        guard let transaction = instance.transaction, transaction.clock.hasRecorded else { return }
        throwRealmException("Cannot create asynchronous query after making changes in a write transaction.")
    }

    func add(_ observer: Observer) {
        if let delivered = observer.delivered, delivered.number != instance.snapshot?.version,
            instance.transaction == nil
        {
            observer.hasForeignChanges = true
        }
        instance.noteRead()
        observers.add(observer)
        port?.wake()
    }

    /// Returns the current version for observers; nil if there isn't one. Within a write it is the version at its
    /// beginning, which must still be unchanged.
    func observedVersion() throws -> ObservedVersion? {
        // Versions retained by observers must be durable: a notification can't be revoked.
        if instance.writes.waiting.inFlight > 0 {
            guard instance.transaction == nil else { return nil }
            instance.writes.finishCommits()
            try instance.returnToCommitted()
        }
        if let transaction = instance.transaction {
            guard !transaction.clock.hasRecorded else { return nil }
            if let known = observers.version, known.number == transaction.baseVersion { return known }
            return makeObserved(try instance.coordinator.database.snapshot(label: ObservedVersion.label))
        }
        return try instance.currentSnapshot.map(observed)
    }

    func observed(_ target: Snapshot) throws -> ObservedVersion {
        if let known = observers.version, known.number == target.version { return known }
        return makeObserved(try target.again(label: ObservedVersion.label))
    }

    private func makeObserved(_ snapshot: Snapshot) -> ObservedVersion {
        let version = ObservedVersion(snapshot, instance.coordinator, instance.configuration)
        observers.version = version
        return version
    }

    // MARK: Events

    /// Called when the instance has advanced to a version that it didn't commit itself.
    func movedByOthers() {
        for observer in observers.activeObservers() { observer.hasForeignChanges = true }
        notifyRealmObservers(.didChange)
    }

    func notifyRealmObservers(_ notification: Realm.Notification, except skipped: [any Observation] = []) {
        let notified = observers.observingRealm()
        guard !notified.isEmpty else { return }
        observers.beginDelivery()
        for observer in notified where !skipped.contains(where: { $0 === observer }) {
            observer.notify(notification, Realm(instance))
        }
        observers.endDelivery()
    }

    /// Called after a commit of this instance: these observers aren't notified of its changes.
    func skip(_ skipped: [any Observation], since base: UInt64) {
        let skipped = skipped.compactMap { $0 as? Observer }.filter { $0.delivered?.number == base }
        guard !skipped.isEmpty else { return }
        instance.reading(()) {
            guard let version = try observedVersion() else { return }
            for observer in skipped { observer.skip(to: version) }
        }
    }

    // MARK: Following commits

    /// Follows other instances' commits, if `autorefresh` is on, and notifies waiting tasks and observers. Called in
    /// the Realm's confinement.
    func followOthers() {
        guard !instance.isInWriteTransaction, instance.writes.waiting.inFlight == 0, let snapshot = instance.snapshot
        else { return }
        let newest = instance.coordinator.database.version
        if snapshot.version == newest { return scheduleDelivery(movingTo: nil) }
        if autorefresh {
            return instance.reading(()) {
                scheduleDelivery(
                    movingTo: try instance.coordinator.database.snapshot(label: VersionReader.holder))
            }
        }
        resumeWaiters()
        if observers.announced != newest {
            observers.announced = newest
            notifyRealmObservers(.refreshRequired)
        }
        scheduleDelivery(movingTo: nil)
    }

    func resumeWaiters() {
        let resumed = waiters
        waiters = []
        for waiter in resumed { waiter.resume(true) }
    }

    func setAutorefresh(_ isOn: Bool) {
        instance.verifyThread()
        autorefresh = isOn
        if isOn { followOthers() }
    }
}
