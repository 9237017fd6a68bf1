// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Operations of apps on `Results` other than iteration, per object in the table.
enum ResultsWorkloads {
    static let all = [map, firstSorted, sections]
}
