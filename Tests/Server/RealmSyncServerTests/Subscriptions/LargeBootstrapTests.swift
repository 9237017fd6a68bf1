// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Bootstraps that aren't in memory while they are sent.
    @Suite(.timeLimited) struct LargeBootstrapTests {
        private static let count: Int64 = 10_000

        private let folder: TemporaryFolder
        private var partition: StoredPartition
        private let (ann, bob): (UInt64, UInt64)
        private let all = VersionedQuery(version: 1, text: #"{"Note":"(n >= 0)"}"#)

        init() throws {
            folder = try TemporaryFolder()
            partition = try Self.open(folder)
            (ann, bob) = (try partition.addFile().ident, try partition.addFile().ident)
            try partition.flush()
            try upload(SimpleChanges.schema, 1, ann)
            _ = try partition.subscribe(ann, to: all, at: partition.newest.version)
            let objects = (0..<Self.count).flatMap { SimpleChanges.create($0, n: $0).instructions }
            try upload(Changeset(objects), 2, ann)
        }

        private static func open(_ folder: TemporaryFolder) throws -> StoredPartition {
            try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
        }

        private func upload(
            _ changeset: Changeset, _ version: UInt64, _ file: UInt64, basedOn server: UInt64? = nil
        ) throws {
            let server = server ?? partition.newest.version
            try partition.integrate([UploadedChange(changeset, version, from: file, basedOn: server)], from: file)
            try partition.flush()
        }

        private var spoolSize: Int { partition.history.spool?.size ?? 0 }

        @Test func aNewFileReceivesItAfterAllVersionsWereRemoved() throws {
            partition.advance(ann, to: UploadCursor(clientVersion: 2, serverVersion: partition.newest.version))
            partition.advance(bob, to: UploadCursor(clientVersion: 0, serverVersion: partition.newest.version))
            try partition.compact()
            #expect(partition.keptVersions == 0)
            let file = try partition.addFile().ident
            let bootstrap = try partition.subscribe(file, to: all, at: 0)
            let end = bootstrap.version - 1
            #expect(try partition.downloads(for: file, after: 0, through: end, limit: .max).cursor.serverVersion == end)
        }

        @Test func itsPartsAreInAFileUntilItIsSent() throws {
            var bootstrap: QueryBootstrap? = try partition.subscribe(bob, to: all, at: 0)
            try partition.flush()
            let sent = try #require(bootstrap)
            #expect(sent.partCount > 1)
            #expect(spoolSize > Int(Self.count))
            let instructions = try sent.instructions()
            let created = instructions.compactMap { if case .createObject(let object) = $0 { object } else { nil } }
            #expect(created == (0..<Self.count).map(SimpleChanges.object))
            #expect(instructions.starts(with: SimpleChanges.schema.instructions))
            let bytes = spoolSize
            bootstrap = nil
            withExtendedLifetime(sent) {}
            partition.advance(bob, to: UploadCursor(clientVersion: 0, serverVersion: sent.version))
            #expect(spoolSize <= bytes)
        }

        @Test func theFileIsRemovedWithTheLastBootstrap() throws {
            for _ in 1...3 {
                let version = try partition.subscribe(bob, to: all, at: 0).version
                #expect(spoolSize > 0)
                partition.advance(bob, to: UploadCursor(clientVersion: 0, serverVersion: version))
                #expect(spoolSize == 0)
            }
        }

        @Test func anUploadReadsItOnceWithinItsBudget() throws {
            _ = try partition.subscribe(bob, to: all, at: 0)
            let before = partition.newest.version - 1
            var history = partition.history
            let size = history.spooledBytes(of: bob, after: before)
            #expect(size > 0)
            var budget = MergeBudget(Int(Self.count) * 3)
            let stored = try history.loadBootstraps(of: bob, after: before, &budget)
            #expect(stored.count == 1)
            #expect(history.spooledBytes(of: bob, after: before) == 0)
            history.unloadBootstraps(stored, of: bob)
            #expect(history.spooledBytes(of: bob, after: before) == size)
            var small = MergeBudget(100)
            #expect(throws: MergeError.self) {
                _ = try history.loadBootstraps(of: bob, after: before, &small)
            }
        }

        @Test(arguments: ["open", "restarted", "compacted"])
        mutating func anUploadBeforeItIsMergedWithIt(_ state: String) throws {
            _ = try partition.subscribe(bob, to: all, at: 0)
            try partition.flush()
            let before = partition.newest.version - 1
            if state == "compacted" { try partition.compact() }
            if state != "open" { partition = try Self.open(folder) }
            #expect(spoolSize > 0)
            // The bootstrap erases and creates the object in the file, so the server reverts the change.
            try upload(SimpleChanges.set(-1, of: 7), 1, bob, basedOn: before)
            let reports = partition.reports(for: bob, after: before)
            #expect(reports.flatMap(\.updates).map(\.object) == [SimpleChanges.object(7)])
            #expect(partition.history.files[bob]?.changes.bootstrap(after: before)?.lost == [SimpleChanges.object(7)])
            #expect(try partition.holds(SimpleChanges.object(7)))
        }

        @Test func bytesOfAnySizeAreReadBackFromASpoolFile() throws {
            let spool = SpoolFile(folder: folder.path)
            let sizes = [0, 1, SpoolFile.blockSize, SpoolFile.blockSize + 1, 3 * SpoolFile.blockSize - 1]
            var stored = try sizes.enumerated().map { index, size in
                (size, UInt8(index), try spool.store([UInt8](repeating: UInt8(index), count: size)))
            }
            let full = spool.size
            stored.remove(at: 3)
            stored.append((40_000, 9, try spool.store([UInt8](repeating: 9, count: 40_000))))
            #expect(spool.size == full, "the blocks are used again")
            for (size, byte, bytes) in stored { #expect(try bytes.bytes == [UInt8](repeating: byte, count: size)) }
            stored = []
            #expect(spool.size == 0)
        }
    }
#endif
