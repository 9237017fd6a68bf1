// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How much an operation may cost more when there are ten times as many objects.
struct Growth: Sendable {
    /// The factor for ten times as many objects.
    let perDecade: Double
    /// Why it may be more than the caches' sizes explain; nil for work that costs the same at any size.
    let reason: String?
    /// What the machine alone takes for the reads that the work waits for, which may grow more: the name of a workload.
    var machine: String?

    /// The same at any size. The half more is for data that outgrow a cache.
    static let constant = Growth(perDecade: 1.5, reason: nil)
    /// A tree is gone down, or objects are sorted; each step deeper is also a cache miss more.
    static let logarithmic = Growth(perDecade: 2, reason: "a search in a tree, or a sort")
    /// As `constant`, for a scan that waits for nothing but memory.
    static let sequentialReads = Growth(
        perDecade: 1.5, reason: "as the machine reads, one after the other", machine: "machine_sequential_read")
    /// What a workload asks of the machine alone.
    static let machine = Growth(perDecade: 15, reason: "what the machine itself does")
    /// An operation that works through the whole table, or through more of it the larger it is.
    static func linear(_ reason: String) -> Growth { Growth(perDecade: 15, reason: reason) }
}
