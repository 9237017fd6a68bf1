// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension ObjectBase {
    /// A Boolean value that indicates whether the object belongs to a frozen Realm: it never changes and may be used on
    /// any thread.
    public var isFrozen: Bool { _rlmRow.realm?.isFrozen ?? false }

    /// Returns an immutable snapshot of the object at the version that its Realm reads; the object itself if it is
    /// already frozen.
    ///
    /// The snapshot and all objects reached through it can be used on any thread.
    ///
    /// - Precondition: The object is managed, not deleted, and not created by the write in progress.
    public func freeze() -> Self {
        guard let realm = _rlmRow.realm else { throwRealmException("Unmanaged objects cannot be frozen.") }
        if realm.isFrozen { return self }
        if !hasRow { realm.refuse("Object has been deleted or invalidated.") }
        let frozen = frozenValue(in: realm)
        if !frozen.hasRow {
            realm.refuse("Cannot freeze an object in the same write transaction as it was created in.")
        }
        return frozen
    }

    /// Returns the live version of the object for the current thread, or nil if it has been deleted. Returns
    /// the object itself if it is live.
    ///
    /// Within an actor other than the main actor, the Realm of the thread isn't that of the actor: see
    /// `ThreadConfined.thaw()`.
    ///
    /// - Precondition: The object is managed.
    public func thaw() -> Self? {
        guard let realm = _rlmRow.realm else { throwRealmException("Unmanaged objects cannot be thawed.") }
        return thawedValue(from: realm)
    }
}

extension ObjectBase: Transferable {
    var managingInstance: RealmInstance? { _rlmRow.realm }

    func transferred(to instance: RealmInstance) -> Self {
        guard let managed = _rlmRow.managed else { return self }
        return instance.object(of: type(of: self), managed, _rlmRow.key, at: place(in: instance))
    }
}

extension List: Transferable {
    var managingInstance: RealmInstance? { managed?.realm }

    func transferred(to instance: RealmInstance) -> List {
        managed.map { List(ManagedList($0, in: instance)) } ?? self
    }

    /// A Boolean value that indicates whether the list belongs to a frozen object: it never changes and may be used on
    /// any thread.
    public var isFrozen: Bool { managed?.realm.isFrozen ?? false }

    /// Returns an immutable snapshot of the list at the version that its Realm reads.
    ///
    /// - Precondition: The list is managed.
    public func freeze() -> List { frozenValue(in: requireInstance()) }

    /// Returns the live version of the list for the current thread, or nil if its object has been deleted.
    ///
    /// - Precondition: The list is managed.
    public func thaw() -> List? { thawedValue(from: requireInstance()) }
}

extension MutableSet: Transferable {
    var managingInstance: RealmInstance? { managed?.realm }

    func transferred(to instance: RealmInstance) -> MutableSet {
        managed.map { MutableSet(ManagedSet($0, in: instance)) } ?? self
    }

    /// A Boolean value that indicates whether the set belongs to a frozen object: it never changes and may be used on
    /// any thread.
    public var isFrozen: Bool { managed?.realm.isFrozen ?? false }

    /// Returns an immutable snapshot of the set at the version that its Realm reads.
    ///
    /// - Precondition: The set is managed.
    public func freeze() -> MutableSet { frozenValue(in: requireInstance()) }

    /// Returns the live version of the set for the current thread, or nil if its object has been deleted.
    ///
    /// - Precondition: The set is managed.
    public func thaw() -> MutableSet? { thawedValue(from: requireInstance()) }
}

extension Map: Transferable {
    var managingInstance: RealmInstance? { managed?.realm }

    func transferred(to instance: RealmInstance) -> Map {
        managed.map { Map(ManagedMap($0, in: instance)) } ?? self
    }

    /// A Boolean value that indicates whether the map belongs to a frozen object: it never changes and may be used on
    /// any thread.
    public var isFrozen: Bool { managed?.realm.isFrozen ?? false }

    /// Returns an immutable snapshot of the map at the version that its Realm reads.
    ///
    /// - Precondition: The map is managed.
    public func freeze() -> Map { frozenValue(in: requireInstance()) }

    /// Returns the live version of the map for the current thread, or nil if its object has been deleted.
    ///
    /// - Precondition: The map is managed.
    public func thaw() -> Map? { thawedValue(from: requireInstance()) }
}

extension Results: Transferable {
    var managingInstance: RealmInstance? { core.realm }

    func transferred(to instance: RealmInstance) -> Results { Results(core.transferred(to: instance)) }

    /// A Boolean value that indicates whether the results belong to a frozen Realm: they never change and can be used
    /// on any thread.
    public var isFrozen: Bool { core.realm.isFrozen }

    /// Returns an immutable snapshot of the results at the version that their Realm reads.
    public func freeze() -> Results { frozenValue(in: core.realm) }

    /// Returns the live version of the results for the current thread, or nil if the object or collection
    /// that they start from has been deleted.
    public func thaw() -> Results? { thawedValue(from: core.realm) }
}

extension LinkingObjects: Transferable {
    var managingInstance: RealmInstance? { core?.realm }

    func transferred(to instance: RealmInstance) -> LinkingObjects {
        guard let core else { return self }
        return LinkingObjects(core.transferred(to: instance))
    }

    /// A Boolean value that indicates whether the linking objects belong to a frozen object: they never change and can
    /// be used on any thread.
    public var isFrozen: Bool { core?.realm.isFrozen ?? false }

    /// Returns an immutable snapshot of the linking objects at the version that their Realm reads.
    ///
    /// - Precondition: The linking objects belong to a managed object.
    public func freeze() -> LinkingObjects { frozenValue(in: requireInstance()) }

    /// Returns the live version of the linking objects for the current thread, or nil if their object has
    /// been deleted.
    ///
    /// - Precondition: The linking objects belong to a managed object.
    public func thaw() -> LinkingObjects? { thawedValue(from: requireInstance()) }
}

extension Transferable {
    fileprivate func requireInstance() -> RealmInstance {
        if let instance = managingInstance { return instance }
        ((self as? RLMSwiftCollectionBase)?.words ?? .list).throwUnmanaged()
    }
}
