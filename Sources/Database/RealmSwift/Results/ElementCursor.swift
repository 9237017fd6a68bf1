// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Iterates over the elements that a managed collection had when the cursor was created.
///
/// Outside of writes it reads them from the snapshot, which it retains. A write changes nodes in place, so during a
/// write the cursor copies them. Copies of a cursor share their position, because its state is too large to copy.
@usableFromInline
struct ElementCursor {
    @usableFromInline let walk: ElementWalk

    /// Iterates over all objects of a class, in the order of the table.
    init(_ realm: RealmInstance, allOf managed: ManagedClass) {
        let factory = AccessorFactory(realm, managed)
        if let snapshot = realm.transaction == nil ? realm.snapshot : nil {
            walk = TableWalk(factory, snapshot)
        } else {
            walk = KeyWalk(factory, realm.allKeys(of: managed))
        }
    }

    /// Iterates over objects of a class.
    init(_ realm: RealmInstance, _ keys: [ObjectKey], of managed: ManagedClass) {
        walk = KeyWalk(AccessorFactory(realm, managed), keys)
    }

    /// Iterates over the objects of `walk`.
    init(_ walk: KeyWalk) { self.walk = walk }

    /// Iterates over elements of a collection, other than objects.
    init(_ realm: RealmInstance, _ values: [StoredValue], of collection: ManagedCollection?) {
        walk = ElementWalk(ValueWalk(realm, values, of: collection))
    }

    /// Iterates over the elements of a tree of values other than links.
    init(_ realm: RealmInstance, _ tree: BPlusTree, of collection: ManagedCollection) {
        walk = ElementWalk(ValueWalk(realm, tree, of: collection))
    }

    /// Whether the elements are objects, which `nextObject` returns; `nextValues` returns others.
    @usableFromInline var holdsObjects: Bool { walk.values == nil }

    /// The next object, as an accessor of the class's own type.
    @inlinable func nextObject() -> ObjectBase? { walk.nextObject() }

    /// The next object if it is one step away; otherwise nil, and `nextObject` returns it.
    @inlinable @inline(__always) func nextStep() -> ObjectBase? { walk.step.next() }

    /// Some more elements; empty at the end.
    func nextValues<Element: RealmCollectionValue>(_ type: Element.Type) -> [Element] {
        walk.values?.next(type) ?? []
    }
}

/// The base of the iterations. Confined like the Realm, and no access lasts longer than a call.
@usableFromInline
class ElementWalk {
    /// The elements other than objects.
    @safe @exclusivity(unchecked) final var values: ValueWalk?
    @safe @exclusivity(unchecked) @usableFromInline final var step = AccessorStepper()

    init(_ values: ValueWalk?) { self.values = values }

    @usableFromInline func nextObject() -> ObjectBase? { nil }
}

extension RealmInstance {
    /// The keys of all objects of a class, or of the first `limit`, in the order of the table.
    func allKeys(of managed: ManagedClass, first limit: Int = .max) -> [ObjectKey] {
        guard let table = table(managed.tableKey) else { return [] }
        return reading([]) { try table.allKeys(first: limit) }
    }
}

/// Iterates over given keys.
final class KeyWalk: ElementWalk {
    @safe @exclusivity(unchecked) private var keys: [ObjectKey]
    @safe @exclusivity(unchecked) private var index = 0
    @safe @exclusivity(unchecked) private var factory: AccessorFactory

    init(_ factory: AccessorFactory, _ keys: [ObjectKey]) {
        self.factory = factory
        self.keys = keys
        super.init(nil)
    }

    /// Restarts with the keys that `fill` adds. Only for a walk that isn't in use.
    func restart(_ fill: (inout [ObjectKey]) -> Void) {
        keys.removeAll(keepingCapacity: keys.capacity <= KeyWalk.keptCapacity)
        index = 0
        fill(&keys)
    }

    /// The maximum capacity for keys that an idle walk retains.
    private static let keptCapacity = 4096

    override func nextObject() -> ObjectBase? {
        guard index < keys.count else { return finish() }
        index += 1
        return factory.object(keys[index - 1])
    }

    /// Frees the keys of an idle walk, if there are many.
    @inline(never)
    private func finish() -> ObjectBase? {
        if keys.capacity > KeyWalk.keptCapacity { (keys, index) = ([], 0) }
        return nil
    }
}

/// Iterates over a table leaf by leaf, without look-ups and without a list of keys.
private final class TableWalk: ElementWalk {
    @safe @exclusivity(unchecked) private var factory: AccessorFactory
    /// Keeps the addresses in `leaves` valid.
    private let snapshot: Snapshot
    private let stamp: ChangeStamp<ClusterLeafExtent>
    @safe @exclusivity(unchecked) private var leaves: LeafCursor?
    @safe @exclusivity(unchecked) private var leaf: ClusterLeaf?
    @safe @exclusivity(unchecked) private var rowCount = 0

    init(_ factory: AccessorFactory, _ snapshot: Snapshot) {
        let realm = factory.realm
        self.factory = factory
        self.snapshot = snapshot
        stamp = realm.state.pointee.clock.clusterLeaf
        leaves = realm.table(factory.managed.tableKey).flatMap { table in
            realm.reading(nil) { try LeafCursor(table.clusters) }
        }
        super.init(nil)
        _ = advance(realm)
    }

    override func nextObject() -> ObjectBase? { step.next(unlessUsing: factory.collections) ?? nextMoved() }

    /// The next object, if more than the accessor's row changes, or another accessor is needed.
    @inline(never)
    private func nextMoved() -> ObjectBase? {
        step.stop()
        while step.row == rowCount { guard advance(factory.realm) else { return nil } }
        guard let leaf else { return nil }
        let row = step.row
        step.row &+= 1
        let key = leaf.key(at: row)
        // If the Realm has advanced, the object locates its row itself.
        guard factory.state.pointee.clock.clusterLeaf == stamp else { return factory.object(key, at: nil) }
        let object = factory.object(key, at: RowLocation(leaf.node, row: row, stamp: stamp))
        if !leaf.hasGaps { step.begin(factory, before: rowCount, at: stamp) }
        return object
    }

    /// Advances to the next leaf; false at the end.
    private func advance(_ realm: RealmInstance) -> Bool {
        guard leaves != nil else { return false }
        leaf = realm.reading(nil) { try leaves?.next() }
        step.row = 0
        rowCount = leaf?.count ?? 0
        return leaf != nil
    }
}
