// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension CommitWorkloads {
    static let hundred = anywhere(100, commits: 20, .linear("changes lie in more leaves"))
}
