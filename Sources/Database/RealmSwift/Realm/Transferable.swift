// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value that can be resolved in another instance of its database: in another version, or with another confinement.
protocol Transferable: ThreadConfined {
    /// The instance that manages the value; nil when unmanaged.
    var managingInstance: RealmInstance? { get }

    /// Returns the value in another instance of the database. It may be invalid there.
    func transferred(to instance: RealmInstance) -> Self
}

extension Transferable {
    /// The value in the frozen instance of its version.
    func frozenValue(in instance: RealmInstance) -> Self {
        instance.isFrozen ? self : transferred(to: instance.frozen())
    }

    /// The value in the live instance of the caller's thread; nil if it no longer exists there.
    func thawedValue(from instance: RealmInstance) -> Self? {
        instance.verifyThread()
        guard instance.isFrozen else { return self }
        let live = transferred(to: instance.live())
        return live.isInvalidated ? nil : live
    }
}
