// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSystem

/// The untyped core of `Results` and `LinkingObjects`: a live query, evaluated when it is read and cached until the
/// Realm advances.
@safe final class ResultsCore {
    let realm: RealmInstance
    /// Changed only by `move`, while no other code refers to the query.
    @safe @exclusivity(unchecked) private(set) var base: Base
    // These are constants, because reading a variable would copy the value (row `index_eq`).
    /// The class of the elements, unless the query was awaited. Inverse properties are never awaited.
    let ownClass: ManagedClass?
    /// The filter of a query without other steps. This is the most common query, and avoids the array of steps.
    private let filter: CompiledQuery?
    private let otherSteps: [ResultsStep]
    /// Creates the query after its class gets a table; nil for other queries.
    let awaited: AwaitedQuery?
    /// The query created by `awaited`; this query then has no steps of its own.
    @safe @exclusivity(unchecked) private var found: ResultsCore?

    var elementClass: ManagedClass? { found?.ownClass ?? ownClass }
    var steps: [ResultsStep] { found?.steps ?? filter.map { [.filter($0)] } ?? otherSteps }
    var hasSteps: Bool { filter != nil || !otherSteps.isEmpty || (found?.hasSteps ?? false) }
    var isAwaited: Bool { awaited != nil && !isFound && !realm.isFrozen }
    var isFound: Bool { found != nil }

    enum Base {
        case table
        case collection(ManagedCollection)
        case backlinks(OwnerReference, ColumnKey)
    }

    typealias Contents = QueryContents

    /// The elements of a frozen query, which several threads may read; nil for a live one. Other threads don't use the
    /// properties below.
    private let frozenContents: PublishedOnce<FrozenContents>?

    private final class FrozenContents: Sendable {
        let contents: Contents
        init(_ contents: Contents) { self.contents = contents }
    }

    private struct ElementPlaces {
        var locator: RowLocator?
        var factory: AccessorFactory?
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
    @safe @exclusivity(unchecked) var inverse: Inverse?
    @safe @exclusivity(unchecked) var walk: KeyWalk?

    @safe @exclusivity(unchecked) var trackingNumber = 0
    @safe @exclusivity(unchecked) private var epoch: UInt32

    convenience init(_ realm: RealmInstance, _ base: Base, elementClass: ManagedClass?, steps: [ResultsStep] = []) {
        if steps.count == 1, case .filter(let filter) = steps[0] {
            self.init(realm, base, elementClass: elementClass, filter: filter)
        } else {
            self.init(realm, base, elementClass: elementClass, filter: nil, steps)
        }
    }

