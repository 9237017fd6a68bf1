// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct OpenLogsTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func open(_ number: Int, _ logs: OpenLogs) throws -> StoredPartition {
            try StoredPartition(
                folder: folder.path + "/p\(number)", partition: "string:\(number)", StoredPartition.Options(), logs)
        }

        private func openFiles() throws -> Int {
            let path = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: path).count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/" + name)
                return target?.hasPrefix(folder.path) == true
            }
        }

        @Test func partitionsDoNotHoldADescriptorEach() throws {
            let logs = OpenLogs(limit: 3)
            var partitions = try (0..<20).map { try open($0, logs) }
            #expect(logs.count == 3)
            #expect(try openFiles() == 3)
            let files = try partitions.map { try $0.addFile().ident }
            for round in 0..<3 {
                for (partition, file) in zip(partitions, files) {
                    let change = round == 0 ? SimpleChanges.schema : SimpleChanges.create(Int64(round))
                    try partition.integrate([UploadedChange(change, UInt64(round + 1), from: file)], from: file)
                    try partition.flush()
                }
                #expect(try openFiles() == 3)
            }
            for partition in partitions { try partition.compact() }
            #expect(try openFiles() == 3)
            let models = try partitions.map { try $0.model() }
            partitions = []
            #expect(logs.count == 0)
            #expect(try openFiles() == 0)
            for number in 0..<20 { #expect(try open(number, logs).model() == models[number]) }
        }

        /// A closed log is reopened by name, and must be the file that this server wrote.
        @Test func aLogThatWasChangedMeanwhileIsRefused() throws {
            let logs = OpenLogs(limit: 1)
            let partition = try open(0, logs)
            _ = try partition.addFile()
            try partition.flush()
            let other = try open(1, logs)
            #expect(logs.count == 1)
            let path = folder.path + "/p0/log-0000000000000000"
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data([1]))
            try file.close()
            _ = try partition.addFile()
            #expect(throws: StoreError.self) { try partition.flush() }
            _ = other
        }
    }
#endif
