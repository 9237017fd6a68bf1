// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The rights of one user of an app with flexible sync on the documents of each class.
///
/// Equal rights compare equal, so that a session notices a change of its user's rights and gets a new bootstrap.
package struct UserRights: Sendable, Hashable {
    /// The rights on classes by name. A class without an entry has `others`.
    package var classes: [ByteText: ClassRights] = [:]
    package var others: ClassRights

    /// Read and write access to all documents.
    package static let unrestricted = UserRights(others: .unrestricted)
    package static let none = UserRights(others: .none)

    package init(others: ClassRights) { self.others = others }

    package subscript(className: ByteText) -> ClassRights { classes[className] ?? others }
}

/// The rights of one user on the documents of one class.
package struct ClassRights: Sendable, Hashable {
    package var read: DocumentFilter
    package var write: DocumentFilter
    package var canInsert: Bool
    package var canDelete: Bool
    package var readableFields: FieldSelection
    package var writableFields: FieldSelection

    package static let unrestricted = ClassRights(
        read: .all, write: .all, canInsert: true, canDelete: true, readableFields: .all, writableFields: .all)
    package static let none = ClassRights(
        read: .none, write: .none, canInsert: false, canDelete: false, readableFields: .only([]),
        writableFields: .only([]))
}

/// A condition on documents.
package enum DocumentFilter: Sendable, Hashable {
    case none
    case all
    /// A query in the query language with all values as literals.
    case matching(ByteText)
}

package enum FieldSelection: Sendable, Hashable {
    case all
    case only(Set<ByteText>)
    case allBut(Set<ByteText>)

    package func contains(_ field: ByteText) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains(field)
        case .allBut(let names): !names.contains(field)
        }
    }
}
