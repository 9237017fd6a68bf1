// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension CommitWorkloads {
    static let one = anywhere(1, commits: 100, .constant)
}
