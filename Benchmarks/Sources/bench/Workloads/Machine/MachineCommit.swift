// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension MachineWorkloads {
    /// What `small_commits` writes and waits for: new nodes, and then the header that makes them count.
    static let plainCommit = commit("machine_commit", last: (0, 24)) { [(503_808 + $0 % 4 * 4096, 4000)] }
}
