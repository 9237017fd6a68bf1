// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Whether a property or a Mixed holds a single value or a collection. The raw values are those of changesets.
package enum CollectionKind: UInt8, Hashable, Sendable, CaseIterable {
    case single = 0
    case list = 1
    case dictionary = 2
    case set = 3
}

package struct TableDefinition: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case topLevel(PrimaryKeyColumn)
        case embedded
        case asymmetric(PrimaryKeyColumn)
    }

    package var name: Text
    package var kind: Kind

    package init(_ name: Text, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// The primary key of a class. A class without one has an empty name and the type of global keys.
package struct PrimaryKeyColumn: Hashable, Sendable {
    package var name: Text
    package var type: ValueType
    package var isNullable: Bool

    package init(_ name: Text, _ type: ValueType, isNullable: Bool) {
        self.name = name
        self.type = type
        self.isNullable = isNullable
    }
}

package struct ColumnDefinition: Hashable, Sendable {
    package var column: ColumnReference
    /// `null` for Mixed.
    package var type: ValueType
    package var isNullable: Bool
    package var collection: CollectionKind
    /// The target class of links, empty for any class; nil unless the type is `link`.
    package var target: Text?

    package init(
        _ column: ColumnReference, _ type: ValueType, isNullable: Bool, _ collection: CollectionKind,
        target: Text? = nil
    ) {
        self.column = column
        self.type = type
        self.isNullable = isNullable
        self.collection = collection
        self.target = target
    }
}

package struct ColumnReference: Hashable, Sendable {
    package var table: Text
    package var name: Text

    package init(_ table: Text, _ name: Text) {
        self.table = table
        self.name = name
    }
}
