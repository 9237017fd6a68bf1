// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Writes to one file, recorded and applied to another one, make it equal. An independent model confirms it.
@Suite struct RecordAndApplyTests {
    @Test func randomTransactions() throws {
        var generator = SeededGenerator(for: "randomTransactions")
        for _ in 0..<(Settings.number("REGNUM_SYNC_RUNS").map({ max(1, $0) }) ?? 1) {
            try run(SeededGenerator(seed: generator.next()), transactions: 30)
        }
    }

    private func run(_ seed: SeededGenerator, transactions: Int) throws {
        var generator = seed
        let (writer, reader) = (try ClientDatabase(), try ClientDatabase())
        let store = FileClientStore(reader.database)
        try store.assign(SaltedIdent(ident: 5, salt: 77))
        var model = SyncModel()
        for round in 0..<transactions {
            try withTrace("seed \(seed.seed), transaction \(round)") {
                let before = try writer.database.snapshot().version
                try writer.database.write { transaction in
                    if round == 0 { try RandomWriter.makeSchema(transaction) }
                    var random = RandomWriter(transaction: transaction, generator: generator)
                    try random.write(1 + generator.below(60))
                    generator = random.generator
                }
                for changeset in try writer.recorded(after: before) {
                    try withTrace(changeset.description) {
                        try model.apply(changeset)
                        try integrate(changeset, UInt64(round + 1), store)
                        try requireEqual(writer.state(), model, "what was written")
                        try requireEqual(reader.state(), model, "what was applied")
                    }
                }
            }
        }
        try writer.close()
    }

    private func integrate(_ changeset: Changeset, _ version: UInt64, _ store: FileClientStore) throws {
        let change = DownloadedChange(
            serverVersion: version, clientVersion: 0, order: ChangeOrder(timestamp: version, fileIdent: 9),
            changeset: changeset)
        let progress = ClientProgress(
            download: DownloadCursor(serverVersion: version), latest: SaltedVersion(version: version, salt: 3))
        try store.integrate([change], progress, downloadableBytes: 0)
        try FileAudit.requireClean(path: store.database.path)
    }
}
