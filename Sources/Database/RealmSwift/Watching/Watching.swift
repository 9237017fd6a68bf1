// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

// Notifications for user interfaces. Watchers have no initial call and need no preparation, so that `notifyWatchers()`
// can notify them of a write before the function that made it returns. Without key paths they observe objects up to
// four links away, and objects that link here through inverse properties.

extension RealmCollection {
    /// Calls `changed` after each change of the collection. Returns nil during a write that has already changed
    /// something, and an empty token if the collection is immutable.
    package func watch(_ keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken? {
        guard let core = _origin?.core, let isPossible = core.realm.canBeWatched else { return NotificationToken() }
        guard isPossible else { return nil }
        let paths = keyPaths ?? (Element.self as? any ProjectionClass.Type)?.origins
        let detector = WatchDetector(
            base: core.detector(core.filter(paths)),
            origins: paths == nil ? core.elementClass?.origins(core.realm) : nil)
        return ObservationRequest(
            target: ObservedCollection(self), detector: { _ in detector }, block: { _, _ in changed() }
        ).here()
    }
}

extension Map {
    /// Like `RealmCollection.watch`.
    package func watch(_ keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken? {
        guard let managed, let isPossible = managed.realm.canBeWatched else { return NotificationToken() }
        guard isPossible else { return nil }
        let elements = managed.elementClass
        let filter = elements.flatMap { elements in keyPaths.map { KeyPathFilter($0, of: elements, in: managed.realm) }
        }
        let detector = WatchDetector(
            base: MapDetector(path: managed.path, elements: elements?.tableKey, filter: filter), origins: nil)
        return ObservationRequest(target: self, detector: { _ in detector }, block: { _, _ in changed() }).here()
    }
}

extension ObjectBase {
    /// Like `RealmCollection.watch`. `changed` is also called after the object is deleted.
    package func watch(_ keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken? {
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed, !isInvalidated,
            let isPossible = realm.canBeWatched
        else { return NotificationToken() }
        guard isPossible else { return nil }
        let filter = keyPaths.map { KeyPathFilter($0, of: managed, in: realm) }
        let detector = WatchDetector(
            base: filter.map { ObjectDetector(managed, _rlmRow.key, $0) }
                ?? ReachDetector(table: managed.tableKey, object: _rlmRow.key),
            origins: filter == nil ? managed.origins(realm) : nil)
        return ObservationRequest(target: self, detector: { _ in detector }, block: { _, _ in changed() }).here()
    }
}

extension ThreadConfined {
    /// Returns the value after `Realm.invalidate()` has invalidated this one; nil if it no longer exists.
    package func renewed() -> Self? {
        guard let thing = self as? any Transferable, let instance = thing.managingInstance, !instance.isFrozen,
            let renewed = thing.transferred(to: instance) as? Self, !renewed.isInvalidated
        else { return nil }
        return renewed
    }
}

extension Realm {
    /// Calls `moved` when the Realm shows another version, or was invalidated.
    package func watchMoves(_ moved: @escaping () -> Void) -> NotificationToken {
        instance.delivery.verifyCanDeliver()
        let observer = VersionObserver(instance, followsInvalidation: true) { _ in moved() }
        instance.delivery.observers.add(observer)
        return NotificationToken(observer)
    }

    /// Notifies watchers and observers of changes immediately.
    package func notifyWatchers() { if instance.canBeWatched != nil { instance.delivery.deliver() } }

    /// Writes the new value of a binding, and notifies watchers before it returns. Uses the write in progress if there
    /// is one. An I/O error, after which nothing has changed, is logged, because an assignment can't throw. Traps for
    /// read-only Realms.
    package func bindingWrite(_ body: () -> Void) {
        if isInWriteTransaction { return body() }
        do {
            try write(body)
        } catch {
            instance.coordinator.logger.log(.error, "A write of a view failed: \(error)")
        }
        notifyWatchers()
    }

    /// True also for a frozen Realm.
    package var isHere: Bool { instance.isFrozen || instance.confinement.isMainPlace && Confinement.main.isCurrent }
}

extension Confinement {
    /// Unlike `isCurrent`, this can be read on any thread.
    fileprivate var isMainPlace: Bool {
        if case .queue(let mark, _) = self { return mark === QueueMark.main }
        return false
    }
}

extension RealmInstance {
    /// nil if the values are immutable; false during a write that has already changed something.
    fileprivate var canBeWatched: Bool? {
        if isFrozen || configuration.isImmutable { return nil }
        return transaction?.clock.hasRecorded != true
    }
}

extension ManagedClass {
    fileprivate func origins(_ realm: RealmInstance) -> Set<TableKey> {
        let names = info.allProperties.filter(\.isComputed).compactMap(\.objectClassName)
        return Set(names.compactMap { realm.coordinator.managedClass(named: $0)?.tableKey })
    }
}

/// Detects the changes of another detector, and all changes of classes whose objects may link to the watched one.
private struct WatchDetector: ChangeDetector {
    let base: any ChangeDetector
    let origins: Set<TableKey>?

    var hasInitialCall: Bool { false }

    private func seesOrigins(_ changes: ObservedChanges) -> Bool {
        origins.map { changes.versions.diff.changedTables.contains(where: $0.contains) } ?? false
    }

    func mayHaveChanged(_ changes: ObservedChanges) throws -> Bool {
        try seesOrigins(changes) || base.mayHaveChanged(changes)
    }

    func find(_ changes: ObservedChanges, _ contents: QueryContents?) throws -> DetectionResult {
        var detection = try base.find(changes, contents)
        if detection.change == nil, !detection.isLast, seesOrigins(changes) { detection.change = .properties([]) }
        return detection
    }
}
