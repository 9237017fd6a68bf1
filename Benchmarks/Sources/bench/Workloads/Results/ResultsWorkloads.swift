// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What apps do with `Results` beside iterating, per object in the table.
enum ResultsWorkloads {
    static let all = [map, firstSorted, sections]
}
