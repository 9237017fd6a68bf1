// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An event of an instance that its version observers are notified of.
package enum VersionEvent {
    /// The instance advanced to another version, or committed a write.
    case moved
    /// A newer version exists, which the instance doesn't follow automatically.
    case newerExists
}

/// A block that is notified when an instance has advanced to another version.
///
/// `block` and `owner` are guarded by their locks.
package final class VersionObserver: Observation {
    private let block: Locked<Block?>
    private let owner: Locked<RealmInstance>
    /// Whether the invalidation of the instance also calls the block.
    let followsInvalidation: Bool

    private struct Block {
        let call: (VersionEvent) -> Void
    }

    package init(
        _ instance: RealmInstance, followsInvalidation: Bool = false, _ block: @escaping (VersionEvent) -> Void
    ) {
        self.block = Locked(Block(call: block))
        self.followsInvalidation = followsInvalidation
        owner = Locked(instance)
    }

    package func isIn(_ instance: RealmInstance) -> Bool { owner.withLock { $0 === instance } }

    package func stop() { block.clear() }

    func notify(_ event: VersionEvent) { block.withLock { $0 }?.call(event) }
}
