// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads one property of one live object again and again. GRDB has no live objects.
enum PropertyWorkloads {
    static let all = [int, string]
    static let reads = 1_000_000
}
