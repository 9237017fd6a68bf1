// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The collection of one row: what a managed `List`, `MutableSet` or `Map` is, whatever its elements.
///
/// It is that of a property, or one inside a mixed value. The latter is found by its own key, wherever in the outer
/// collections it has moved to, and is gone when it was overwritten (content 7.7).
@usableFromInline
@safe class ManagedCollection {
    let owner: OwnerReference
    /// The Realm's, and alive as long as it is.
    @safe private let state: UnsafeMutablePointer<ReadState>
    /// The owner keeps the Realm; to count its references at each change takes as long as a small one.
    @safe private let unretainedRealm: Unmanaged<RealmInstance>
    let path: CollectionPath
    /// The class of the elements, or of the objects that they are stored as.
    private let elementType: ObjectBase.Type?
    /// Whether the elements are values that are stored as objects.
    let isMapped: Bool
    /// Whether the elements are values, and stored as such.
    @usableFromInline let isOfValues: Bool
    /// What the elements are, in error texts.
    var elementName: String { elementType == DynamicObject.self ? elementClass?.info.name ?? typeName : typeName }
    private let typeName: String
    /// When all that was found was so.
    @safe @exclusivity(unchecked) private var valueStamp: ChangeStamp<ValueExtent> = .never
    /// Where the owner's row is, in this stamp of the Realm's, and what the keys of a dictionary are.
    @safe @exclusivity(unchecked) private var row: ClusterTree.Position?
    @safe @exclusivity(unchecked) private var keyType: ColumnType?
    @safe @exclusivity(unchecked) private var stamp: ChangeStamp<ClusterLeafExtent> = .never

    /// The collection of a property.
    init<Element: RealmCollectionValue>(_ owner: OwnerReference, _ key: PropertyKey, of type: Element.Type) {
        self.owner = owner
        state = owner.realm.state
        unretainedRealm = unsafe .passUnretained(owner.realm)
        path = CollectionPath(owner.managed.columnKey(key), of: owner.key, in: owner.managed.tableKey)
        elementType = type._elementShape.objectType
        isOfValues = elementType == nil
        isMapped = elementType != nil && !type._isReference
        typeName = type._elementShape.elementName
        if realm.isFrozen { freezeLocation() }
    }

    /// A collection inside a mixed value.
    init(_ owner: OwnerReference, nested path: CollectionPath) {
        self.owner = owner
        state = owner.realm.state
        unretainedRealm = unsafe .passUnretained(owner.realm)
        self.path = path
        elementType = nil
        isOfValues = true
        isMapped = false
        typeName = AnyRealmValue._elementShape.elementName
        if realm.isFrozen { freezeLocation() }
    }

