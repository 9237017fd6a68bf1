// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Frozen Realms: one version, unchanging, for all threads.
///
/// Each keeps its version from going, so that the file grows with further writes; `pins()` lists them as "frozen".
extension Realm {
    /// Whether the Realm is frozen.
    public var isFrozen: Bool { instance.isFrozen }

    /// This version of the Realm, unchanging; itself, if it is frozen already. It may be used on any thread, and so may
    /// what is got from it.
    ///
    /// During a write it is the version that the write began with. All callers that freeze one version share the
    /// instance.
    public func freeze() -> Realm { Realm(instance.frozen()) }

    /// The live Realm of the caller's thread; itself, if it is live. Traps if the file can no longer be
    /// opened. Within an actor other than the main actor it is not the actor's Realm: see `ThreadConfined.thaw()`.
    public func thaw() -> Realm {
        instance.verifyThread()
        return isFrozen ? Realm(instance.live()) : self
    }

    /// The object as it is in this version; see `Object.freeze()`.
    public func freeze<T: ObjectBase>(_ obj: T) -> T { obj.freeze() }

    /// The live object; see `Object.thaw()`.
    public func thaw<T: ObjectBase>(_ obj: T) -> T? { obj.thaw() }

    /// The collection as it is in this version.
    public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection { collection.freeze() }
}

extension RealmInstance {
    /// The live instance of the same database for the caller's thread, at the version that it reads: where that is
    /// older than this one, it stays until it is refreshed.
    func live() -> RealmInstance {
        guard isFrozen else { return self }
        return requiring { try RealmRegistry.instance(configuration) }
    }

    /// Makes what a reference keeps readable: moves to the version of `other`, which the reference was made in, if
    /// nothing has been read here yet; else to the newest one if this version is older. Not during a write, which
    /// cannot.
    ///
    /// What a write in progress made (`isOfWrite`) is in a version after that of `other`, the newest one at the
    /// earliest.
    func catchUp(with other: RealmInstance, isOfWrite: Bool = false) {
        guard !isInWriteTransaction, !isFrozen, let version = other.snapshot else { return }
        if !hasBeenRead, !isOfWrite, writes.waiting.inFlight == 0 {
            return reading(()) { beginReading(at: try version.again(label: RealmInstance.holder)) }
        }
        guard let own = currentSnapshot, own.version < version.version || own.version == version.version && isOfWrite
        else { return }
        if !delivery.observers.isDelivering {
            refresh()
        } else if moveToNewest() {
            delivery.port?.wake()
        }
    }
}
