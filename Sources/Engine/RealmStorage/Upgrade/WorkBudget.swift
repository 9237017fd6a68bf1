// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Bounds the work of an upgrade by the size of the file.
///
/// In a sound file every cluster has bytes of its own. In a hostile one branches lead to the same cluster again and
/// again, and rows to the same string; walking those would never end.
final class WorkBudget {
    private var clusters: Int
    private var bytes: Int

    /// A cluster takes 16 bytes at the least, and each column may be walked a few times; strings are copied once or
    /// twice.
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