    /// The same collection in another instance.
    required init(_ collection: ManagedCollection, in realm: RealmInstance) {
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

    /// Finds out all there is to know: a frozen collection, which several threads may read, changes nothing after it
    /// was made.
    private func freezeLocation() {
        _ = elementClass
        update()
    }

    var realm: RealmInstance { owner.realm }
    var column: ColumnKey { path.column }
    var isNested: Bool { !path.steps.isEmpty || !column.isCollection }
    var words: CollectionVocabulary { .list }

    /// The class of the elements, or of the objects that they are stored as; nil for a collection of values.
    lazy var elementClass: ManagedClass? =
        elementType == DynamicObject.self
        ? realm.dynamicTarget(of: column, in: owner.managed) : elementType.map(realm.requireManaged)
    /// The class of the elements, if these are objects.
    var referencedClass: ManagedClass? { isMapped ? nil : elementClass }

    // MARK: What subclasses do

    /// Looks at the collection as it is now, or forgets about it if `collection` is nil.
    func found(_ collection: StoredCollection?) throws {}
    /// Looks at the collection as a change has left it, if the transaction knows that; false otherwise.
    func foundAfterChange(in transaction: WriteTransaction) -> Bool { false }
    #if DEBUG
        /// Whether what is known of the collection is so of this one, which a fresh search has found.
        func knows(_ collection: StoredCollection?) -> Bool { collection == nil }
    #endif
    /// Whether the collection was there when it was last looked for.
    var isFound: Bool { false }
    /// The number of elements that users see, as last found.
    var foundCount: Int { 0 }
    /// The elements as they are now.
    func values() -> [StoredValue] { [] }
    /// The objects in the collection, of a collection of objects.
    func keys() -> [ObjectKey] { [] }

    // MARK: Reading

    /// Whether the owner is gone, or the mixed value holds something else.
    final var isInvalidated: Bool {
        update()
        return !isFound
    }

    /// Whether a change finds the collection gone, like `isInvalidated`: what is in the collection of a property need
    /// not be known.
    private final var isGone: Bool {
        guard !isNested else { return isInvalidated }
        if !state.pointee.isOnOwnerThread { realm.verifyThread() }
        if stamp != state.pointee.clock.clusterLeaf { locate() }
        return row == nil
    }

    final var count: Int { isReadable ? foundCount : 0 }

    /// Brings up to date what is known of the collection. False, after reporting the read, if it is gone.
    final var isReadable: Bool {
        update()
        if isFound { return true }
        owner.readWithoutRow(column, words.name)
        return false
    }

    @inline(__always) final func update() {
        if !state.pointee.allowsCurrentThread || valueStamp != state.pointee.clock.value { return lookAgain() }
        #if DEBUG
            verifyFound()
        #endif
    }

    @inline(never) private final func lookAgain() {
        if !state.pointee.allowsCurrentThread {
            realm.verifyThread()
            trackRead()
        }
        let now = state.pointee.clock.value
        if valueStamp != now { find(now) }
    }

    /// As the Realm's own, which is not held where nothing goes wrong: it takes long to count its references.
    @inline(__always) final func reading<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            return realm.reading(fallback) { throw error }
        }
    }

    /// Whether the owner's row is where it was found.
    final var isInPlace: Bool { row != nil && stamp == state.pointee.clock.clusterLeaf }

    /// Notes that what is known of the collection is so now.
    final func isUpToDate() { valueStamp = state.pointee.clock.value }

    /// Has the next read look for the collection.
    final func isOutOfDate() { valueStamp = .never }

    /// As long as rows do not move, only the root has to be read anew, and not even that after a change of this very
    /// collection.
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

    /// Whether both are the same collection of the same row.
    final func isSame(as other: ManagedCollection) -> Bool {
        path == other.path && owner.denotesSameRow(as: other.owner)
    }

    /// A value as users see it.
    func seen(_ value: StoredValue) -> StoredValue { value }

    /// What users see of an element.
    final func element(_ value: StoredValue, at place: RowLocation? = nil) -> _StoredElement {
        var element = _StoredElement(value: value, realm: realm)
        switch value {
        case .link:
            element.target = referencedClass
            element.place = place
        case .list, .dictionary: element.container = self
        default: break
        }
        return element
    }

    /// The elements one after the other, as they are now.
    func makeCursor() -> ElementCursor {
        if let referencedClass { return ElementCursor(realm, keys(), of: referencedClass) }
        return ElementCursor(realm, values(), of: self)
    }

    // MARK: Changes

    /// The checks that every change begins with.
    final func verifyChange() {
        if isGone { owner.refuseAsInvalid(words.name) }
        if state.pointee.write != 0 { return }
        realm.verifyInWrite("Cannot modify managed \(words.name) outside of a write transaction.")
    }

    /// Traps if the element is an object of another class than the collection's.
    final func verifyClass(of element: _StoredContent) {
        guard case .object(let object) = element.kind, let wanted = elementClass?.info else { return }
        let name = object.classInfo.name
        guard name != wanted.name else { return }
        if words.className == CollectionVocabulary.dictionary.className {
            throwRealmException("Value of type '\(name)' does not match RLMDictionary value type '\(wanted.name)'.")
        }
        throwRealmException("Object of type '\(name)' does not match \(words.className) type '\(wanted.name)'.")
    }

    @discardableResult
    final func change<Result>(_ body: (WriteTransaction) throws -> Result) -> Result? {
        unsafe unretainedRealm._withUnsafeGuaranteedRef { $0.change(body) }
    }
}
