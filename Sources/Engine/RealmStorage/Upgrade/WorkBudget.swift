// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Limits the work of an upgrade by the size of the file.
///
/// In a valid file every cluster has its own bytes. In a malicious one, many branches lead to the same cluster, and
/// many rows to the same string. Reading all of them would take practically unlimited time.
final class WorkBudget {
    private var clusters: Int
    private var bytes: Int

    /// A cluster needs at least 16 bytes, and each column may be read a few times. Strings are copied once or twice.
    init(byteCount: Int) {
        clusters = byteCount + 1 << 16
        bytes = 16 * byteCount + 1 << 16
    }

    func spendCluster() throws {
        clusters -= 1
        if clusters < 0 { throw exceeded }
    }

    func spend(byteCount: Int) throws {
        bytes -= byteCount + 1
        if bytes < 0 { throw exceeded }
    }

    private var exceeded: StorageError {
        StorageError(.invalidDatabase, "objects or values that are used more than once; the file is damaged")
    }
}
