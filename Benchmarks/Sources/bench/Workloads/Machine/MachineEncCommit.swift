// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension MachineWorkloads {
    /// The writes and flushes of `enc_small_commits`: the nodes in whole pages, the metadata of these pages in two
    /// places of the file, and the page of the header.
    static let encryptedCommit = commit("machine_enc_commit", last: (4096, 4096)) {
        [(0, 64), (269_888, 128), (503_808 + $0 % 4 * 8192, 8192)]
    }
}
