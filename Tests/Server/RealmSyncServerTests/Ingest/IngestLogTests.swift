// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct IngestLogTests {
        private static func options(segmentSize: Int = 2000) -> StoredPartition.Options {
            var options = StoredPartition.Options()
            options.ingests = true
            options.ingest.segmentSize = segmentSize
            return options
        }

        /// A client that uploads its versions again until the server has integrated them.
        private struct Client {
            let ident: UInt64
            var changes: [(changeset: Changeset, documents: [String])] = []

            mutating func commit(_ instructions: [Instruction], _ documents: [String]) {
                changes.append((Changeset(instructions), documents))
            }

            func uploads(after version: UInt64, upTo end: UInt64) -> [UploadedChange] {
                (version..<max(version, end)).map { UploadedChange(changes[Int($0)].changeset, $0 + 1, from: ident) }
            }
        }

        private struct Run {
            let folder = TemporaryFolder.make()
            var partition: StoredPartition
            var clients: [Client] = []
            /// In the order of their integration. Those after `durable` can be lost.
            var documents: [String] = []
            var durable = 0
            /// The files that are synced, by name.
            var synced: [String: Int] = [:]
            var lastKey: Int64 = 0

            init() throws {
                partition = try StoredPartition(folder: folder.path, partition: "string:p", options())
            }

            mutating func begin() throws {
                for _ in 0..<3 {
                    var client = Client(ident: try partition.addFile().ident)
                    client.commit(IngestModel.schema.instructions, [])
                    clients.append(client)
                }
                try flush()
            }

            mutating func commit(_ index: Int, _ generator: inout SeededGenerator) {
                var (instructions, documents): ([Instruction], [String]) = ([], [])
                for _ in 0..<generator.below(4) {
                    lastKey += 1
                    if generator.chance(30) {
                        instructions += SimpleChanges.create(lastKey).instructions
                        continue
                    }
                    let (created, document) = IngestModel.random(lastKey, &generator)
                    instructions += created
                    documents.append(document)
                }
                clients[index].commit(instructions, documents)
            }

            mutating func upload(_ index: Int, _ generator: inout SeededGenerator) throws {
                let client = clients[index]
                let version = partition.file(client.ident)?.upload.clientVersion ?? 0
                // A client repeats changes that it has sent already.
                let first = version - UInt64(generator.below(Int(min(version, 3)) + 1))
                let end = UInt64(client.changes.count)
                try partition.integrate(client.uploads(after: first, upTo: end), from: client.ident)
                for change in client.changes[Int(version)...] { documents += change.documents }
            }

            mutating func flush() throws {
                try partition.flush()
                durable = documents.count
            }

            private var segments: [String] {
                get throws {
                    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/ingest")
                        .filter { $0.hasPrefix("segment-") }.sorted()
                }
            }

            private func size(_ name: String) throws -> Int {
                try DiskFile.open(folder.path + "/ingest/" + name, readOnly: true).size()
            }

            mutating func compact() throws {
                try flush()
                try partition.compact()
                for name in try segments { synced[name] = try size(name) }
            }

            /// A crash of the machine loses any part of the newest file that isn't synced.
            mutating func crash(_ generator: inout SeededGenerator) throws {
                documents.removeLast(documents.count - durable)
                if generator.chance(50), let newest = try segments.last {
                    let path = folder.path + "/ingest/" + newest
                    var bytes = try DiskFile.open(path, readOnly: true).contents()
                    let header = try #require(try FrameFile.header(bytes)).1
                    let kept = max(header, synced[newest] ?? 0)
                    if generator.chance(50) {
                        bytes.removeLast(generator.below(bytes.count - kept + 1))
                    } else {
                        for offset in kept..<bytes.count where generator.chance(10) { bytes[offset] = 0 }
                    }
                    try Data(bytes).write(to: URL(fileURLWithPath: path))
                }
                partition = try StoredPartition(folder: folder.path, partition: "string:p", options())
            }
        }

        /// Documents out are objects in, in order, whatever is uploaded again, compacted, or lost in a crash.
        @Test(arguments: 1...12) func noObjectIsLostOrRepeated(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            var run = try Run()
            try run.begin()
            for _ in 0..<200 {
                let index = generator.below(3)
                switch generator.below(10) {
                case 0...3: run.commit(index, &generator)
                case 4...6: try run.upload(index, &generator)
                case 7: try run.flush()
                case 8: if generator.chance(30) { try run.compact() }
                default: try run.crash(&generator)
                }
                if generator.chance(10) {
                    try run.flush()
                    #expect(try run.partition.ingestFeed?.documents() == run.documents)
                }
            }
            for index in 0..<3 { try run.upload(index, &generator) }
            try run.flush()
            #expect(try run.partition.ingestFeed?.documents() == run.documents)
            #expect(run.documents.count > 20)
            // No other client receives them.
            let model = try run.partition.model()
            let object = IngestModel.object(1)
            #expect(model.content(at: Place(object, "n")) == nil)
            #expect(
                try run.partition.stateChangesets().allSatisfy { changeset in
                    changeset.instructions.allSatisfy { $0.object?.table != IngestModel.table }
                })
        }

        @Test func aFailedCallLosesOrRepeatsNoObject() throws {
            for number in 0..<40 {
                let folder = try TemporaryFolder()
                var options = Self.options(segmentSize: 300)
                options.calls = .failing(after: number)
                var generator = SeededGenerator(seed: UInt64(number))
                let created = (1...Int64(8)).map { IngestModel.random($0, &generator) }
                var durable = 0
                var file: UInt64 = 2
                func upload(_ partition: StoredPartition, from first: Int, done: (Int) -> Void) throws {
                    for (index, object) in created.enumerated() where index >= first {
                        let changeset = Changeset((index == 0 ? IngestModel.schema.instructions : []) + object.0)
                        try partition.integrate([UploadedChange(changeset, UInt64(index + 1), from: file)], from: file)
                        if index == 4 { try partition.compact() } else { try partition.flush() }
                        done(index + 1)
                    }
                }
                do {
                    let partition = try StoredPartition(folder: folder.path, partition: "string:p", options)
                    file = try partition.addFile().ident
                    try partition.flush()
                    try upload(partition, from: 0) { durable = $0 }
                } catch is SystemError {}
                let again = try StoredPartition(folder: folder.path, partition: "string:p", Self.options())
                let feed = try #require(again.ingestFeed)
                let found = try feed.documents()
                #expect(found.count >= durable && found == created.prefix(found.count).map(\.1))
                guard let known = again.file(file) else { continue }
                #expect(known.upload.clientVersion == UInt64(found.count))
                try upload(again, from: found.count) { _ in }
                #expect(try feed.documents() == created.map(\.1))
            }
        }

        @Test func recordsThatAreNeitherInTheLogNorInTheFilesAreAnError() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path, partition: "string:p", Self.options())
            try Self.fill(partition, count: 20)
            try partition.compact()
            let ingest = folder.path + "/ingest"
            let newest = try #require(
                try FileManager.default.contentsOfDirectory(atPath: ingest).filter { $0.hasPrefix("segment") }.max())
            try FileManager.default.removeItem(atPath: ingest + "/" + newest)
            #expect(throws: StoreError.self) {
                try StoredPartition(folder: folder.path, partition: "string:p", Self.options())
            }
        }

        private static func fill(_ partition: StoredPartition, count: Int) throws {
            var generator = SeededGenerator(seed: 5)
            let file = try partition.lockedFile()
            try partition.upload([UploadedChange(IngestModel.schema, 1, from: file)], from: file)
            for index in 0..<count {
                let changeset = Changeset(IngestModel.random(Int64(index), &generator).0)
                try partition.upload([UploadedChange(changeset, UInt64(index + 2), from: file)], from: file)
            }
        }

        @Test func aDamagedFileIsAnErrorOfItsReader() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path, partition: "string:p", Self.options())
            try Self.fill(partition, count: 60)
            let feed = try #require(partition.ingestFeed)
            let path = folder.path + "/ingest/segment-0000000000000001"
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for offset in stride(from: 0, to: bytes.count, by: 11) {
                var damaged = bytes
                damaged[offset] ^= 0x10
                for content in [Array(bytes.prefix(offset)), damaged] {
                    try Data(content).write(to: URL(fileURLWithPath: path))
                    #expect(throws: StoreError.self, "\(offset)") { try feed.documents() }
                }
            }
        }

        // MARK: Pages and removal

        @Test(arguments: IngestStoreKind.allCases) func pagesOfAnySizeContainTheSameRecords(_ kind: IngestStoreKind)
            throws
        {
            guard let store = try IngestStore(kind) else { return }
            let partition = try store.open { $0.ingest.segmentSize = 2000 }
            try Self.fill(partition, count: 50)
            let feed = try #require(partition.ingestFeed)
            let all = try feed.documents(pageSize: 1000)
            #expect(all.count == 50)
            for size in [1, 2, 3, 49, 50, 51] { #expect(try feed.documents(pageSize: size) == all) }
            #expect(try feed.page(after: 0, limit: 100, of: "Note").records.isEmpty)
            #expect(try feed.page(after: 0, limit: 100, of: "Note").cursor == 50)
            #expect(throws: IngestFeed.Refusal.ahead(newest: 50)) { try feed.page(after: 51, limit: 1) }
        }

        @Test(arguments: IngestStoreKind.allCases) func removedRecordsAreReportedAndNotSkipped(_ kind: IngestStoreKind)
            throws
        {
            guard let store = try IngestStore(kind) else { return }
            let partition = try store.open { $0.ingest.segmentSize = 2000 }
            try Self.fill(partition, count: 50)
            let feed = try #require(partition.ingestFeed)
            let oldest = try feed.remove(through: 30)
            #expect(oldest > 1 && oldest <= 31)
            #expect(throws: IngestFeed.Refusal.removed(oldest: oldest)) { try feed.page(after: 1, limit: 1) }
            #expect(try feed.page(after: 0, limit: 1).records.map(\.sequence) == [oldest])
            #expect(try feed.page(after: oldest - 1, limit: 1).records.map(\.sequence) == [oldest])
            #expect(feed.backlog == 51 - oldest)
            let again = try store.open(node: 1)
            #expect(again.ingestFeed?.oldestSequence == oldest && again.ingestFeed?.newestSequence == 50)
        }

        @Test(arguments: IngestStoreKind.allCases)
        func oldRecordsAreRemovedUnlessTheHookNeedsThem(_ kind: IngestStoreKind) throws {
            let time = NIOLockedValueBox<UInt64>(1_000_000)
            for hasHook in [false, true] {
                guard let store = try IngestStore(kind) else { return }
                func open(_ node: Int) throws -> StoredPartition {
                    try store.open(node: node) {
                        $0.clock = { time.withLockedValue { $0 } }
                        $0.ingest.segmentSize = 2000
                        $0.ingest.retention = 1000
                        $0.ingest.hasHook = hasHook
                    }
                }
                let partition = try open(0)
                try Self.fill(partition, count: 50)
                let feed = try #require(partition.ingestFeed)
                if hasHook { #expect(try feed.source.beginDelivery() == 0) }
                try partition.expireIngested()
                #expect(feed.oldestSequence == 1)
                time.withLockedValue { $0 += 1001 }
                try partition.expireIngested()
                guard hasHook else {
                    #expect(feed.oldestSequence > 1)
                    continue
                }
                #expect(feed.oldestSequence == 1 && feed.backlog == 50)
                try feed.source.didDeliver(through: 40)
                try partition.expireIngested()
                #expect(2...41 ~= feed.oldestSequence && feed.backlog == 10)
                #expect(try open(1).ingestFeed?.source.bounds.delivered == 40)
            }
        }

        @Test(arguments: IngestStoreKind.allCases) func theSizeOfRetainedRecordsIsLimited(_ kind: IngestStoreKind)
            throws
        {
            guard let store = try IngestStore(kind) else { return }
            let partition = try store.open {
                $0.ingest.segmentSize = 2000
                $0.ingest.maximumSize = 4000
            }
            try Self.fill(partition, count: 100)
            try partition.expireIngested()
            let feed = try #require(partition.ingestFeed)
            #expect(51..<100 ~= feed.oldestSequence)
            // A file ends with the record that exceeds the size of a segment.
            let size = try feed.page(after: 0, limit: 100).records.reduce(0) { $0 + $1.document.count }
            #expect(1000..<5000 ~= size, "\(size)")
        }
    }

    extension TemporaryFolder {
        fileprivate static func make() -> TemporaryFolder {
            do { return try TemporaryFolder() } catch { fatalError("\(error)") }
        }
    }
#endif
