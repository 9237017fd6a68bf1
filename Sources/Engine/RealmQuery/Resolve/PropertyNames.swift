// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package enum NamedProperty: Sendable, Equatable {
    case column(String)
    /// Linking objects: those of class `className` that link to this one through `column`.
    case backlinks(className: String, column: String)
}

/// Finds properties by the names in predicates, sort orders and aggregates.
///
/// The SDK uses its models' names and their linking objects; the tools use the names in the file.
package struct PropertyNames: Sendable {
    let lookUp: @Sendable (_ className: String, _ property: String) -> NamedProperty?

    /// `lookUp` receives the name of a class in the file, without the prefix of its table, and the name of a property.
    /// It returns nil if the class doesn't have the property.
    package init(_ lookUp: @escaping @Sendable (_ className: String, _ property: String) -> NamedProperty?) {
        self.lookUp = lookUp
    }

    package static let stored = PropertyNames { .column($1) }
}

extension Table {
    var displayName: String { className ?? name }

    func target(of column: Column) -> TableKey { oppositeTables[column.leafIndex] }
}
