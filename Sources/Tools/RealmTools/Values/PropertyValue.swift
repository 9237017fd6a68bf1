// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The value of a property or of a collection's element, independent of any file.
package enum PropertyValue: Sendable {
    /// A value other than a link or a collection, including null.
    case plain(StoredValue)
    case link(ObjectName)
    /// An embedded object: its table, and its properties in the order of that table's columns.
    case object(TableKey, [PropertyValue])
    case list([PropertyValue])
    case set([PropertyValue])
    case dictionary([(key: String, value: PropertyValue)])

    package static let null = PropertyValue.plain(.null)

    package var isNull: Bool { if case .plain(.null) = self { true } else { false } }
}

/// The target of a link.
package enum ObjectName: Hashable, Sendable {
    case key(TableKey, ObjectKey)
    /// A target identified by its primary key, whether or not the object exists.
    case primaryKey(TableKey, StoredValue)
}
