// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The properties whose changes an observer is notified of, as paths from the observed objects.
package struct KeyPathFilter: Sendable {
    package struct Step: Hashable, Sendable {
        package let table: TableKey
        package let column: ColumnKey
        /// The property's index in its class; linking objects follow the stored properties.
        package let index: Int
        package let kind: Kind
        /// The class that the property links to; nil if it holds values.
        package let target: TableKey?

        package init(table: TableKey, column: ColumnKey, index: Int, kind: Kind, target: TableKey?) {
            self.table = table
            self.column = column
            self.index = index
            self.kind = kind
            self.target = target
        }
    }

    package enum Kind: Hashable, Sendable {
        case stored
        /// The objects of this class that link here by this column.
        case inverse(TableKey, ColumnKey)
    }

    /// The key paths as passed by the caller; they are resolved again once missing tables exist.
    package let keyPaths: [String]
    package let paths: [[Step]]

    package init(_ keyPaths: [String], paths: [[Step]]) {
        self.keyPaths = keyPaths
        self.paths = paths
    }

    /// Returns the indexes of the properties at the start of each path on which something changed for the
    /// object.
    package func changedProperties(of object: ObjectKey, _ changes: VersionChanges) throws -> [Int] {
        var changed: Set<Int> = []
        for path in paths where try changes.affected(.path(path)).contains(object) { changed.insert(path[0].index) }
        return changed.sorted()
    }

    package var tables: Set<TableKey> {
        var tables: Set<TableKey> = []
        for step in paths.joined() {
            tables.insert(step.table)
            if case .inverse(let origin, _) = step.kind { tables.insert(origin) }
        }
        return tables
    }
}