    init(
        _ realm: RealmInstance, _ base: Base, elementClass: ManagedClass?, filter: CompiledQuery?,
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

    init(_ realm: RealmInstance, _ query: AwaitedQuery) {
        self.realm = realm
        base = .table
        epoch = realm.epoch
        frozenContents = realm.isFrozen ? PublishedOnce() : nil
        ownClass = ManagedClass(unstored: ClassRegistry.shared.info(for: query.type))
        filter = nil
        otherSteps = []
        awaited = query
        found = query.query(in: realm)
        if realm.isFrozen { evaluatedAt = realm.state.pointee.clock.value }
    }

    /// Must be called before each use of the elements' class.
    func lookForTable() { if isAwaited { update() } }

    deinit {
        unsafe places?.deinitialize(count: 1)
        unsafe places?.deallocate()
    }

    var elementName: String {
        baseCollection?.elementName ?? elementClass?.info.name ?? ""
    }

    var isInvalidated: Bool {
        realm.verifyThread()
        switch base {
        case .table: return isEnded
        case .collection(let collection): return collection.isInvalidated
        case .backlinks(let owner, _): return owner.locate() == nil
        }
    }

    // MARK: Reading

    var count: Int {
        update()
        if let knownCount { return knownCount }
        if realm.isFrozen, hasSteps { _ = contents() }
        let count = evaluatedCount()
        if !realm.isFrozen { knownCount = count }
        return count
    }

    /// Returns an empty element if it can't be read: elements that were counted may be missing because of damage.
    func element(at index: Int) -> _StoredElement {
        update()
        switch contents() {
        case .table: return tableElement(at: index)
        case .keys(let keys): return keys.element(at: index).map(element) ?? element(StoredValue.null)
        case .values(let values): return element(values.element(at: index) ?? .null)
        }
    }

    /// Returns an accessor; nil for values, and for frozen queries, which threads may share.
    func object(at index: Int) -> ObjectBase? {
        guard let elementClass, !realm.isFrozen, !isMapped else { return nil }
        update()
        let places = unsafe requirePlaces()
        if unsafe places.pointee.factory == nil { unsafe places.pointee.factory = AccessorFactory(realm, elementClass) }
        switch contents() {
        case .table:
            guard let (leaf, row) = tablePlace(of: index) else { return nil }
            return unsafe places.pointee.factory?.object(leaf.key(at: row), at: place(leaf, row: row))
        case .keys(let keys): return keys.element(at: index).flatMap { unsafe places.pointee.factory?.object($0) }
        case .values: return nil
        }
    }

    /// A filter stops after finding the first element, and an order finds it without sorting the others.
    var first: _StoredElement? {
        update()
        let steps = steps
        guard knownContents == nil, !steps.isEmpty, !steps.contains(where: \.isDistinct), elementClass != nil else {
            return count == 0 ? nil : element(at: 0)
        }
        let first = knownFirst ?? keys(after: steps + [.limit(1)]).first
        if !realm.isFrozen { knownFirst = .some(first) }
        return first.map(element)
    }

    /// A filter stops after finding one element.
    var isEmpty: Bool {
        update()
        let steps = steps
        guard knownContents == nil, knownCount == nil, elementClass != nil, steps.contains(where: \.isFilter) else {
            return count == 0
        }
        // A later filter may reject the elements selected by these steps.
        if steps.contains(where: { $0.isLimit || $0.isDistinct }) { return first == nil }
        return keys(after: steps.filter(\.isFilter) + [.limit(1)]).isEmpty
    }

    func makeCursor(at positions: some Collection<Int>) -> ElementCursor {
        update()
        if case .values(let values) = contents() {
            return ElementCursor(realm, positions.compactMap(values.element), of: baseCollection)
        }
        let all = keys()
        let keys = positions.compactMap(all.element)
        if let elementClass, !isMapped { return ElementCursor(realm, keys, of: elementClass) }
        return ElementCursor(realm, keys.map { .link($0) }, of: baseCollection)
    }

    func makeCursor() -> ElementCursor {
        update()
        if let walk = backlinkWalk() { return ElementCursor(walk) }
        switch (contents(), elementClass) {
        case (.table, let elementClass?): return ElementCursor(realm, allOf: elementClass)
        case (.keys(let keys), _) where isMapped:
            return ElementCursor(realm, keys.map { .link($0) }, of: baseCollection)
        case (.keys(let keys), let elementClass?): return ElementCursor(realm, keys, of: elementClass)
        case (.values(let values), _): return ElementCursor(realm, values, of: baseCollection)
        default: return ElementCursor(realm, [], of: nil)
        }
    }

    func index(of value: StoredValue) -> Int? {
        update()
        switch (contents(), value) {
        case (.table, .link(let key)): return tableIndex(of: key)
        case (.keys(let keys), .link(let key)): return keys.firstIndex(of: key)
        case (.values(let values), _): return values.firstIndex(of: value)
        default: return nil
        }
    }

    func keys() -> [ObjectKey] {
        update()
        switch contents() {
        case .table: return elementClass.map { realm.allKeys(of: $0) } ?? []
        case .keys(let keys): return keys
        case .values: return []
        }
    }

    private func element(_ key: ObjectKey) -> _StoredElement {
        element(key, at: realm.isFrozen ? nil : place(of: key))
    }

    private func element(_ key: ObjectKey, at place: RowLocation?) -> _StoredElement {
        _StoredElement(value: .link(key), realm: realm, target: isMapped ? nil : elementClass, place: place)
    }

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

    private func element(_ value: StoredValue) -> _StoredElement {
        baseCollection?.element(value) ?? _StoredElement(value: value, realm: realm)
    }

    var wholeClass: ManagedClass? {
        if case .table = base { elementClass } else { nil }
    }

    var baseCollection: ManagedCollection? {
        if case .collection(let collection) = base { collection } else { nil }
    }

    /// Whether the elements are values of a custom type that is stored as an object.
    private var isMapped: Bool { baseCollection?.isMapped ?? false }

    // MARK: Evaluation

    /// Discards the state cached for another version. Checks the thread.
    private func update() {
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

    var allContents: Contents {
        update()
        return contents()
    }

    /// Sets the elements, which the caller has found in the version that is read.
    func adopt(_ contents: Contents) {
        update()
        if !realm.isFrozen, known == nil { known = contents }
    }

    /// Changes this query to that of the same inverse property of another object.
    func move(to owner: ObjectBase) {
        guard case .backlinks(var anchor, let column) = base else { return }
        anchor.move(to: owner)
        base = .backlinks(anchor, column)
        inverse?.place = owner.lastPlace
        epoch = realm.epoch
        // The cached state belongs to another object.
        evaluatedAt = .never
    }

    var isKnown: Bool { knownContents != nil }

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

    private func tableElement(at index: Int) -> _StoredElement {
        guard let (leaf, row) = tablePlace(of: index) else { return element(StoredValue.null) }
        return element(leaf.key(at: row), at: place(leaf, row: row))
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

extension RealmInstance {
    /// Returns the stored form of an element, for a search; nil for an object that this Realm doesn't manage, which the
    /// collection therefore doesn't contain.
    func stored<Element: RealmCollectionValue>(_ element: Element, of elementClass: ManagedClass?) -> StoredValue? {
        switch element._rlmContent.kind {
        case .value(let value): return value
        case .elements, .entries: return nil
        case .object(let object):
            if object.isInvalidated { refuse("Attempting to access an invalid object") }
            if let wanted = elementClass?.info, object.classInfo.name != wanted.name {
                throwRealmException(
                    "Object of type '\(object.classInfo.name)' does not match Results type '\(wanted.name)'")
            }
            guard object._rlmRow.realm === self, let managed = object._rlmRow.managed else { return nil }
            guard elementClass == nil else { return .link(object._rlmRow.key) }
            return .typedLink(ObjectLink(table: managed.tableKey, object: object._rlmRow.key))
        }
    }
}
