// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The collection of one row: the untyped core of a managed `List`, `MutableSet` or `Map`.
///
/// It belongs to a property, or is nested in a mixed value. A nested collection is found by its own key, wherever it
/// has moved in the outer collections, and no longer exists once it was overwritten (content 7.7).
@usableFromInline
@safe package class ManagedCollection {
    package let owner: OwnerReference
    /// The Realm's state, valid as long as the Realm.
    @safe @usableFromInline final let state: UnsafeMutablePointer<ReadState>
    /// Unretained because the owner retains the Realm, and counting its references at each change takes as long as a
    /// small change.
    @safe private let unretainedRealm: Unmanaged<RealmInstance>
    package let path: CollectionPath
    /// The class of the program for the elements, or for the objects as which they are stored; nil for values.
    private let elementType: AnyClass?
    /// Whether the elements are values that are stored as objects.
    package let isMapped: Bool
    /// Whether the elements are values and stored as such.
    @usableFromInline package let isOfValues: Bool
    /// The type of the elements in error texts; nil if it is the name of their class.
    private let typeName: String?
    /// The stamp at which the cached state was valid.
    @safe @exclusivity(unchecked) @usableFromInline private(set) final var valueStamp: ChangeStamp<ValueExtent> = .never
    /// The cached position of the owner's row and the type of a dictionary's keys, valid at `stamp`.
    @safe @exclusivity(unchecked) private var row: ClusterTree.Position?
    @safe @exclusivity(unchecked) private var keyType: ColumnType?
    @safe @exclusivity(unchecked) private var stamp: ChangeStamp<ClusterLeafExtent> = .never

    /// `elementType` is the class of the program for the elements, or for the objects as which they are stored with
    /// `isMapped`. `typeName` is nil for the name of that class.
    package init(
        _ owner: OwnerReference, _ path: CollectionPath, of elementType: AnyClass?, isMapped: Bool, _ typeName: String?
    ) {
        self.owner = owner
        state = owner.realm.state
        unretainedRealm = unsafe .passUnretained(owner.realm)
        self.path = path
        self.elementType = elementType
        isOfValues = elementType == nil
        self.isMapped = isMapped
        self.typeName = typeName
        if realm.isFrozen { freezeLocation() }
    }

    /// Creates the same collection in another instance.
    package required init(_ collection: ManagedCollection, in realm: RealmInstance) {
        owner = OwnerReference(collection.owner, in: realm)
        state = realm.state
        unretainedRealm = unsafe .passUnretained(realm)
        path = collection.path
        elementType = collection.elementType
        isOfValues = collection.isOfValues
        isMapped = collection.isMapped
        typeName = collection.typeName
        if realm.isFrozen { freezeLocation() }
    }

    /// Initialises all caches: a frozen collection, which several threads may read, is immutable after its creation.
    private func freezeLocation() {
        _ = elementClass
        update()
    }

    package final var realm: RealmInstance { owner.realm }
    package final var column: ColumnKey { path.column }
    package final var isNested: Bool { !path.steps.isEmpty || !column.isCollection }
    package var words: CollectionVocabulary { .list }
    package final var elementName: String { typeName ?? elementClass?.name ?? "" }

    /// The class of the elements, or of the objects as which they are stored; nil for a collection of values.
    package final lazy var elementClass: ManagedClass? = elementType.flatMap {
        realm.models.elementClass($0, of: column, in: owner.managed, realm)
    }
    /// The class of the elements, if these are objects.
    package final var referencedClass: ManagedClass? { isMapped ? nil : elementClass }

    // MARK: Methods that subclasses override

    /// Caches the current state of the collection, or clears the cache if `collection` is nil.
    func found(_ collection: StoredCollection?) throws {}
    /// Caches the state of the collection after a change, if the transaction provides it. Returns false otherwise.
    func foundAfterChange(in transaction: WriteTransaction) -> Bool { false }
    #if DEBUG
        /// Whether the cached state matches this collection, the result of a new search.
        func isCached(_ collection: StoredCollection?) -> Bool { collection == nil }
    #endif
    /// Whether the collection existed at the last search.
    var isFound: Bool { false }
    /// The number of visible elements at the last search.
    package var foundCount: Int { 0 }
    package func values() -> [StoredValue] { [] }
    package func keys() -> [ObjectKey] { [] }
    /// The tree of the elements, if these are values and all of them are visible in the form in which they are stored.
    package var elementTree: BPlusTree? { nil }

    // MARK: Reading

    /// Whether the owner was deleted, or the mixed value no longer contains this collection.
    package final var isInvalidated: Bool {
        update()
        return !isFound
    }

    /// Whether the collection no longer exists at a change, like `isInvalidated`, but without searching for the
    /// contents of a property's collection.
    private final var isGone: Bool {
        guard !isNested else { return isInvalidated }
        if !state.pointee.isOnOwnerThread { realm.verifyThread() }
        if stamp != state.pointee.clock.clusterLeaf { locate() }
        return row == nil
    }

    package final var count: Int { isReadable ? foundCount : 0 }

    /// Updates the cached state of the collection. Returns false, after reporting the read, if the collection no longer
    /// exists.
    package final var isReadable: Bool {
        update()
        if isFound { return true }
        owner.readWithoutRow(column, words.name)
        return false
    }

    @inlinable @inline(__always) final func update() {
        if !state.pointee.allowsCurrentThread || valueStamp != state.pointee.clock.value { return lookAgain() }
        #if DEBUG
            verifyFound()
        #endif
    }

    @inline(never) @usableFromInline final func lookAgain() {
        if !state.pointee.allowsCurrentThread {
            realm.verifyThread()
            trackRead()
        }
        let now = state.pointee.clock.value
        if valueStamp != now { find(now) }
    }

    /// Like the Realm's function, but retains the Realm only after an error: a retain takes as long as a small read.
    @inline(__always) final func reading<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            return realm.reading(fallback) { throw error }
        }
    }

    final var isInPlace: Bool { row != nil && stamp == state.pointee.clock.clusterLeaf }

    /// Marks the cached state as current.
    final func isUpToDate() { valueStamp = state.pointee.clock.value }

    /// Makes the next read search for the collection.
    final func isOutOfDate() { valueStamp = .never }

    /// Reads only the root again while rows don't move, and nothing after a change of this collection.
    private final func find(_ now: ChangeStamp<ValueExtent>) {
        valueStamp = now
        let isInPlace = isInPlace
        if isInPlace, let transaction = realm.transaction, foundAfterChange(in: transaction) { return }
        if !isInPlace { locate() }
        reading(()) {
            do {
                guard let row else { return try found(nil) }
                if isNested { return try found(try realm.source?.collectionIfPresent(path)) }
                try found(StoredCollection(of: path.column, keyType, at: row))
            } catch {
                try found(nil)
                throw error
            }
        }
    }

    private final func locate() {
        stamp = state.pointee.clock.clusterLeaf
        row = nil
        guard let (table, position) = owner.locate() else { return }
        realm.reading(()) {
            keyType = try table.require(column).dictionaryKeyType
            row = position
        }
    }

    package final func isSame(as other: ManagedCollection) -> Bool {
        path == other.path && owner.denotesSameRow(as: other.owner)
    }

    /// Returns a value in the form that the API presents.
    package func seen(_ value: StoredValue) -> StoredValue { value }

    // MARK: Changes

    package final func verifyChange() {
        if isGone { owner.refuseAsInvalid(words.name) }
        if state.pointee.write != 0 { return }
        realm.verifyInWrite("Cannot modify managed \(words.name) outside of a write transaction.")
    }

    final func trackRead() {
        guard let tracker = realm.tracker, tracker.isTracking else { return }
        tracker.read(.collection(path), in: realm)
    }

    @discardableResult
    final func change<Result>(_ body: (WriteTransaction) throws -> Result) -> Result? {
        unsafe unretainedRealm._withUnsafeGuaranteedRef { $0.change(body) }
    }
}
