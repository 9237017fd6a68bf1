// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A property with values of five types, per object in the table.
enum MixedWorkloads {
    static let all = [read, query]
}
