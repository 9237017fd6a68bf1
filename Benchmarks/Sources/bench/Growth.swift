// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The permitted growth of an operation's cost with ten times as many objects.
struct Growth: Sendable {
    /// The factor for ten times as many objects.
    let perDecade: Double
    /// The reason why the cost may grow more than the caches' sizes explain. Nil for a constant cost at any size.
    let reason: String?
    /// The workload that measures only the machine for the same reads, which may grow more.
    var machine: String?

    /// A constant cost at any size. The factor exceeds 1 for data that outgrow a cache.
    static let constant = Growth(perDecade: 1.5, reason: nil)
    /// A descent in a tree, or a sort. Each deeper level is also one more cache miss.
    static let logarithmic = Growth(perDecade: 2, reason: "a search in a tree, or a sort")
    /// Like `constant`, for a scan that waits only for memory.
    static let sequentialReads = Growth(
        perDecade: 1.5, reason: "as the machine reads, one after the other", machine: "machine_sequential_read")
    /// The growth of a workload that measures only the machine.
    static let machine = Growth(perDecade: 15, reason: "what the machine itself does")
    /// An operation on the whole table, or on a part that grows with its size.
    static func linear(_ reason: String) -> Growth { Growth(perDecade: 15, reason: reason) }
}
