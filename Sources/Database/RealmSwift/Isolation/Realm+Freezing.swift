// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Frozen Realms: one immutable version, usable on all threads.
///
/// Each pins its version, so that the file grows with further writes; `pins()` lists them as "frozen".
extension Realm {
    /// A Boolean value that indicates whether the Realm is frozen.
    public var isFrozen: Bool { instance.isFrozen }

    /// Returns an immutable snapshot of this Realm at the version that it reads; the Realm itself if it is already
    /// frozen. The snapshot and the values obtained from it can be used on any thread.
    ///
    /// During a write, the snapshot is the version at the beginning of the write. All callers that freeze the same
    /// version share one instance.
    public func freeze() -> Realm { Realm(instance.frozen()) }

    /// Returns the live Realm of the current thread; the Realm itself if it is live. Traps if the file can
    /// no longer be opened. Within an actor other than the main actor, the result isn't the actor's Realm:
    /// see `ThreadConfined.thaw()`.
    public func thaw() -> Realm {
        instance.verifyThread()
        return isFrozen ? Realm(instance.live()) : self
    }

    /// Returns an immutable snapshot of the object; see `Object.freeze()`.
    public func freeze<T: ObjectBase>(_ obj: T) -> T { obj.freeze() }

    /// Returns the live version of the object; see `Object.thaw()`.
    public func thaw<T: ObjectBase>(_ obj: T) -> T? { obj.thaw() }

    /// Returns an immutable snapshot of the collection.
    public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection { collection.freeze() }
}

extension RealmInstance {
    /// Returns the live instance of the same database for the current thread, at the version that it
    /// currently reads: if that is older than this one, it isn't refreshed.
    func live() -> RealmInstance {
        guard isFrozen else { return self }
        return requiring { try RealmRegistry.instance(configuration) }
    }

    /// Makes the value of a reference readable: advances to the version of `other`, in which the reference was created,
    /// if nothing has been read here yet; otherwise to the newest version if this one is older. Does nothing during a
    /// write.
    ///
    /// A value created by a write in progress (`isOfWrite`) exists only in a version after that of `other`, at the
    /// earliest the newest one.
    func catchUp(with other: RealmInstance, isOfWrite: Bool = false) {
        guard !isInWriteTransaction, !isFrozen, let version = other.snapshot else { return }
        if !reader.hasBeenRead, !isOfWrite, writes.waiting.inFlight == 0 {
            return reading(()) { beginReading(at: try version.again(label: VersionReader.holder)) }
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
