// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension MachineWorkloads {
    /// The writes and flushes of `small_commits`: new nodes, and the record that commits them. It doesn't wait for the
    /// header.
    static let plainCommit = commit("machine_commit", last: (0, 24), syncsLast: false) {
        [(503_808 + $0 % 4 * 4096, 4000), (507_904 + $0 % 4 * 4096, 248)]
    }
}
