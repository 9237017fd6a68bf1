// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// What `Results` and managed `LinkingObjects` are, whatever their elements: a live query, evaluated when it is read
/// and again when the Realm has moved on.
@safe final class ResultsCore {
    let realm: RealmInstance
    /// Changes with `move` only, while no other code knows the query.
    @safe @exclusivity(unchecked) private(set) var base: Base
    // Constants, because variables would be copied to be read, which the row `index_eq` shows.
    /// The class of the elements, unless the query was awaited, which inverse properties never are.
    let ownClass: ManagedClass?
    /// The filter that is all that is done with the elements: most queries have no array of steps.
    private let filter: CompiledQuery?
    private let otherSteps: [ResultsStep]
    /// What the query is once there is a table for its class; nil where it needs not wait for one.
    let awaited: AwaitedQuery?
    /// That query, if there is the table; of its own it has no steps then.
    @safe @exclusivity(unchecked) private var found: ResultsCore?

    /// The class of the elements; nil where they are values.
    var elementClass: ManagedClass? { found?.ownClass ?? ownClass }
    var steps: [ResultsStep] { found?.steps ?? filter.map { [.filter($0)] } ?? otherSteps }
    var hasSteps: Bool { filter != nil || !otherSteps.isEmpty || (found?.hasSteps ?? false) }
    /// Whether there may come a table for its class.
    var isAwaited: Bool { awaited != nil && found == nil && !realm.isFrozen }

    /// What the query starts from.
    enum Base {
        /// All objects of the class of the elements.
        case table
        case collection(ManagedCollection)
        case backlinks(OwnerReference, ColumnKey)
    }

    /// The elements of one version.
    enum Contents: Sendable {
        /// All objects of the class, in the order of the table.
        case table
        case keys([ObjectKey])
        case values([StoredValue])
    }

    /// The elements of a frozen query, which several threads may read; nil of a live one. What follows is not for
    /// those threads.
    private let frozenContents: PublishedOnce<FrozenContents>?

    private final class FrozenContents: Sendable {
        let contents: Contents
        init(_ contents: Contents) { self.contents = contents }
    }

    private struct ElementPlaces {
        /// Finds the rows of elements.
        var locator: RowLocator?
        /// Makes the objects that are asked for by their positions.
        var maker: AccessorFactory?
        /// The leaf that an element was read from last, and the position of its first object.
        var leaf: (leaf: ClusterLeaf, start: Int)?
    }

    // What was found out at `evaluatedAt`. No access to it lasts longer than a step.
    @safe @exclusivity(unchecked) private var evaluatedAt: ChangeStamp<ValueExtent> = .never
    @safe @exclusivity(unchecked) private var known: Contents?
    @safe @exclusivity(unchecked) private var knownCount: Int?
    /// The first element, as long as not all of them are known.
    @safe @exclusivity(unchecked) private var knownFirst: ObjectKey??
    /// Where elements that are asked for one by one are; nil before the first is. Behind a pointer, because most
    /// queries are counted or gone through, and the rest of a query is a third of its size.
    @safe @exclusivity(unchecked) private var places: UnsafeMutablePointer<ElementPlaces>?
    /// Of an object's inverse property.
    @safe @exclusivity(unchecked) var inverse: Inverse?
    /// What the last iteration went through its objects with.
    @safe @exclusivity(unchecked) var walk: KeyWalk?

    /// By what the tracker of reads knows the query; 0 before it does.
    @safe @exclusivity(unchecked) var trackingNumber = 0
    /// The value of `RealmInstance.epoch` when the query was made.
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

    /// Becomes the query, or waits for the table of its class.
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

    /// Before anything is done with the class of the elements.
    func lookForTable() { if isAwaited { update() } }

    deinit {
        unsafe places?.deinitialize(count: 1)
        unsafe places?.deallocate()
    }

    /// What the elements are, in error texts.
    var elementName: String {
        baseCollection?.elementName ?? elementClass?.info.name ?? ""
    }

    /// Whether what the query starts from is gone.
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

    /// Element `index`. The empty one where there is none: damage may have kept the elements from being found that
    /// were counted.
    func element(at index: Int) -> _StoredElement {
        update()
        switch contents() {
        case .table: return tableElement(at: index)
        case .keys(let keys): return keys.element(at: index).map(element) ?? element(StoredValue.null)
        case .values(let values): return element(values.element(at: index) ?? .null)
        }
    }

