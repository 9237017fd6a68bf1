// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension ModelDatabase {
    /// Adopts the current content of a database, without tombstones, so that random changes can continue from there.
    package init(adopting source: some TableSource) throws {
        for key in try source.tableKeys() {
            guard let table = try source.table(key) else { continue }
            tables[key] = ModelTable(key: key, name: table.name, kind: table.kind)
            self[key].primaryKey = table.primaryKey
            for column in table.publicColumns {
                let target = column.type == .link ? table.oppositeTables[column.leafIndex] : nil
                self[key].columns.append(
                    ModelColumn(
                        key: column.key, name: column.name, type: column.type, target: target,
                        isIndexed: table.hasIndex(column.key)))
            }
            try table.clusters.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    let position = ClusterTree.Position(leaf: leaf, row: row)
                    var object = ModelObject()
                    for column in table.publicColumns {
                        object.values[column.key] = try ModelValue(column, of: table, at: position)
                    }
                    self[key].objects[leaf.key(at: row)] = object
                }
                return true
            }
        }
    }
}
