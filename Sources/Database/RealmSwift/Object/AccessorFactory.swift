// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Makes accessors one after the other, as an iteration does.
///
/// To make an object and destroy it takes ten times as long as to read a property of it, so one that was not kept
/// becomes the next. That shows only where a class has state of its own, or a `deinit`; the former is looked for.
@safe struct AccessorFactory {
    let realm: RealmInstance
    let managed: ManagedClass
    private var locator: RowLocator
    /// That of the Realm, beside it because each step of an iteration looks at it.
    @safe let state: UnsafeMutablePointer<ReadState>
    private let keeper: IterationContext
    /// What an accessor must not have in use to become another.
    let collections: [ManagedClass.Binding]
    let hasCollections: Bool
    /// The accessor made last, unless it has state that is not the row's.
    private(set) var spare: RecyclableAccessor?
    /// What holds it.
    private var last: ObjectBase?

    init(_ realm: RealmInstance, _ managed: ManagedClass, depth: Int = 0) {
        self.realm = realm
        self.managed = managed
        locator = RowLocator(managed)
        state = realm.state
        keeper = IterationContext(realm, depth: depth)
        collections = managed.collectionBindings
        hasCollections = !collections.isEmpty
    }

    /// An accessor of the class's own type, of the row wherever it is now.
    mutating func object(_ key: ObjectKey) -> ObjectBase {
        unsafe object(key, at: locator.place(of: key, state, in: realm))
    }

    /// An accessor of a row whose place the caller knows, or cannot know; with `place`, the first read needs no
    /// look-up.
    @inline(__always)
    mutating func object(_ key: ObjectKey, at place: RowLocation?) -> ObjectBase {
        // Without a place, a frozen object must find its row before it is handed out.
        guard let place, let spare, let unused = unsafe spare.unused,
            unsafe !hasCollections || unused._withUnsafeGuaranteedRef({ !$0.isUsing(collections) })
        else { return fresh(key, at: place) }
        unsafe unused._withUnsafeGuaranteedRef { unsafe $0._rlmRow.move(to: key, at: place, state) }
        return spare.vend()
    }

    @inline(never)
    private mutating func fresh(_ key: ObjectKey, at place: RowLocation?) -> ObjectBase {
        var object = managed.info.objectClass.init()
        object.manageFresh(realm, managed, key, at: place, keptBy: keeper)
        spare = managed.info.hasOnlyProperties && realm.tracker == nil ? RecyclableAccessor(&object) : nil
        last = spare == nil ? nil : object
        return object
    }
}

/// Keeps a Realm alive for the objects that an iteration makes, and makes those that their links lead to.
///
/// What links lead to has a keeper of its own, so that none keeps itself. They keep each other to `greatestDepth` only:
/// a way along a chain of links must not keep all of it, and is freed by recursion. Confined as the Realm is; of a
/// frozen one, whose objects any thread may read, `target` is not used.
final class IterationContext {
    private let realm: RealmInstance
    /// By the classes linked to, of which there are few.
    @safe @exclusivity(unchecked) private var targets: [Target] = []
    private static let targetLimit = 4
    /// How many keepers lead to this one.
    private let depth: Int
    private static let greatestDepth = 16
    /// What leads to the object that was asked last.
    @safe @exclusivity(unchecked) private var inverse: ResultsCore?

    /// What makes the objects of one class.
    private struct Target {
        let type: ObjectBase.Type
        var maker: AccessorFactory
    }

    init(_ realm: RealmInstance, depth: Int) {
        self.realm = realm
        self.depth = depth
    }

    /// The objects of `type` that lead to one of those that are kept here, through the inverse property `key`; nil
    /// where each query needs to be one of its own. A query that was not kept becomes that of the next object.
    func inverse(of owner: ObjectBase, _ key: PropertyKey, _ type: ObjectBase.Type) -> ResultsCore? {
        // Nothing was read yet that would have checked the thread.
        guard realm.state.pointee.isOnOwnerThread else { return nil }
        // Whatever binds the query to a name would be another reference to it.
        if inverse?.isInverse(key, type) == true, isKnownUniquelyReferenced(&inverse) {
            inverse?.move(to: owner)
            return inverse
        }
        guard realm.remembersClasses, realm.tracker == nil else { return nil }
        inverse = ResultsCore(backlinksOf: owner, key, type)
        return inverse
    }

    /// An accessor of what a link leads to; nil where each needs one of its own.
    func target(_ type: ObjectBase.Type, _ key: ObjectKey) -> ObjectBase? {
        for index in targets.indices where targets[index].type == type { return targets[index].maker.object(key) }
        guard realm.remembersClasses, depth < IterationContext.greatestDepth else { return nil }
        if targets.count == IterationContext.targetLimit { targets.removeFirst() }
        let maker = AccessorFactory(realm, realm.requireManaged(type), depth: depth + 1)
        targets.append(Target(type: type, maker: maker))
        return targets[targets.count - 1].maker.object(key)
    }
}
