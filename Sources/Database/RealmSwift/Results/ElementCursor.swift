// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Iterates over the elements that a managed collection had when the cursor was created.
///
/// Outside of writes it reads them from the snapshot, which it retains. A write changes nodes in place, so during a
/// write the cursor copies the elements. Copies of a cursor share their position, because its state is too large to
/// copy.
@usableFromInline
struct ElementCursor {
    @usableFromInline let walk: ElementWalk

    init(_ realm: RealmInstance, allOf managed: ManagedClass) {
        let factory = AccessorFactory(realm, managed)
        if let snapshot = realm.transaction == nil ? realm.snapshot : nil {
            walk = TableWalk(factory, snapshot)
        } else {
            walk = KeyWalk(factory, realm.allKeys(of: managed))
        }
    }

    init(_ realm: RealmInstance, _ keys: [ObjectKey], of managed: ManagedClass) {
        walk = KeyWalk(AccessorFactory(realm, managed), keys)
    }

    init(_ walk: KeyWalk) { self.walk = walk }

    init(_ realm: RealmInstance, _ values: [StoredValue], of collection: ManagedCollection?) {
        walk = ElementWalk(ValueWalk(realm, values, of: collection))
    }

    init(_ realm: RealmInstance, _ tree: BPlusTree, of collection: ManagedCollection) {
        walk = ElementWalk(ValueWalk(realm, tree, of: collection))
    }

    /// Whether the elements are objects, which `nextObject` returns; `nextValues` returns other elements.
    @usableFromInline var holdsObjects: Bool { walk.values == nil }

    @inlinable func nextObject() -> ObjectBase? { walk.nextObject() }

    /// Returns nil unless the next object is in the adjacent row; then `nextObject` returns it.
    @inlinable @inline(__always) func nextStep() -> ObjectBase? { walk.step.next() }

    /// A batch of elements; empty at the end.
    func nextValues<Element: RealmCollectionValue>(_ type: Element.Type) -> [Element] {
        walk.values?.next(type) ?? []
    }
}

/// The base class of iterations. Confined like the Realm; no access lasts longer than a call.
@usableFromInline
class ElementWalk {
    @safe @exclusivity(unchecked) final var values: ValueWalk?
    @safe @exclusivity(unchecked) @usableFromInline final var step = AccessorStepper()

    init(_ values: ValueWalk?) { self.values = values }

    @usableFromInline func nextObject() -> ObjectBase? { nil }
}

final class KeyWalk: ElementWalk {
    @safe @exclusivity(unchecked) private var keys: [ObjectKey]
    @safe @exclusivity(unchecked) private var index = 0
    @safe @exclusivity(unchecked) private var factory: AccessorFactory

    init(_ factory: AccessorFactory, _ keys: [ObjectKey]) {
        self.factory = factory
        self.keys = keys
        super.init(nil)
    }

    /// Restarts the walk with the keys that `fill` adds. The walk must not be in use.
    func restart(_ fill: (inout [ObjectKey]) -> Void) {
        keys.removeAll(keepingCapacity: keys.capacity <= KeyWalk.keptCapacity)
        index = 0
        fill(&keys)
    }

    private static let keptCapacity = 4096

    override func nextObject() -> ObjectBase? {
        guard index < keys.count else { return finish() }
        index += 1
        return factory.object(keys[index - 1])
    }

    @inline(never)
    private func finish() -> ObjectBase? {
        if keys.capacity > KeyWalk.keptCapacity { (keys, index) = ([], 0) }
        return nil
    }
}

/// Iterates over a table leaf by leaf, without look-ups or a list of keys.
private final class TableWalk: ElementWalk {
    @safe @exclusivity(unchecked) private var factory: AccessorFactory
    /// Guarantees that the addresses in `leaves` stay valid.
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

    /// Handles steps that change more than the accessor's row, or that need another accessor.
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

    private func advance(_ realm: RealmInstance) -> Bool {
        guard leaves != nil else { return false }
        leaf = realm.reading(nil) { try leaves?.next() }
        step.row = 0
        rowCount = leaf?.count ?? 0
        return leaf != nil
    }
}
