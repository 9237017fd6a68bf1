// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A typed instruction, as passed to a recorder.
///
/// Recorded after validation and before execution, so removed objects can still be located. Consequences for other
/// objects, such as links to a removed object, are recorded as separate instructions before the removal.
package enum WrittenInstruction {
    case createTable(Table)
    case removeTable(Table)
    case addColumn(ColumnKey, Table)
    case removeColumn(Column, Table)
    /// Nil removes the primary key.
    case setPrimaryKey(Column?, Table)
    /// A description of a schema change that no history can express.
    case convert(String, Table)
    case createObject(ObjectKey, RowValues, Table)
    case removeObject(ObjectKey, Table)
    /// Null removes an embedded object.
    case set(StoredValue, Column, ObjectKey, Table)
    case addInteger(Int64, Column, ObjectKey, Table)
    case createEmbedded(Column, ObjectKey, Table)
    case setCollection(NestedKind, Column, ObjectKey, Table)
    case collection(CollectionInstruction, ResolvedCollection)
}

/// A change of a collection. Positions include hidden elements; sizes are those before the change.
package enum CollectionInstruction {
    case insert(ElementContent, at: Int)
    case setElement(ElementContent, at: Int)
    case move(from: Int, to: Int)
    case erase(at: Int, of: Int)
    case clear
    case setEntry(ElementContent, key: String)
    case eraseEntry(key: String)
    case insertMember(StoredValue)
    case eraseMember(StoredValue)
}

package enum ElementContent {
    case value(StoredValue)
    case embeddedObject
    case collection(NestedKind)
}
