// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A typed instruction, as a recorder is told of it.
///
/// It was found possible, and what it removes is still there: so its place can be told. What an instruction entails
/// beyond its own place (links to a removed object that become null or leave their lists) is told as instructions of
/// their own, before the removal.
package enum WrittenInstruction {
    case createTable(Table)
    case removeTable(Table)
    case addColumn(ColumnKey, Table)
    case removeColumn(Column, Table)
    /// Nil takes the role away.
    case setPrimaryKey(Column?, Table)
    /// A change of the schema that no history has a word for, in words.
    case convert(String, Table)
    /// The object is there already.
    case createObject(ObjectKey, RowValues, Table)
    case removeObject(ObjectKey, Table)
    /// A value of a single property. Null removes an embedded object.
    case set(StoredValue, Column, ObjectKey, Table)
    case addInteger(Int64, Column, ObjectKey, Table)
    /// An embedded object where there is none.
    case createEmbedded(Column, ObjectKey, Table)
    /// An empty collection in a Mixed property.
    case setCollection(NestedKind, Column, ObjectKey, Table)
    case collection(CollectionInstruction, ResolvedCollection)
}

/// What an instruction does in a collection. Positions count hidden elements, and sizes are those before.
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

/// What an element becomes.
package enum ElementContent {
    case value(StoredValue)
    case embeddedObject
    case collection(NestedKind)
}
