// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSystem

/// The untyped core of `Results` and `LinkingObjects`: a live query, evaluated when it is read and cached until the
/// Realm advances.
@usableFromInline
@safe package final class LiveQuery {
    package let realm: RealmInstance
    /// Changed only by `move`, while no other code refers to the query.
    @safe @exclusivity(unchecked) package private(set) var base: Base
    // These are constants, because reading a variable would copy the value (row `index_eq`).
    /// The class of the elements, unless the query was awaited. Inverse properties are never awaited.
    package let ownClass: ManagedClass?
    /// The filter of a query without other steps. This is the most common query, and avoids the array of steps.
    private let filter: Query?
    private let otherSteps: [ResultsStep]
    /// Creates the query after its class gets a table; nil for other queries.
    package let awaited: AwaitedQuery?
    /// The query created by `awaited`; this query then has no steps of its own.
    @safe @exclusivity(unchecked) private var found: LiveQuery?

    package var elementClass: ManagedClass? { found?.ownClass ?? ownClass }
    package var steps: [ResultsStep] { found?.steps ?? filter.map { [.filter($0)] } ?? otherSteps }
    var hasSteps: Bool { filter != nil || !otherSteps.isEmpty || (found?.hasSteps ?? false) }
    var isAwaited: Bool { awaited != nil && !isFound && !realm.isFrozen }
    package var isFound: Bool { found != nil }

    package enum Base {
        case table
        case collection(ManagedCollection)
        case backlinks(OwnerReference, ColumnKey)
    }

    package typealias Contents = QueryContents

    /// The elements of a frozen query, which several threads may read; nil for a live one. Other threads don't use the
    /// properties below.
    private let frozenContents: PublishedOnce<FrozenContents>?

    private final class FrozenContents: Sendable {
        let contents: Contents
        init(_ contents: Contents) { self.contents = contents }
    }

    private struct ElementPlaces {
        var locator: RowLocator?
        /// The object that creates accessors of the elements. Used by the module with models.
        var accessors: AnyObject?
        /// The leaf of the element that was read last, and the index of the leaf's first object.
        var leaf: (leaf: ClusterLeaf, start: Int)?
    }

    // State that was cached at `evaluatedAt`. No access to it lasts longer than a step.
    @safe @exclusivity(unchecked) private var evaluatedAt: ChangeStamp<ValueExtent> = .never
    @safe @exclusivity(unchecked) private var known: Contents?
    @safe @exclusivity(unchecked) private var knownCount: Int?
    /// The first element, if only this one is known.
    @safe @exclusivity(unchecked) private var knownFirst: ObjectKey??
    /// The locations of elements that are read one by one; nil before the first such read. Stored behind a pointer,
    /// because most queries are only counted or iterated over, and this is larger than the rest of a query.
    @safe @exclusivity(unchecked) private var places: UnsafeMutablePointer<ElementPlaces>?
    @safe @exclusivity(unchecked) package var inverse: Inverse?
    /// The last iteration over the objects of an inverse property, for use by the next one. Used by the module with
    /// models.
    @safe @exclusivity(unchecked) package var walk: AnyObject?

    @safe @exclusivity(unchecked) var trackingNumber = 0
    @safe @exclusivity(unchecked) private var epoch: UInt32

    package convenience init(
        _ realm: RealmInstance, _ base: Base, elementClass: ManagedClass?, steps: [ResultsStep] = []
    ) {
        if steps.count == 1, case .filter(let filter) = steps[0] {
            self.init(realm, base, elementClass: elementClass, filter: filter)
        } else {
            self.init(realm, base, elementClass: elementClass, filter: nil, steps)
        }
    }

    package init(
        _ realm: RealmInstance, _ base: Base, elementClass: ManagedClass?, filter: Query?,
        _ otherSteps: [ResultsStep] = []
    ) {
        self.realm = realm
        self.base = base
        epoch = realm.epoch
        frozenContents = realm.isFrozen ? PublishedOnce() : nil
        if realm.isFrozen { evaluatedAt = realm.state.pointee.clock.value }
        ownClass = elementClass
        self.filter = filter
        self.otherSteps = otherSteps
        awaited = nil
    }

    package init(_ realm: RealmInstance, _ query: AwaitedQuery) {
        self.realm = realm
        base = .table
        epoch = realm.epoch
        frozenContents = realm.isFrozen ? PublishedOnce() : nil
        ownClass = query.unstored
        filter = nil
        otherSteps = []
        awaited = query
        found = query.query(in: realm)
        if realm.isFrozen { evaluatedAt = realm.state.pointee.clock.value }
    }

    /// Must be called before each use of the elements' class.
    package func lookForTable() { if isAwaited { update() } }

    deinit {
        unsafe places?.deinitialize(count: 1)
        unsafe places?.deallocate()
    }

    package var elementName: String {
        baseCollection?.elementName ?? elementClass?.name ?? ""
    }

    package var isInvalidated: Bool {
        realm.verifyThread()
        switch base {
        case .table: return isEnded
        case .collection(let collection): return collection.isInvalidated
        case .backlinks(let owner, _): return owner.locate() == nil
        }
    }

    // MARK: Reading

    package var count: Int {
        update()
        if let knownCount { return knownCount }
        if realm.isFrozen, hasSteps { _ = contents() }
        let count = evaluatedCount()
        if !realm.isFrozen { knownCount = count }
        return count
    }

    /// Null if the element can't be read: elements that were counted may be missing because of damage.
    package func storedElement(at index: Int) -> QueryElement {
        update()
        switch contents() {
        case .table:
            guard let (leaf, row) = tablePlace(of: index) else { return .value(.null) }
            return .object(leaf.key(at: row), place(leaf, row: row))
        case .keys(let keys): return keys.element(at: index).map(element) ?? .value(.null)
        case .values(let values): return .value(values.element(at: index) ?? .null)
        }
    }

    /// Returns the key of an element, and the location of its row if the query has found it; nil for values.
    package func storedObject(at index: Int) -> (key: ObjectKey, place: RowLocation?)? {
        update()
        switch contents() {
        case .table: return tablePlace(of: index).map { ($0.leaf.key(at: $0.row), place($0.leaf, row: $0.row)) }
        case .keys(let keys): return keys.element(at: index).map { ($0, nil) }
        case .values: return nil
        }
    }

    /// The object that creates accessors of the elements. Used by the module with models.
    package var accessors: AnyObject? {
        get { places?.pointee.accessors }
        set { unsafe requirePlaces().pointee.accessors = newValue }
    }

    /// A filter stops after finding the first element, and an order finds it without sorting the others.
    package var storedFirst: QueryElement? {
        update()
        let steps = steps
        guard knownContents == nil, !steps.isEmpty, !steps.contains(where: \.isDistinct), elementClass != nil else {
            return count == 0 ? nil : storedElement(at: 0)
        }
        let first = knownFirst ?? keys(after: steps + [.limit(1)]).first
        if !realm.isFrozen { knownFirst = .some(first) }
        return first.map(element)
    }

    /// A filter stops after finding one element.
    package var isEmpty: Bool {
        update()
        let steps = steps
        guard knownContents == nil, knownCount == nil, elementClass != nil, steps.contains(where: \.isFilter) else {
            return count == 0
        }
        // A later filter may reject the elements selected by these steps.
        if steps.contains(where: { $0.isLimit || $0.isDistinct }) { return storedFirst == nil }
        return keys(after: steps.filter(\.isFilter) + [.limit(1)]).isEmpty
    }

    package func index(of value: StoredValue) -> Int? {
        update()
        switch (contents(), value) {
        case (.table, .link(let key)): return tableIndex(of: key)
        case (.keys(let keys), .link(let key)): return keys.firstIndex(of: key)
        case (.values(let values), _): return values.firstIndex(of: value)
        default: return nil
        }
    }

    package func keys() -> [ObjectKey] {
        update()
        switch contents() {
        case .table: return elementClass.map { realm.allKeys(of: $0) } ?? []
        case .keys(let keys): return keys
        case .values: return []
        }
    }

    private func element(_ key: ObjectKey) -> QueryElement { .object(key, realm.isFrozen ? nil : place(of: key)) }

    private func place(of key: ObjectKey) -> RowLocation? {
        let places = unsafe requirePlaces()
        if unsafe places.pointee.locator == nil { unsafe places.pointee.locator = elementClass.map { RowLocator($0) } }
        return unsafe places.pointee.locator?.place(of: key, in: realm)
    }

    private func requirePlaces() -> UnsafeMutablePointer<ElementPlaces> {
        if let places { return unsafe places }
        let places = UnsafeMutablePointer<ElementPlaces>.allocate(capacity: 1)
        unsafe places.initialize(to: ElementPlaces())
        self.places = unsafe places
        return unsafe places
    }

    package var wholeClass: ManagedClass? {
        if case .table = base { elementClass } else { nil }
    }

    package var baseCollection: ManagedCollection? {
        if case .collection(let collection) = base { collection } else { nil }
    }

    /// Whether the elements are values of a custom type that is stored as an object.
    package var isMapped: Bool { baseCollection?.isMapped ?? false }

    // MARK: Evaluation

    /// Discards the state cached for another version. Checks the thread.
    package func update() {
        realm.verifyThread()
        trackRead()
        let now = realm.state.pointee.clock.value
        guard evaluatedAt != now else { return }
        if isAwaited { found = awaited?.query(in: realm) }
        evaluatedAt = now
        known = nil
        knownCount = nil
        knownFirst = nil
        places?.pointee.leaf = nil
    }

    package var allContents: Contents {
        update()
        return contents()
    }

    /// Sets the elements, which the caller has found in the version that is read.
    package func adopt(_ contents: Contents) {
        update()
        if !realm.isFrozen, known == nil { known = contents }
    }

    /// Changes this query to that of the same inverse property of another object. `place` is the location of the
    /// object's row.
    package func move(to key: ObjectKey, createdInWrite: UInt64, epoch: UInt32, at place: RowLocation?) {
        guard case .backlinks(var owner, let column) = base else { return }
        owner.move(to: key, createdInWrite: createdInWrite, epoch: epoch)
        base = .backlinks(owner, column)
        inverse?.place = place
        self.epoch = realm.epoch
        // The cached state belongs to another object.
        evaluatedAt = .never
    }

    package var isKnown: Bool { knownContents != nil }

    /// Whether the Realm was invalidated since the query was created.
    var isEnded: Bool { epoch != realm.epoch }

    private var knownContents: Contents? {
        if let frozenContents { frozenContents.value?.contents } else { known }
    }

    private func contents() -> Contents {
        if let knownContents { return knownContents }
        let contents = evaluate()
        if let frozenContents { return frozenContents.publish(FrozenContents(contents)).contents }
        known = contents
        return contents
    }

    private func evaluate() -> Contents {
        if isEnded { return .keys([]) }
        if let baseCollection, elementClass == nil { return .values(steps.run(baseCollection.values())) }
        if case .table = base, !hasSteps { return .table }
        return .keys(keys(after: steps))
    }

    private func keys(after steps: [ResultsStep]) -> [ObjectKey] {
        if isEnded { return [] }
        return realm.reading([]) {
            let source = try realm.requireSource()
            return switch base {
            case .table:
                try elementClass.map { managed in
                    try steps[...].run(on: source) { realm.allKeys(of: managed, first: $0) }
                } ?? []
            case .collection(let collection): try steps[...].run(on: source, collection.keys())
            case .backlinks(let owner, let column): try steps[...].run(on: source, backlinks(owner, column))
            }
        }
    }

    /// Counts without finding the elements if possible.
    private func evaluatedCount() -> Int {
        if knownContents == nil, !hasSteps, case .backlinks(let owner, let column) = base {
            return backlinkCount(owner, column)
        }
        // The filter isn't bound to a name, which would copy it.
        if knownContents == nil, !isEnded, case .table = base, let table = filter?.table {
            let known = unsafe realm.state.knownLeaves(of: table)
            return realm.reading(0) { try realm.withSource { try filter?.count(in: $0, known) ?? 0 } }
        }
        switch contents() {
        case .table: return tableCount()
        case .keys(let keys): return keys.count
        case .values(let values): return values.count
        }
    }

    // MARK: Whole tables

    private var table: Table? { elementClass.flatMap { realm.table($0.tableKey) } }

    private func tableCount() -> Int {
        guard let table else { return 0 }
        return realm.reading(0) { try table.count() }
    }

    /// Returns the leaf of an object of the table, and its row in the leaf; nil if the file is damaged.
    private func tablePlace(of index: Int) -> (leaf: ClusterLeaf, row: Int)? {
        if !realm.isFrozen, let leaf = places?.pointee.leaf, index >= leaf.start, index - leaf.start < leaf.leaf.count {
            return (leaf.leaf, index - leaf.start)
        }
        guard index >= 0, let clusters = table?.clusters,
            let position = realm.reading(nil, { try clusters.position(at: index) })
        else { return nil }
        if !realm.isFrozen { unsafe requirePlaces().pointee.leaf = (position.leaf, index - position.row) }
        return (position.leaf, position.row)
    }

    private func place(_ leaf: ClusterLeaf, row: Int) -> RowLocation {
        RowLocation(leaf.node, row: row, stamp: realm.state.pointee.clock.clusterLeaf)
    }

    private func tableIndex(of key: ObjectKey) -> Int? {
        guard let clusters = table?.clusters else { return nil }
        return realm.reading(nil) {
            guard let position = try clusters.find(key) else { return nil }
            var start = 0
            try clusters.forEachLeaf { leaf in
                if leaf.node.ref == position.leaf.node.ref { return false }
                start += leaf.count
                return true
            }
            return start + position.row
        }
    }
}
