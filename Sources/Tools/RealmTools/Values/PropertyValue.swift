// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What a property or an element of a collection holds, apart from any file.
package enum PropertyValue: Sendable {
    /// Neither a link nor a collection; null among them.
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

/// Which object a link leads to.
package enum ObjectName: Hashable, Sendable {
    case key(TableKey, ObjectKey)
    /// By its primary key, whether or not there is such an object.
    case primaryKey(TableKey, StoredValue)
}
