// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// The partition of a simulated server: the written state, and the part of it that survives a crash.
package final class SimulatedPartition: PartitionStore {
    private struct Content {
        var partition: MemoryPartition
        var model = SyncModel()
        var changes: [UploadedChange] = []
    }

    private var written: Content
    private var durable: Content
    private var generator: SeededGenerator
    package private(set) var faults: [String] = []

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        written = Content(partition: MemoryPartition(salt: 1))
        durable = written
        run()
    }

    package var model: SyncModel { written.model }
    package var changes: [UploadedChange] { written.changes }
    package var history: ServerHistory { written.partition.history }
    package var newest: SaltedVersion { written.partition.newest }

    package func sync() { durable = written }

    package func crash() {
        written = durable
        run()
    }

    /// Each run of a server has its own salt.
    private func run() { written.partition.salt = randomSalt() }

    private func randomSalt() -> UInt64 { UInt64.random(in: 1...UInt64(Int64.max), using: &generator) }

    package func salt(of version: UInt64) -> UInt64? { written.partition.salt(of: version) }

    package func file(_ ident: UInt64) -> KnownFile? { written.partition.file(ident) }

    package func addFile() -> SaltedIdent { written.partition.addFile(salt: randomSalt()) }

    package func expire(_ ident: UInt64) { written.partition.expire(ident) }

    package func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        for change in changes { try integrate(change, from: ident) }
    }

    private func integrate(_ change: UploadedChange, from ident: UInt64) throws(SessionError) {
        do {
            var content = written
            guard let changeset = try content.partition.integrate(change, from: ident) else { return }
            try content.model.apply(changeset)
            content.changes.append(change)
            written = content
        } catch {
            faults.append("file \(ident): \(error)")
            throw SessionError(.badChangeset, "\(error)")
        }
    }

    package func advance(_ ident: UInt64, to cursor: UploadCursor) { written.partition.advance(ident, to: cursor) }

    package func downloads(for ident: UInt64, after version: UInt64, limit: Int) -> DownloadBatch {
        written.partition.downloads(for: ident, after: version, limit: limit)
    }
}

package final class SimulatedDirectory: PartitionDirectory {
    private var partitions: [String: SimulatedPartition] = [:]
    private var generator: SeededGenerator
    /// Isolated connections with their own partitions.
    package var hostile: Set<UInt64> = []

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    package func partition(_ path: String) -> SimulatedPartition {
        if let partition = partitions[path] { return partition }
        let partition = SimulatedPartition(seed: generator.next())
        partitions[path] = partition
        return partition
    }

    package func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
        guard PartitionValue(path: path) != nil else {
            throw SessionError(.illegalPartition, "\(path) is no partition value")
        }
        return partition(hostile.contains(connection) ? "hostile" : path)
    }

    package func sync() { for partition in partitions.values { partition.sync() } }

    package func crash() { for path in partitions.keys.sorted() { partitions[path]?.crash() } }

    package var faults: [String] { partitions.filter { $0.key != "hostile" }.flatMap(\.value.faults) }
}
