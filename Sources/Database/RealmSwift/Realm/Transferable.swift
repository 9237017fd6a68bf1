// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A value that can be resolved in another instance of its database, which may read another version.
protocol Transferable: ThreadConfined {
    var managingInstance: RealmInstance? { get }

    /// The result may be invalid in `instance`.
    func transferred(to instance: RealmInstance) -> Self
}

extension Transferable {
    func frozenValue(in instance: RealmInstance) -> Self {
        instance.isFrozen ? self : transferred(to: instance.frozen())
    }

    func thawedValue(from instance: RealmInstance) -> Self? {
        instance.verifyThread()
        guard instance.isFrozen else { return self }
        let live = transferred(to: instance.live())
        return live.isInvalidated ? nil : live
    }
}
