// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An instruction of a changeset (§3.4).
package enum Instruction: Hashable, Sendable {
    case addTable(TableDefinition)
    case eraseTable(Text)
    case addColumn(ColumnDefinition)
    case eraseColumn(ColumnReference)
    case createObject(ObjectReference)
    case eraseObject(ObjectReference)
    case change(Place, Change)
}

/// The effect of an instruction at its location.
///
/// For a list, the path ends in an index into it, and `priorSize` is the size of the list before the change.
package enum Change: Hashable, Sendable {
    /// Sets a property or the value of a key; the path doesn't end in an index. `isDefault` marks the initial value of
    /// a new object's property that the application didn't set.
    case update(SyncValue, isDefault: Bool)
    case updateElement(SyncValue, priorSize: Int)
    case addInteger(Int64)
    case insert(SyncValue, priorSize: Int)
    case move(to: Int, priorSize: Int)
    case erase(priorSize: Int)
    /// On a Mixed, also determines the kind of the resulting collection.
    case clear(CollectionKind)
    case setInsert(SyncValue)
    case setErase(SyncValue)
}

extension Instruction {
    package var table: Text {
        switch self {
        case .addTable(let table): table.name
        case .eraseTable(let name): name
        case .addColumn(let column): column.column.table
        case .eraseColumn(let column): column.table
        case .createObject(let object), .eraseObject(let object): object.table
        case .change(let place, _): place.object.table
        }
    }

    package var object: ObjectReference? {
        switch self {
        case .createObject(let object), .eraseObject(let object): object
        case .change(let place, _): place.object
        default: nil
        }
    }
}

extension Change {
    package var priorSize: Int? {
        switch self {
        case .updateElement(_, let size), .insert(_, let size), .move(_, let size), .erase(let size): size
        default: nil
        }
    }

    /// Whether the index is valid for the list, as an element or an insertion index, and differs from the target of a
    /// move. A decoded changeset can violate this; merges and databases then reject it.
    package func isPossible(at index: Int) -> Bool {
        switch self {
        case .insert(_, let size): index <= size
        case .updateElement(_, let size), .erase(let size): index < size
        case .move(let target, let size): index < size && target < size && target != index
        default: true
        }
    }
}

package struct Changeset: Hashable, Sendable {
    package var instructions: [Instruction]

    package init(_ instructions: [Instruction] = []) { self.instructions = instructions }

    package var isEmpty: Bool { instructions.isEmpty }
}
