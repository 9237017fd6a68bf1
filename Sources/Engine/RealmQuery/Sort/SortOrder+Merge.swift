// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension SortOrder {
    /// Returns the positions of objects in an order: the number of objects of `ordered` that precede each of `added`.
    /// They are found by bisection, so that the values of few objects are read.
    ///
    /// - Precondition: `ordered` and `added` are each in this order, with equal objects by key, and have no object in
    ///   common. All objects exist.
    package func places(
        of added: [ObjectKey], in ordered: [ObjectKey], _ source: any TableSource
    ) throws -> [Int] {
        guard let table = try source.table(table) else { return [] }
        var pair = try SortTable(paths, in: source)
        var cursor = ObjectCursor(table)
        func append(_ key: ObjectKey) throws {
            guard let position = try cursor.find(key) else {
                throw StorageError.absent("a deleted object has no position")
            }
            try pair.append(key, position)
        }
        var places: [Int] = []
        for key in added {
            try append(key)
            // Objects that precede the previous one also precede this one.
            let place = try ordered[(places.last ?? 0)...].partitioningIndex { other in
                try append(other)
                defer { pair.removeLast() }
                let order = pair.order(1, 0)
                return order > 0 || order == 0 && other >= key
            }
            pair.removeLast()
            places.append(place)
        }
        return places
    }
}
