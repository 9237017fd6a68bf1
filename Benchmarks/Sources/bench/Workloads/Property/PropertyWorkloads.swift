// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Repeated reads of one property of one live object. GRDB has no live objects.
enum PropertyWorkloads {
    static let all = [int, string]
    static let reads = 1_000_000
}
