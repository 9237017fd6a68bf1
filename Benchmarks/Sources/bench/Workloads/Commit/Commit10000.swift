// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension CommitWorkloads {
    static let tenThousand = anywhere(10_000, commits: 5, .linear("changes lie in more leaves"))
}
