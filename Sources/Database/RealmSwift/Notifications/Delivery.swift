// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What delivers changes to those who wait for them: when and how observers are notified. All of it happens where the
/// instance may be used, but for slow queries.
final class Delivery {
    /// What is observed; it owns the delivery.
    private(set) unowned var instance: RealmInstance!
    /// By what other threads tell the instance of new versions; nil where they cannot.
    private(set) var port: DeliveryPort?
    /// Whether the instance follows other instances' commits by itself.
    private(set) var autorefresh: Bool
    /// The tasks that wait for a new version.
    var waiters: [ChangeWaiter] = []
    var observers = Observers()

    init(autorefresh: Bool) { self.autorefresh = autorefresh }

    /// Makes the delivery that of an instance, which has just come into being.
    func attach(to instance: RealmInstance) { self.instance = instance }

    /// From now on the instance is told of others' commits.
    func openPort() {
        guard !instance.configuration.isImmutable else { return }
        let port = DeliveryPort(instance)
        self.port = port
        instance.coordinator.add(port)
    }

    /// Makes the instance look soon for what observers have yet to be told.
    func wakeIfObserved() { if !observers.isEmpty { port?.wake() } }

    // MARK: Observers

    /// Traps if nothing can be observed.
    func verifyCanObserve() {
        instance.verifyThread()
        if instance.isFrozen {
            throwRealmException("Frozen Realms do not change and do not have change notifications.")
        }
        if instance.configuration.isImmutable {
            throwRealmException("Read-only Realms do not change and do not have change notifications.")
        }
    }

    /// Traps if nothing can be observed, or if no block can be called at this instance's own place.
    func verifyCanDeliver() {
        verifyCanObserve()
        if !instance.attachToRunLoop() { throwRealmException("Can only add notification blocks from within runloops.") }
    }

    /// Traps within a write that has changed something: observers tell versions apart, and it is none.
    func verifyNotChanging() {
        guard let transaction = instance.transaction, transaction.clock.hasRecorded else { return }
        throwRealmException("Cannot create asynchronous query after making changes in a write transaction.")
    }

    /// From now on the observer is notified of changes.
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

    /// The version that is read, for observers; nil while there is none. Within a write, the version it began with,
    /// which must still be what is read.
    func observedVersion() throws -> ObservedVersion? {
        // Versions that observers hold must be durable: they could not be taken back.
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

    /// The version that `target` pins, for observers.
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

    /// Called when the instance has moved to another version than it has made itself.
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

    /// After a commit of this instance: what it changes is not notified to these.
    func skip(_ skipped: [any Observation], since base: UInt64) {
        let skipped = skipped.compactMap { $0 as? Observer }.filter { $0.delivered?.number == base }
        guard !skipped.isEmpty else { return }
        instance.reading(()) {
            guard let version = try observedVersion() else { return }
            for observer in skipped { observer.skip(to: version) }
        }
    }

    // MARK: Following

    /// Follows other instances' commits, if that is wanted, and tells those that wait for them and those that observe
    /// anything. Called at the Realm's place.
    func followOthers() {
        guard !instance.isInWriteTransaction, instance.writes.waiting.inFlight == 0, let snapshot = instance.snapshot
        else { return }
        let newest = instance.coordinator.database.version
        if snapshot.version == newest { return scheduleDelivery(movingTo: nil) }
        if autorefresh {
            return instance.reading(()) {
                scheduleDelivery(
                    movingTo: try instance.coordinator.database.snapshot(label: RealmInstance.holder))
            }
        }
        resumeWaiters()
        if observers.announced != newest {
            observers.announced = newest
            notifyRealmObservers(.refreshRequired)
        }
        scheduleDelivery(movingTo: nil)
    }

    /// Ends the waiting of the tasks that wait for a new version.
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
