// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Creates accessors one after the other, for iterations.
///
/// Creating and destroying an object takes ten times as long as reading a property of it, so an accessor that wasn't
/// retained is reused for the next row. This is observable only if a class has stored properties of its own, which is
/// checked, or a `deinit`.
@safe struct AccessorFactory {
    let realm: RealmInstance
    let managed: ManagedClass
    private var locator: RowLocator
    /// The state of the Realm, stored here because each step of an iteration reads it.
    @safe let state: UnsafeMutablePointer<ReadState>
    private let context: IterationContext
    /// The collections that must not be in use when an accessor is reused.
    let collections: [ClassModel.Binding]
    let hasCollections: Bool
    /// The accessor created last, unless it has state that doesn't belong to the row.
    private(set) var recyclable: RecyclableAccessor?
    /// Retains the accessor in `recyclable`.
    private var last: ObjectBase?

    init(_ realm: RealmInstance, _ managed: ManagedClass, depth: Int = 0) {
        self.realm = realm
        self.managed = managed
        locator = RowLocator(managed)
        state = realm.state
        context = IterationContext(realm, depth: depth)
        collections = managed.own.collectionBindings
        hasCollections = !collections.isEmpty
    }

    /// Returns an accessor of the class's own type, after looking up the row's current position.
    mutating func object(_ key: ObjectKey) -> ObjectBase {
        unsafe object(key, at: locator.place(of: key, state, in: realm))
    }

    /// Returns an accessor of a row whose position the caller passes if available; with `place`, the first read needs
    /// no look-up.
    @inline(__always)
    mutating func object(_ key: ObjectKey, at place: RowLocation?) -> ObjectBase {
        // Without a position, a frozen object must look up its row before it is returned.
        guard let place, let recyclable, let unused = unsafe recyclable.unused,
            unsafe !hasCollections || unused._withUnsafeGuaranteedRef({ !$0.isUsing(collections) })
        else { return fresh(key, at: place) }
        unsafe unused._withUnsafeGuaranteedRef { unsafe $0._rlmRow.move(to: key, at: place, state) }
        return recyclable.vend()
    }

    @inline(never)
    private mutating func fresh(_ key: ObjectKey, at place: RowLocation?) -> ObjectBase {
        var object = managed.info.objectClass.init()
        object.manageFresh(realm, managed, key, at: place, keptBy: context)
        recyclable = managed.info.hasOnlyProperties && realm.tracker == nil ? RecyclableAccessor(&object) : nil
        last = recyclable == nil ? nil : object
        return object
    }
}

/// Retains a Realm for the objects that an iteration creates, and creates the targets of their links.
///
/// The targets of links have a context of their own, to avoid retain cycles. Contexts retain each other only up to
/// `maxDepth`: following a chain of links must not retain all of it, and deallocation is recursive. Confined like
/// the Realm; for a frozen one, whose objects any thread may read, `target` isn't used.
final class IterationContext {
    private let realm: RealmInstance
    /// One entry for each linked class; there are few of them.
    @safe @exclusivity(unchecked) private var targets: [Target] = []
    private static let targetLimit = 4
    /// The number of contexts that lead to this one.
    private let depth: Int
    private static let maxDepth = 16
    /// The inverse query of the object that was read last.
    @safe @exclusivity(unchecked) private var inverse: LiveQuery?

    private struct Target {
        let type: ObjectBase.Type
        var factory: AccessorFactory
    }

    init(_ realm: RealmInstance, depth: Int) {
        self.realm = realm
        self.depth = depth
    }

    /// Returns the objects of `type` that link to one of the objects created here, through the inverse property `key`;
    /// nil if each query needs a separate instance. A query that wasn't retained is reused for the next object.
    func inverse(of owner: ObjectBase, _ key: PropertyKey, _ type: ObjectBase.Type) -> LiveQuery? {
        // No earlier read has checked the thread.
        guard realm.state.pointee.isOnOwnerThread else { return nil }
        // Binding the query to a name would add a reference to it.
        if inverse?.isInverse(key, type) == true, isKnownUniquelyReferenced(&inverse) {
            inverse?.move(to: owner)
            return inverse
        }
        guard realm.remembersClasses, realm.tracker == nil else { return nil }
        inverse = LiveQuery(backlinksOf: owner, key, type)
        return inverse
    }

    /// Returns an accessor of a link's target; nil if each target needs a separate accessor.
    func target(_ type: ObjectBase.Type, _ key: ObjectKey) -> ObjectBase? {
        for index in targets.indices where targets[index].type == type { return targets[index].factory.object(key) }
        guard realm.remembersClasses, depth < IterationContext.maxDepth else { return nil }
        if targets.count == IterationContext.targetLimit { targets.removeFirst() }
        let factory = AccessorFactory(realm, realm.requireManaged(type), depth: depth + 1)
        targets.append(Target(type: type, factory: factory))
        return targets[targets.count - 1].factory.object(key)
    }
}
