// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The queries of one class, by the values that their results have.
struct ClassQueries {
    private struct Slot: Hashable {
        let family: ValueFamily
        let isExact: Bool
    }

    /// The queries that any object can match.
    private var general: Set<UInt64> = []
    /// The other queries, by property.
    private var indexes: [Text: [Slot: IntervalIndex]] = [:]

    var isEmpty: Bool { general.isEmpty && indexes.isEmpty }

    /// The values of some objects for a property, in the order of the objects.
    struct Values {
        let family: ValueFamily
        var values: [StoredValue?] = []
    }

    struct Matches {
        /// The results of the queries whose intervals contain only results, by query.
        var results: [UInt64: NumberSet] = [:]
        /// The objects on which a query has to be evaluated, by query. They replace the results.
        var candidates: [UInt64: NumberSet] = [:]
    }

    func matches(_ numbers: [Int], _ values: (Text) throws -> Values?) rethrows -> Matches {
        var matches = Matches()
        let all = NumberSet(numbers)
        for (field, slots) in indexes {
            let known = try values(field)
            for (slot, index) in slots {
                // Without the type of the constants, the property doesn't have the values of the intervals.
                guard let known, slot.family == known.family else {
                    index.forEach { ids in for id in ids { matches.candidates[id] = all } }
                    continue
                }
                for (number, value) in zip(numbers, known.values) {
                    guard let value else { continue }
                    index.forEach(containing: value) { matches.add(number, to: $0, isExact: slot.isExact) }
                }
            }
        }
        for id in general { matches.candidates[id] = all }
        return matches
    }

    /// Returns the number of matches, or more than `limit`. A query is counted for each of several values.
    func count(limit: Int, _ values: (Text) throws -> Values?) rethrows -> Int {
        var count = general.count
        for (field, slots) in indexes where count <= limit {
            let known = try values(field)
            for (slot, index) in slots {
                guard let known, slot.family == known.family else {
                    count += index.intervalCount
                    continue
                }
                for value in known.values where count <= limit {
                    if let value { count += index.count(containing: value, limit: limit - count) }
                }
            }
        }
        return count
    }

    // MARK: Changes

    mutating func insert(_ query: QueryRegistry.Query) {
        guard let restriction = query.restriction else {
            general.insert(query.id)
            return
        }
        for term in restriction.terms {
            let slot = Slot(family: term.family, isExact: restriction.isExact)
            indexes[term.field, default: [:]][slot, default: IntervalIndex()].insert(query.id, term.interval)
        }
    }

    mutating func remove(_ query: QueryRegistry.Query) {
        guard let restriction = query.restriction else {
            general.remove(query.id)
            return
        }
        for term in restriction.terms {
            let slot = Slot(family: term.family, isExact: restriction.isExact)
            indexes[term.field]?[slot]?.remove(query.id, term.interval)
            if indexes[term.field]?[slot]?.isEmpty == true { indexes[term.field]?[slot] = nil }
            if indexes[term.field]?.isEmpty == true { indexes[term.field] = nil }
        }
    }
}

extension ClassQueries.Matches {
    fileprivate mutating func add(_ number: Int, to ids: Set<UInt64>, isExact: Bool) {
        for id in ids {
            if isExact {
                results[id, default: NumberSet()].insert(number)
            } else {
                candidates[id, default: NumberSet()].insert(number)
            }
        }
    }
}
