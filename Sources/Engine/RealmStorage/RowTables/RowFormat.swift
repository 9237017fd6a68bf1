// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Slots of nodes that only formats 2 to 9 have (older 1, 3).
package enum RowFormat {
    package enum Table {
        package static let spec = 0
        package static let columns = 1
        package static let count = 2
    }

    package enum Spec {
        package static let types = 0
        package static let names = 1
        package static let attributes = 2
        package static let subspecs = 3
        package static let enumKeys = 4
        package static let legalCounts = 3...5
    }

    /// Names of columns and tables that the SDKs of these formats reserved (older 9).
    package enum Name {
        package static let primaryKeys = "pk"
        package static let primaryKeyTable = "pk_table"
        package static let primaryKeyProperty = "pk_property"
        package static let objectId = "!OID"
    }

    /// The format doesn't limit the nesting of subtables and mixed values. Deeper nesting than this counts as damage.
    package static let maximumDepth = 64
}
