// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The value of a property or of a collection's element, independent of any version of the file.
///
/// Equality compares content: embedded objects by their values, other objects by their identity, and numbers by their
/// bits.
package enum DetachedValue: Sendable, Equatable {
    /// A value other than a link or a collection, including null.
    case plain(StoredValue)
    case link(ObjectName)
    /// An embedded object: its table, and its properties in the order of that table's columns.
    case object(TableKey, [DetachedValue])
    case list([DetachedValue])
    case set([DetachedValue])
    case dictionary([(key: String, value: DetachedValue)])

    package static let null = DetachedValue.plain(.null)

    package var isNull: Bool { if case .plain(.null) = self { true } else { false } }

    package static func == (a: DetachedValue, b: DetachedValue) -> Bool {
        switch (a, b) {
        case (.plain(let a), .plain(let b)): a.isIdentical(to: b)
        case (.link(let a), .link(let b)): a == b
        case (.object(let table, let a), .object(let other, let b)): table == other && a == b
        case (.list(let a), .list(let b)), (.set(let a), .set(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)):
            a.elementsEqual(b) { $0.key.isIdentical(to: $1.key) && $0.value == $1.value }
        default: false
        }
    }
}

package enum ObjectName: Hashable, Sendable {
    case key(TableKey, ObjectKey)
    /// A target identified by its primary key, whether or not the object exists.
    case primaryKey(TableKey, StoredValue)
}