    /// An accessor of element `index`, where the elements are objects; nil where they are not or threads may share it.
    func object(at index: Int) -> ObjectBase? {
        guard let elementClass, !realm.isFrozen, !isMapped else { return nil }
        update()
        let places = unsafe requirePlaces()
        if unsafe places.pointee.maker == nil { unsafe places.pointee.maker = AccessorFactory(realm, elementClass) }
        switch contents() {
        case .table:
            guard let (leaf, row) = tablePlace(of: index) else { return nil }
            return unsafe places.pointee.maker?.object(leaf.key(at: row), at: place(leaf, row: row))
        case .keys(let keys): return keys.element(at: index).flatMap { unsafe places.pointee.maker?.object($0) }
        case .values: return nil
        }
    }

    /// The first element. A filter stops when it has found it, and an order looks for it without ordering the others.
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

    /// Whether there are no elements; a filter stops when it has found one.
    var isEmpty: Bool {
        update()
        let steps = steps
        guard knownContents == nil, knownCount == nil, elementClass != nil, steps.contains(where: \.isFilter) else {
            return count == 0
        }
        // What those choose, a filter behind them may refuse.
        if steps.contains(where: { $0.isLimit || $0.isDistinct }) { return first == nil }
        return keys(after: steps.filter(\.isFilter) + [.limit(1)]).isEmpty
    }

    /// The elements at some positions, one after the other.
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

    /// The position of the first element that is `value`.
    func index(of value: StoredValue) -> Int? {
        update()
        switch (contents(), value) {
        case (.table, .link(let key)): return tableIndex(of: key)
        case (.keys(let keys), .link(let key)): return keys.firstIndex(of: key)
        case (.values(let values), _): return values.firstIndex(of: value)
        default: return nil
        }
    }

    /// The keys of the elements, which are objects.
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

    /// The class, if the query starts from all its objects.
    var wholeClass: ManagedClass? {
        if case .table = base { elementClass } else { nil }
    }

    /// The collection that the query starts from, if it does from one.
    var baseCollection: ManagedCollection? {
        if case .collection(let collection) = base { collection } else { nil }
    }

    /// Whether the elements are values that are stored as objects.
    private var isMapped: Bool { baseCollection?.isMapped ?? false }

    // MARK: Evaluation

    /// Forgets what was found out in an older version. Checks the thread.
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

    /// The elements of the version that is read.
    var allContents: Contents {
        update()
        return contents()
    }

    /// Takes the elements of the version that is read from a caller that has found them already.
    func adopt(_ contents: Contents) {
        update()
        if !realm.isFrozen, known == nil { known = contents }
    }

    /// Makes the query that of the same inverse property of another object.
    func move(to owner: ObjectBase) {
        guard case .backlinks(var anchor, let column) = base else { return }
        anchor.move(to: owner)
        base = .backlinks(anchor, column)
        inverse?.place = owner.lastPlace
        epoch = realm.epoch
        // Whatever is known is of no version of this one.
        evaluatedAt = .never
    }

    /// Whether the elements are found already.
    var isKnown: Bool { knownContents != nil }

    /// Whether the Realm was invalidated since.
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
        if let baseCollection, elementClass == nil { return .values(run(baseCollection.values())) }
        if case .table = base, !hasSteps { return .table }
        return .keys(keys(after: steps))
    }

    /// The objects that the query starts from, after some steps.
    private func keys(after steps: [ResultsStep]) -> [ObjectKey] {
        if isEnded { return [] }
        return realm.reading([]) {
            let source = try realm.requireSource()
            return switch base {
            case .table: try elementClass.map { try run(steps[...], on: source, allOf: $0) } ?? []
            case .collection(let collection): try run(steps[...], on: source, collection.keys())
            case .backlinks(let owner, let column): try run(steps[...], on: source, backlinks(owner, column))
            }
        }
    }

    /// The count, without finding the elements where that is not needed.
    private func evaluatedCount() -> Int {
        if knownContents == nil, !hasSteps, case .backlinks(let owner, let column) = base {
            return backlinkCount(owner, column)
        }
        // The filter is not bound to a name, which would copy it.
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

    /// The leaf of object `index` of the table, and its row there; nil if the file is damaged.
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
    /// What a collection stores for an element, to look for it; nil for an object that cannot be in it because this
    /// Realm does not manage it.
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
