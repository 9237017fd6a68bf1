// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A block that is notified of the changes of one value.
///
/// Retained by its token, and by an instance during a delivery. `block` and `owner` are guarded by their locks, and may
/// be cleared by any thread; the rest belongs to the confinement of the instance.
package final class Observer: Observation, @unchecked Sendable {
    /// A notification of the observer, in its instance's confinement.
    package struct Delivery {
        /// nil in the initial call, if the observer has one.
        package let change: DetectedChange?
        /// The current elements of a query.
        package let contents: QueryContents?
        /// The version before the change; nil in the initial call, if the observer has one.
        package let since: ObservedVersion?
        package let version: ObservedVersion
        /// Whether other instances have made changes since the last call.
        package let hasForeignChanges: Bool

        /// Whether changes since the last call were excluded from notification.
        package let followsSkipped: Bool

        package var old: ObservedVersion? { hasForeignChanges ? since : nil }
    }

    private let block: Locked<Block?>
    private let owner = Locked<RealmInstance?>(nil)

    private struct Block {
        let call: (Delivery) -> Void
        let failed: (any Error) -> Void
    }

    let detector: any ChangeDetector
    /// The value of `VersionReader.epoch` when the observation began.
    private let epoch: UInt32
    /// The version last notified of; nil before the initial call, if the observer has one.
    private(set) var delivered: ObservedVersion?
    /// The elements of a query in that version, if available.
    private(set) var contents: QueryContents?
    /// Whether another call may follow; callable from any thread.
    private let gate: (@Sendable () -> Bool)?
    /// Whether other instances have made changes since the last call.
    var hasForeignChanges = false
    /// Whether a version was skipped since the last call.
    private var hasSkipped = false

    package init(
        _ detector: any ChangeDetector, in instance: RealmInstance, since version: ObservedVersion?,
        while gate: (@Sendable () -> Bool)? = nil, failed: @escaping (any Error) -> Void,
        _ block: @escaping (Delivery) -> Void
    ) {
        self.detector = detector
        self.gate = gate
        self.block = Locked(Block(call: block, failed: failed))
        delivered = detector.hasInitialCall ? nil : version
        epoch = instance.reader.epoch
        owner.withLock { $0 = instance }
    }

    var isActive: Bool { block.withLock { $0 != nil } }

    package var hasRoom: Bool { gate?() ?? true }

    package func wake() { owner.withLock { $0 }?.delivery.port?.wake() }

    package func isIn(_ instance: RealmInstance) -> Bool { owner.withLock { $0 === instance } }

    package func stop() { block.clear() }

    // MARK: Delivery, in the instance's confinement

    package func isBehind(_ version: UInt64) -> Bool { delivered.map { $0.number != version } ?? true }

    /// Ends the observation if the instance was invalidated since it started.
    func isCurrent(in reader: VersionReader) -> Bool {
        if epoch != reader.epoch { finish() }
        return isActive
    }

    /// Marks `version` as notified, without a call.
    func skip(to version: ObservedVersion) {
        delivered = version
        contents = nil
        hasSkipped = true
    }

    func deliver(_ detection: DetectionResult, at version: ObservedVersion) {
        let isFirst = delivered == nil
        let delivery = Delivery(
            change: detection.change, contents: detection.contents, since: delivered, version: version,
            hasForeignChanges: hasForeignChanges, followsSkipped: hasSkipped)
        delivered = version
        contents = detection.contents
        hasForeignChanges = false
        let block = block.withLock { $0 }
        if detection.isLast { finish() }
        guard isFirst && detector.hasInitialCall || detection.change != nil else { return }
        hasSkipped = false
        block?.call(delivery)
    }

    /// Ends the observation, because the observed value can no longer be read.
    func fail(_ error: any Error) {
        let block = block.withLock { $0 }
        finish()
        block?.failed(error)
    }

    private func finish() {
        stop()
        delivered = nil
        contents = nil
    }
}
