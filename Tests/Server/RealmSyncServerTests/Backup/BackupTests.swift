// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct BackupTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Creates the folder of a partition of `data`.
        private func partitionFolder(_ name: String) throws -> String {
            _ = try DataFolder.take(data)
            return try DataFolder.folder(
                of: PartitionName(argument: name), app: "app", in: data, makesParents: true)
        }

        private func makePartition(_ name: String, count: Int64) throws {
            let partition = try StoredPartition(folder: try partitionFolder(name), partition: "string:\(name)")
            try partition.append(SimpleChanges.schema)
            for key in 0..<count { try partition.append(SimpleChanges.create(key, n: key)) }
            try partition.flush()
        }

        /// The keys of the objects in the documents of a restored partition.
        private func keys(_ restored: String, _ name: String) throws -> [Int64] {
            let database = try Database.open(
                restored + "/apps/app/partitions/string_\(name)/documents.realm", readOnly: true)
            return try FlexibleClient.notes(in: try database.snapshot()).keys.sorted()
        }

        // MARK: Running servers

        /// The result of a thread that writes to a partition, and replaces its log after a few changes.
        private final class Writer: Sendable {
            private let durable = NIOLockedValueBox<Int64>(0)
            private let isStopped = NIOLockedValueBox(false)
            private let failure = NIOLockedValueBox<String?>(nil)

            var count: Int64 { durable.withLockedValue { $0 } }

            func start(_ folder: String) -> Task<Void, Never> {
                Task.detached { [self] in
                    do { try write(folder) } catch { failure.withLockedValue { $0 = "\(error)" } }
                }
            }

            private func write(_ folder: String) throws {
                var options = StoredPartition.Options()
                options.smallLog = 2000
                let partition = try StoredPartition(folder: folder, partition: "string:p", options)
                try partition.append(SimpleChanges.schema)
                var key: Int64 = 0
                while !isStopped.withLockedValue({ $0 }) {
                    for _ in 0..<3 {
                        try partition.append(SimpleChanges.create(key, n: key))
                        if key >= 20 { try partition.append(Changeset([.eraseObject(SimpleChanges.object(key - 20))])) }
                        key += 1
                    }
                    try partition.flush()
                    durable.withLockedValue { $0 = key }
                }
            }

            func stop(_ task: Task<Void, Never>) async -> String? {
                isStopped.withLockedValue { $0 = true }
                await task.value
                return failure.withLockedValue { $0 }
            }
        }

        @Test func aPartitionIsCopiedAtOneVersionWhileItsLogIsReplaced() async throws {
            let (writer, store) = (Writer(), try partitionFolder("p"))
            let task = writer.start(store)
            while writer.count < 100 { try await Task.sleep(for: .milliseconds(1)) }
            for round in 0..<20 {
                let before = writer.count
                let report = try FolderBackup(data: data, to: path("backup\(round)")).run()
                #expect(report.partitions == 1)
                _ = try FolderRestore(path("backup\(round)"), to: path("restored\(round)")).run()
                let keys = try keys(path("restored\(round)"), "p")
                let last = try #require(keys.last)
                #expect(keys == Array(last - 19...last) && last >= before - 1)
            }
            #expect(await writer.stop(task) == nil)
        }

        @Test func ingestedObjectsAreCopiedUpToTheLastOneOfTheLog() throws {
            _ = try DataFolder.take(data)
            let store = path("data/apps/app/flexible")
            try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
            var options = StoredPartition.Options()
            options.ingests = true
            options.ingest.segmentSize = 600
            options.smallLog = 4000
            options.ingest.hasHook = true
            let partition = try StoredPartition(folder: store, partition: "flexible", options)
            let file = try partition.addFile().ident
            var version: UInt64 = 0
            func add(_ changeset: Changeset) throws {
                version += 1
                try partition.integrate([UploadedChange(changeset, version, from: file)], from: file)
                try partition.flush()
            }
            try add(IngestModel.schema)
            for key in 1...25 {
                // The log of a moment, and the files of a later one.
                let log = try FileManager.default.contentsOfDirectory(atPath: store)
                    .filter { $0.hasPrefix("log-") || $0.hasPrefix("snapshot-") }
                    .map { ($0, try Data(contentsOf: URL(fileURLWithPath: store + "/" + $0))) }
                for later in 0..<3 {
                    try add(Changeset([.createObject(IngestModel.object(Int64(3 * key + later)))]))
                }
                try partition.ingestFeed?.source.didDeliver(through: UInt64(3 * key))
                let copy = path("copy\(key)")
                try FileManager.default.copyItem(atPath: data, toPath: copy)
                for name in try FileManager.default.contentsOfDirectory(atPath: copy + "/apps/app/flexible")
                where name.hasPrefix("log-") || name.hasPrefix("snapshot-") {
                    try FileManager.default.removeItem(atPath: copy + "/apps/app/flexible/" + name)
                }
                for (name, bytes) in log {
                    try bytes.write(to: URL(fileURLWithPath: copy + "/apps/app/flexible/" + name))
                }
                _ = try FolderBackup(data: copy, to: path("backup\(key)")).run()
                _ = try FolderRestore(path("backup\(key)"), to: path("restored\(key)")).run()
                let restored = try StoredPartition(
                    folder: path("restored\(key)/apps/app/flexible"), partition: "flexible", options)
                let feed = try #require(restored.ingestFeed)
                #expect(try feed.documents().count == 3 * (key - 1))
                #expect(feed.source.bounds.delivered == UInt64(3 * (key - 1)))
            }
        }

        // MARK: Damage

        private func files(_ folder: String) throws -> [String] {
            let all = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
            return all.filter { FileStatus(folder + "/" + $0)?.isFolder == false }.sorted()
        }

        @Test func aBackupWithADamagedFileIsNotRestored() throws {
            for name in ["p", "q"] { try makePartition(name, count: 30) }
            try FileManager.default.createDirectory(atPath: data + "/accounts", withIntermediateDirectories: true)
            try Data("key".utf8).write(to: URL(fileURLWithPath: data + "/accounts/accounts.key"))
            _ = try FolderBackup(data: data, to: path("backup")).run()
            let names = try files(path("backup"))
            #expect(names.count == 4)
            for (number, name) in names.enumerated() {
                let file = URL(fileURLWithPath: path("backup/" + name))
                let bytes = try Data(contentsOf: file)
                for change in 0..<3 {
                    var changed = bytes
                    switch change {
                    case 0: changed[bytes.count / 2] ^= 1
                    case 1: changed.removeLast()
                    default: break
                    }
                    if change == 2 { try FileManager.default.removeItem(at: file) } else { try changed.write(to: file) }
                    let target = path("restored\(number).\(change)")
                    #expect(throws: ServerFailure.self) { try FolderRestore(path("backup"), to: target).run() }
                    if name != "backup.json" {
                        #expect {
                            try DataFolder.take(target)
                        } throws: {
                            "\($0)".contains("a restore wasn't finished")
                        }
                    }
                    try bytes.write(to: file)
                    _ = try FolderRestore(path("backup"), to: target).run()
                    #expect(try keys(target, "q").count == 30)
                }
            }
        }

        @Test func aManifestCannotNameFilesOutsideTheFolder() throws {
            for name in ["../x", "/etc/x", "apps/../../x", "apps//x", "apps", "apps/./x", "server.lock", "x/y"] {
                let backup = path("backup")
                try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
                try Data(
                    #"{"format":1,"time":"2026-01-01T00:00:00Z","files":[{"path":"\#(name)","size":0,"hash":""}]}"#.utf8
                ).write(to: URL(fileURLWithPath: backup + "/backup.json"))
                #expect {
                    try FolderRestore(backup, to: path("restored"))
                } throws: {
                    "\($0)".contains("isn't a path of the backup")
                }
            }
        }

        @Test func aFolderWithDataIsNotReplaced() throws {
            try makePartition("p", count: 1)
            _ = try FolderBackup(data: data, to: path("backup")).run()
            #expect(throws: ServerFailure.self) { try FolderBackup(data: data, to: path("backup")) }
            #expect(throws: ServerFailure.self) { try FolderRestore(path("backup"), to: data) }
            #expect(throws: ServerFailure.self) { try FolderRestore(data, to: path("restored")) }
            #expect(throws: ServerFailure.self) { try FolderBackup(data: path("backup"), to: path("other")) }
        }

        // MARK: Killed programs

        /// Runs the program, and kills it after a time.
        private func run(_ arguments: [String], killedAfter milliseconds: Int?) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path("realm-server")))
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            if let milliseconds {
                Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
                kill(process.processIdentifier, SIGKILL)
            }
            process.waitUntilExit()
            return process.terminationStatus
        }

        @Test func aKilledBackupDoesNotRestoreAndAKilledRestoreIsRepeated() throws {
            let names = (0..<12).map { "p\($0)" }
            for name in names { try makePartition(name, count: 200) }
            var complete = 0
            for round in 0..<25 {
                let (backup, restored) = (path("backup\(round)"), path("restored\(round)"))
                _ = try run(["backup", "--data", data, backup], killedAfter: 4 * round)
                guard Folder.holds(backup + "/backup.json") else {
                    #expect(throws: ServerFailure.self) { try FolderRestore(backup, to: restored) }
                    continue
                }
                complete += 1
                _ = try run(["restore", backup, "--data", restored], killedAfter: 5 * (round % 5) + 5)
                if Folder.holds(restored), try Folder.entries(in: restored).contains("apps"),
                    !Folder.holds(DataFolder.restoreMark(in: restored))
                {
                    for name in names { #expect(try keys(restored, name).count == 200) }
                } else {
                    #expect(try run(["restore", backup, "--data", restored], killedAfter: nil) == 0)
                    for name in names { #expect(try keys(restored, name).count == 200) }
                }
            }
            // The first one was killed at once.
            #expect(complete < 25)
            #expect(try run(["backup", "--data", data, path("last")], killedAfter: nil) == 0)
            #expect(try run(["restore", path("last"), "--data", path("whole")], killedAfter: nil) == 0)
            for name in names { #expect(try keys(path("whole"), name).count == 200) }
        }
    }
#endif
