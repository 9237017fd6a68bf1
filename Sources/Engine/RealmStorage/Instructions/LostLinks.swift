// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Links of objects being removed, to objects that have many incoming links. They are removed together, because
/// searching the backlinks for each of them would take quadratic time.
struct LostLinks {
    /// The links to one object from one column.
    struct Origins {
        let ends: LinkEnds
        let object: ObjectKey
        var origins: [ObjectKey]
    }

    private struct Place: Hashable {
        let link: ObjectLink
        let back: ColumnKey
    }

    /// The links to an object with fewer backlinks are removed one by one.
    static let minCount = 64

    private var places: [Place: Int] = [:]
    private var all: [Origins] = []

    /// Adds a link and returns true, if links to its target have been added before.
    mutating func add(_ origin: ObjectKey, to link: ObjectLink, _ back: ColumnKey) -> Bool {
        guard !places.isEmpty, let index = places[Place(link: link, back: back)] else { return false }
        all[index].origins.append(origin)
        return true
    }

    mutating func begin(_ origin: ObjectKey, to link: ObjectLink, _ ends: LinkEnds) {
        places[Place(link: link, back: ends.back)] = all.count
        all.append(Origins(ends: ends, object: link.object, origins: [origin]))
    }

    /// Removes and returns the links to an object of `table`.
    mutating func take(to link: ObjectLink, _ table: Table) -> [Origins] {
        guard !places.isEmpty else { return [] }
        return table.backlinkColumns.compactMap { back in
            guard let index = places.removeValue(forKey: Place(link: link, back: back.key)) else { return nil }
            defer { all[index].origins = [] }
            return all[index]
        }
    }

    mutating func takeAll() -> [Origins] {
        defer { (places, all) = ([:], []) }
        return all.filter { !$0.origins.isEmpty }
    }
}
