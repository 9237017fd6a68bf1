// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One instruction of a changeset (§3.4).
package enum Instruction: Hashable, Sendable {
    case addTable(TableDefinition)
    case eraseTable(Text)
    case addColumn(ColumnDefinition)
    case eraseColumn(ColumnReference)
    case createObject(ObjectReference)
    case eraseObject(ObjectReference)
    /// Whatever concerns a property of an object or something inside it.
    case change(Place, Change)
}

/// What an instruction does at its place.
///
/// Where a list is concerned the place ends in an index into it, and `priorSize` is the size of the list before.
package enum Change: Hashable, Sendable {
    /// The value of a property, or at a key: the path does not end in an index. A default is what a new object begins
    /// with where the application gave no value.
    case update(SyncValue, isDefault: Bool)
    /// The value of an element of a list.
    case updateElement(SyncValue, priorSize: Int)
    case addInteger(Int64)
    case insert(SyncValue, priorSize: Int)
    case move(to: Int, priorSize: Int)
    case erase(priorSize: Int)
    /// On Mixed it also says which kind of collection is there afterwards.
    case clear(CollectionKind)
    case setInsert(SyncValue)
    case setErase(SyncValue)
}

extension Instruction {
    /// The class that it concerns.
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

    /// The object that it concerns; nil of one on the schema.
    package var object: ObjectReference? {
        switch self {
        case .createObject(let object), .eraseObject(let object): object
        case .change(let place, _): place.object
        default: nil
        }
    }
}

extension Change {
    /// The size that a list has before; nil unless an element of a list is concerned.
    package var priorSize: Int? {
        switch self {
        case .updateElement(_, let size), .insert(_, let size), .move(_, let size), .erase(let size): size
        default: nil
        }
    }

    /// Whether a list has this element, or this place to insert one, and a move leads anywhere. Changesets can be
    /// decoded in which it is not so; neither a merge nor a database takes them.
    package func isPossible(at index: Int) -> Bool {
        switch self {
        case .insert(_, let size): index <= size
        case .updateElement(_, let size), .erase(let size): index < size
        case .move(let target, let size): index < size && target < size && target != index
        default: true
        }
    }
}

/// The instructions of one commit, in order.
package struct Changeset: Hashable, Sendable {
    package var instructions: [Instruction]

    package init(_ instructions: [Instruction] = []) { self.instructions = instructions }

    package var isEmpty: Bool { instructions.isEmpty }
}
