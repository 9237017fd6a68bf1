// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A run of bytes in the data space. One that starts after the data space is in `Audit.joined`.
struct ByteRun {
    var start: Int
    var count: Int

    static let null = ByteRun(start: -1, count: 0)
    static let empty = ByteRun(start: 0, count: 0)
    var isNull: Bool { start < 0 }
}
