// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension MachineWorkloads {
    /// What `small_commits` writes and waits for: new nodes, and the record that makes them count. The header need not
    /// be waited for.
    static let plainCommit = commit("machine_commit", last: (0, 24), syncsLast: false) {
        [(503_808 + $0 % 4 * 4096, 4000), (507_904 + $0 % 4 * 4096, 248)]
    }
}
