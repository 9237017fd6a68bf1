// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// A failed sync, a new opening on the same system, whose cache differs from the disk, and then a crash: every possible
/// image, from fixed states. The random `failures` workload found both first.
@Suite struct FailedSyncTests {
    /// Sync number `sync` after the third fails, and then the file is opened again. Each commit writes as much as the
    /// previous one, so that it reuses free space.
    private static func workload(failing sync: Int) -> CrashWorkload {
        CrashWorkload(name: "sync \(sync) of a commit fails", isSmall: true) { _, configuration in
            let recording = try CrashRecording(configuration)
            var database = try recording.open()
            try recording.commit(to: database) { database in
                try database.write { transaction in
                    let table = try transaction.schema.addTable("class_A")
                    let column = try transaction.schema.addColumn("data", .binary, to: table)
                    _ = try transaction.createObject(in: table, [column: .binary([1, 1, 1])])
                }
            }
            func change(_ value: UInt8) throws {
                try recording.commit(to: database) { database in
                    try database.write { transaction in
                        guard let table = try transaction.table(named: "class_A"), let column = table.columns.first
                        else { throw Failure("no table") }
                        let bytes = [UInt8](repeating: value, count: 300)
                        try transaction.set(.binary(bytes), column.key, of: ObjectKey(0), in: table.key)
                    }
                }
            }
            try change(2)
            recording.file.failNext(.sync, after: sync)
            do {
                for value in 3...4 { try change(UInt8(value)) }
                throw Failure("no sync has failed")
            } catch is StorageError {
                recording.file.recover()
                database = try recording.open()
            }
            for value in 5..<8 { try change(UInt8(value)) }
            return recording
        }
    }

    /// With sync 1, the disk may lack the flip of the previous, acknowledged commit. The version before it has to stay
    /// whole, and its record too, until the new opening has synced the header.
    @Test(arguments: [0, 1]) func plain(sync: Int) throws {
        let run = CrashRun(FailedSyncTests.workload(failing: sync), .plain, seed: 1)
        let extent = try run.tryEveryImage(with: CrashVerifier())
        print("failed sync \(sync): \(extent)")
        #expect(extent.images > 50)
    }

    /// A commit to free pages also syncs twice.
    @Test(arguments: [0, 1]) func encrypted(sync: Int) throws {
        let run = CrashRun(FailedSyncTests.workload(failing: sync), .encryptedInPages, seed: 1)
        let extent = try run.tryEveryImage(with: CrashVerifier())
        print("failed sync \(sync), encrypted: \(extent)")
        #expect(extent.images > 25)
    }
}
