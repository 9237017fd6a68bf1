// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A block that is to be notified of the changes of one thing.
///
/// Held by its token, and by an instance for as long as it delivers. `block` and `owner` are guarded by their locks,
/// and may be taken away by any thread; the rest belongs to the place of the instance.
final class Observer: Observation, @unchecked Sendable {
    /// What the observer is notified, at the place of its instance.
    struct Delivery {
        /// nil in the first call of what has one.
        let change: DetectedChange?
        /// The elements now, of a query.
        let contents: ResultsCore.Contents?
        /// The version that the change begins at; nil in the first call of what has one.
        let since: ObservedVersion?
        /// The version that is notified of.
        let version: ObservedVersion
        /// Whether others than the instance itself have made changes since.
        let hasForeignChanges: Bool

        /// Whether there were changes since the last call that the observer was not to be notified of.
        let followsSkipped: Bool

        /// `since`, if others than the instance itself have made changes.
        var old: ObservedVersion? { hasForeignChanges ? since : nil }
    }

    private let block: Locked<Block?>
    private let owner = Locked<RealmInstance?>(nil)

    private struct Block {
        let call: (Delivery) -> Void
        let failed: (Realm.Error) -> Void
    }

    let finder: any ChangeDetector
    /// The value of `RealmInstance.epoch` when the observation began.
    private let epoch: UInt32
    /// The version that was notified of last; nil before the first call of what has one.
    private(set) var delivered: ObservedVersion?
    /// The elements in that version, of a query, if they are known.
    private(set) var contents: ResultsCore.Contents?
    /// Says whether another call may come; all threads may ask.
    private let gate: (@Sendable () -> Bool)?
    /// Whether others than the instance itself have made changes since then.
    var hasForeignChanges = false
    /// Whether a version was skipped since the last call.
    private var hasSkipped = false

    init(
        _ finder: any ChangeDetector, in instance: RealmInstance, since version: ObservedVersion?,
        while gate: (@Sendable () -> Bool)? = nil, failed: @escaping (Realm.Error) -> Void,
        _ block: @escaping (Delivery) -> Void
    ) {
        self.finder = finder
        self.gate = gate
        self.block = Locked(Block(call: block, failed: failed))
        delivered = finder.hasInitialCall ? nil : version
        epoch = instance.epoch
        owner.withLock { $0 = instance }
    }

    /// Whether anything will be notified any more.
    var isActive: Bool { block.withLock { $0 != nil } }

    /// Whether another call may come.
    var hasRoom: Bool { gate?() ?? true }

    /// Makes the instance look for what has not been notified yet.
    func wake() { owner.withLock { $0 }?.delivery.port?.wake() }

    func isIn(_ instance: RealmInstance) -> Bool { owner.withLock { $0 === instance } }

    func stop() {
        // What the block holds goes after the lock was let go: it may end other observations.
        let block = block.withLock { block in
            defer { block = nil }
            return block
        }
        withExtendedLifetime(block) {}
    }

    // MARK: Delivery, at the instance's place

    /// Whether the observer has yet to be notified what `version` has brought.
    func isBehind(_ version: UInt64) -> Bool { delivered.map { $0.number != version } ?? true }

    /// Ends the observation if what was observed went with `Realm.invalidate()`.
    func isCurrent(in instance: RealmInstance) -> Bool {
        if epoch != instance.epoch { finish() }
        return isActive
    }

    /// Makes `version` the one that was notified of last, without a call.
    func skip(to version: ObservedVersion) {
        delivered = version
        contents = nil
        hasSkipped = true
    }

    /// Tells what was found out about the way to `version`.
    func deliver(_ finding: DetectionResult, at version: ObservedVersion) {
        let isFirst = delivered == nil
        let delivery = Delivery(
            change: finding.change, contents: finding.contents, since: delivered, version: version,
            hasForeignChanges: hasForeignChanges, followsSkipped: hasSkipped)
        delivered = version
        contents = finding.contents
        hasForeignChanges = false
        let block = block.withLock { $0 }
        if finding.isLast { finish() }
        guard isFirst && finder.hasInitialCall || finding.change != nil else { return }
        hasSkipped = false
        block?.call(delivery)
    }

    /// Ends the observation, because what was observed cannot be read any more.
    func fail(_ error: any Error) {
        let block = block.withLock { $0 }
        finish()
        block?.failed(Realm.Error(error))
    }

    private func finish() {
        stop()
        delivered = nil
        contents = nil
    }
}

/// A block that is to be notified that a Realm has moved to another version.
///
/// `block` and `owner` are guarded by their locks.
final class RealmObserver: Observation {
    private let block: Locked<Block?>
    private let owner: Locked<RealmInstance>
    /// Whether the block is called by `Realm.invalidate()` too.
    let followsInvalidation: Bool

    private struct Block {
        let call: Realm.NotificationBlock
    }

    init(
        _ instance: RealmInstance, followsInvalidation: Bool = false, _ block: @escaping Realm.NotificationBlock
    ) {
        self.block = Locked(Block(call: block))
        self.followsInvalidation = followsInvalidation
        owner = Locked(instance)
    }

    func isIn(_ instance: RealmInstance) -> Bool { owner.withLock { $0 === instance } }

    func stop() {
        let block = block.withLock { block in
            defer { block = nil }
            return block
        }
        withExtendedLifetime(block) {}
    }

    func notify(_ notification: Realm.Notification, _ realm: Realm) {
        block.withLock { $0 }?.call(notification, realm)
    }
}
