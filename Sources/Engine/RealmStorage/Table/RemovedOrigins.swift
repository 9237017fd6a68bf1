// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The origins of removed links to one object, matched with the entries of its backlinks.
///
/// Entries are mostly in ascending order, so the search for one begins at the result of the previous search.
struct RemovedOrigins {
    /// Ascending and distinct.
    private var keys: [ObjectKey] = []
    /// The number of links of each origin that aren't matched yet.
    private var counts: [Int] = []
    /// The lower bound of the key that was searched for last.
    private var position = 0

    init(_ origins: [ObjectKey]) {
        for key in origins.sorted() {
            if keys.last == key {
                counts[counts.count - 1] += 1
            } else {
                keys.append(key)
                counts.append(1)
            }
        }
    }

    /// An origin with a link that no entry matched.
    var unmatched: ObjectKey? { counts.firstIndex { $0 > 0 }.map { keys[$0] } }

    /// Returns whether an entry belongs to a removed link, and matches it with one.
    mutating func match(_ key: ObjectKey) -> Bool {
        if position < keys.count, keys[position] < key { position += 1 }
        if position < keys.count && keys[position] < key || position > 0 && keys[position - 1] >= key {
            position = keys.partitioningIndex { $0 >= key }
        }
        guard position < keys.count, keys[position] == key, counts[position] > 0 else { return false }
        counts[position] -= 1
        return true
    }
}
