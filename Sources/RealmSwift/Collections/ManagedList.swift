// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The list property of one row: what a managed `List` is, whatever its elements.
///
/// Positions count the elements that users see. Where the tree holds links to objects that do not exist here, these are
/// hidden and positions are translated (content 7.4).
final class ManagedList {
    let owner: RowAnchor
    let column: ColumnKey
    /// The class of the elements, of a list of objects.
    private let elementType: ObjectBase.Type?
    /// What the elements are, in error texts.
    let elementName: String

    // What was found at `generation`.
    private var generation: UInt64 = 0
    /// nil if the owner is gone.
    private var cursor: BPlusTreeCursor?
    /// The positions in the tree of what users see; nil if nothing is hidden.
    private var visible: [Int]?

    init<Element: RealmCollectionValue>(_ owner: RowAnchor, _ key: PropertyKey, of type: Element.Type) {
        self.owner = owner
        column = owner.managed.columnKey(key)
        elementType = type as? ObjectBase.Type
        elementName = type._elementShape.elementName
    }

    var realm: RealmInstance { owner.realm }

    /// The class of the elements; nil for a list of values.
    lazy var elementClass: ManagedClass? = elementType.map(realm.requireManaged)
    private lazy var locator = elementClass.map { RowLocator($0) }

    // MARK: Reading

    /// Whether the owner is gone.
    var isInvalidated: Bool {
        update()
        return cursor == nil
    }

    var count: Int { isReadable ? visible?.count ?? cursor?.tree.count ?? 0 : 0 }

    /// Element `index`, which must be below the count.
    func value(at index: Int) -> StoredValue {
        guard isReadable else { return .null }
        return realm.reading(.null) {
            guard let (leaf, row) = try cursor?.position(visible?[index] ?? index) else { return .null }
            return try leaf.value(at: row)
        }
    }

    func element(at index: Int) -> _StoredElement {
        var element = _StoredElement(value: value(at: index), realm: realm)
        if case .link(let key) = element.value {
            element.target = elementClass
            element.place = locator?.place(of: key, in: realm)
        }
        return element
    }

    /// The elements as they are now.
    func values() -> [StoredValue] {
        guard isReadable, let tree = cursor?.tree else { return [] }
        return realm.reading([]) {
            let all = try tree.values()
            return visible.map { $0.map { all[$0] } } ?? all
        }
    }

    /// The objects in the list, of a list of objects.
    func keys() -> [ObjectKey] {
        guard isReadable, let tree = cursor?.tree else { return [] }
        return realm.reading([]) { try tree.keys().filter { !$0.isUnresolved } }
    }

    func makeCursor() -> ElementCursor {
        if elementType != nil, let elementClass { return ElementCursor(realm, keys(), of: elementClass) }
        guard isReadable, let tree = cursor?.tree else { return ElementCursor(realm, []) }
        return ElementCursor(realm, tree)
    }

    func index(of value: StoredValue) -> Int? {
        if case .link(let key) = value { return keys().firstIndex(of: key) }
        return values().firstIndex(of: value)
    }

    /// Whether both are the same property of the same row.
    func isSame(as other: ManagedList) -> Bool {
        column == other.column && owner.denotesSameRow(as: other.owner)
    }

    /// Brings up to date what is known of the tree. False, after reporting the read, if the owner is gone.
    private var isReadable: Bool {
        update()
        if cursor == nil { owner.readWithoutRow(column, "List") }
        return cursor != nil
    }

    private func update() {
        realm.verifyThread()
        let now = realm.state.pointee.generation
        guard generation != now else { return }
        generation = now
        cursor = nil
        visible = nil
        guard let (table, position) = owner.locate() else { return }
        realm.reading(()) {
            let tree = try table.list(try table.require(column), at: position)
            cursor = BPlusTreeCursor(tree)
            if try tree.hidesElements {
                visible = try tree.keys().enumerated().filter { !$0.element.isUnresolved }.map(\.offset)
            }
        }
    }

    /// The position in the tree of element `index`, or the end of the tree.
    func treePosition(_ index: Int) -> Int {
        guard let visible else { return index }
        return index < visible.count ? visible[index] : cursor?.tree.count ?? 0
    }
}

extension BPlusTree {
    /// Whether the list holds links to objects that do not exist here, which its root says.
    fileprivate var hidesElements: Bool {
        get throws { kind == .key && root != 0 ? try space.node(root).header.hasContext : false }
    }
}
