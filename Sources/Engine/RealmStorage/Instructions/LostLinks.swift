// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The links of objects being removed to objects with many incoming links. They're removed together, because removing
/// them one by one would take quadratic time.
struct LostLinks {
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

    /// Adds a link if links to its target were added before. Returns whether it was added.
    mutating func add(_ origin: ObjectKey, to link: ObjectLink, _ back: ColumnKey) -> Bool {
        guard !places.isEmpty, let index = places[Place(link: link, back: back)] else { return false }
        all[index].origins.append(origin)
        return true
    }

    mutating func begin(_ origin: ObjectKey, to link: ObjectLink, _ ends: LinkEnds) {
        places[Place(link: link, back: ends.back)] = all.count
        all.append(Origins(ends: ends, object: link.object, origins: [origin]))
    }

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
