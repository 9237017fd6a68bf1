// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The versions that concern each query, so that a download finds those of a file without reading the others.
struct VersionIndex {
    /// The versions with objects of a query, ascending, by its id.
    private var versions: [UInt64: [UInt64]] = [:]
    /// The versions that change classes or properties, which all files receive.
    private var ofSchema: [UInt64] = []

    /// Versions are added in order.
    mutating func add(_ version: UInt64, _ views: ViewChanges?, hasSchema: Bool) {
        if hasSchema { ofSchema.append(version) }
        for query in (views?.members ?? [:]).keys { versions[query, default: []].append(version) }
    }

    mutating func trim(through version: UInt64) {
        ofSchema.removeFirst(VersionIndex.count(ofSchema, through: version))
        versions = versions.compactMapValues { known in
            let rest = known.dropFirst(VersionIndex.count(known, through: version))
            return rest.isEmpty ? nil : Array(rest)
        }
    }

    /// Returns the versions in a range that concern one of some queries, in order. Each occurs once.
    func versions(of queries: some Sequence<UInt64>, in range: ClosedRange<UInt64>) -> [UInt64] {
        var found = VersionIndex.part(ofSchema, range)
        for query in queries {
            if let known = versions[query] { found += VersionIndex.part(known, range) }
        }
        guard found.count > 1 else { return Array(found) }
        var result: [UInt64] = []
        for version in found.sorted() where version != result.last { result.append(version) }
        return result
    }

    private static func part(_ known: [UInt64], _ range: ClosedRange<UInt64>) -> ArraySlice<UInt64> {
        guard let last = known.last, last >= range.lowerBound else { return [] }
        let start = range.lowerBound == 0 ? 0 : count(known, through: range.lowerBound - 1)
        return known[start..<count(known, through: range.upperBound)]
    }

    /// Returns the number of versions up to one.
    private static func count(_ known: [UInt64], through version: UInt64) -> Int {
        known.partitioningIndex { $0 > version }
    }
}
