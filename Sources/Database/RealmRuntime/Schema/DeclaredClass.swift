// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A class of the models, as far as the tables of a file depend on it.
package protocol DeclaredClass: AnyObject {
    associatedtype Property: DeclaredProperty

    /// The name in the file.
    var name: String { get }
    var tableName: String { get }
    var kind: TableKind { get }
    /// The stored properties in the order of their declaration.
    var properties: [Property] { get }
    var primaryKey: Property? { get }
}

/// A stored property of the models, as far as its column depends on it.
package protocol DeclaredProperty: AnyObject {
    /// The name in the program.
    var name: String { get }
    var columnName: String { get }
    var columnType: ColumnType { get }
    var columnAttributes: ColumnAttributes { get }
    /// Whether the value, or the elements of the collection, may be null.
    var isOptional: Bool { get }
    var isPrimaryKey: Bool { get }
    var isIndexed: Bool { get }
    var isFullText: Bool { get }
    /// The name in the file of the class that a link points to.
    var objectClassName: String? { get }
    /// In the original's words: `int?`, `array<Dog>`.
    var typeName: String { get }
}

extension DeclaredProperty {
    package var indexKind: IndexKind? { isFullText ? .fullText : isIndexed || isPrimaryKey ? .general : nil }

    /// Whether the index of a column has to be added, changed or removed.
    ///
    /// In the additive mode, programs that share a file don't remove each other's indexes: an index that the class
    /// doesn't declare stays, and so does a full-text index if the class declares an ordinary one.
    package func needsOtherIndex(than old: IndexKind?, isAdditive: Bool) -> Bool {
        guard indexKind != old else { return false }
        if indexKind == .fullText || old == nil || isPrimaryKey { return true }
        return !isAdditive
    }

    package func matches(_ column: Column, in table: Table, _ source: any TableSource) -> Bool {
        guard column.key.type == columnType, column.key.attributes == columnAttributes else { return false }
        guard columnType == .link else { return true }
        let target = try? source.table(table.oppositeTables[column.leafIndex])
        return target?.className == objectClassName
    }

    package func differsOnlyInNullability(from column: Column) -> Bool {
        column.key.type == columnType && columnAttributes.isDisjoint(with: [.list, .set, .dictionary])
            && column.key.attributes.symmetricDifference(columnAttributes) == .nullable
    }
}
