// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The elements of a collection that count as modified without having moved: objects that have changed or link to
/// changed objects.
package struct ModifiedElements {
    private let changes: VersionChanges
    /// The class of the elements; nil if they are values. Mixed values may be objects of any class.
    private let table: TableKey?
    private let filter: KeyPathFilter?
    private var byTable: [TableKey: Set<ObjectKey>] = [:]

    package init(_ changes: VersionChanges, _ table: TableKey?, _ filter: KeyPathFilter?) {
        self.changes = changes
        self.table = table
        self.filter = filter
    }

    package mutating func keys() throws -> Set<ObjectKey> { try table.map { try keys(of: $0) } ?? [] }

    package mutating func contains(_ value: StoredValue) throws -> Bool {
        switch value {
        case .link(let key): try keys().contains(key)
        case .typedLink(let link): try keys(of: link.table).contains(link.object)
        default: false
        }
    }

    private mutating func keys(of table: TableKey) throws -> Set<ObjectKey> {
        if let known = byTable[table] { return known }
        var keys: Set<ObjectKey> = []
        if let filter {
            for path in filter.paths where path.first?.table == table {
                keys.formUnion(try changes.affected(.path(path)))
            }
        } else {
            keys = try changes.affected(.links(from: table))
        }
        byTable[table] = keys
        return keys
    }
}
