// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Merges whose cost is the product of both sides. Two messages of 32 KB occupied a thread for 6 s, and of 1.6 MB
    /// for hours.
    @Suite struct LongMergeTests {
        private static func partition(_ folder: TemporaryFolder, longestMerge: Int) throws -> StoredPartition {
            var options = StoredPartition.Options()
            options.longestMerge = longestMerge
            return try StoredPartition(folder: folder.path, partition: "string:p", options)
        }

        private static func insertions(_ count: Int) -> Changeset {
            let place = Place(SimpleChanges.object(1), "tags", .one(.index(0)))
            return Changeset((0..<count).map { .change(place, .insert(.string("x"), priorSize: $0)) })
        }

        private static func fill(_ partition: StoredPartition, _ changesets: [Changeset]) throws {
            let file = try partition.addFile().ident
            let all = [SimpleChanges.schema, SimpleChanges.create(1)] + changesets
            try partition.integrate(
                all.enumerated().map { UploadedChange($1, UInt64($0 + 1), from: file) }, from: file)
        }

        /// Returns a partition with 1,000 versions that a file hasn't seen, the file, and its upload: `changeset` based
        /// on each of them.
        private static func staleUpload(
            of changeset: Changeset, _ folder: TemporaryFolder, longestMerge: Int
        ) throws -> (StoredPartition, file: UInt64, [UploadedChange]) {
            let partition = try partition(folder, longestMerge: longestMerge)
            let file = try partition.addFile().ident
            try fill(partition, (0..<1000).map { _ in SimpleChanges.add(1, to: 1) })
            let changes = (0..<1000).map {
                UploadedChange(changeset, UInt64($0 + 1), from: file, basedOn: UInt64($0 + 2))
            }
            return (partition, file, changes)
        }

        private static func entry(_ version: UInt64, basedOn server: UInt64) -> ClientMessage.Upload.Entry {
            ClientMessage.Upload.Entry(clientVersion: version, serverVersion: server, timestamp: 0, changeset: [])
        }

        @Test func aMergeBeyondTheLimitResetsItsClientAndChangesNothing() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.partition(folder, longestMerge: 100_000)
            let stale = try partition.addFile().ident
            try Self.fill(partition, [Self.insertions(400)])
            let error = #expect(throws: SessionError.self) {
                try partition.integrate(
                    [UploadedChange(Self.insertions(400), 1, from: stale, basedOn: 2)], from: stale)
            }
            #expect(error?.code == .fileExpired)
            #expect(error?.serverError.action == .clientReset)
            #expect(partition.newest.version == 3)
            try partition.integrate([UploadedChange(Self.insertions(100), 1, from: stale, basedOn: 2)], from: stale)
            #expect(partition.newest.version == 4)
        }

        @Test func theChangesOfAnUploadShareTheLimit() throws {
            let folder = try TemporaryFolder()
            let (partition, stale, changes) = try Self.staleUpload(
                of: SimpleChanges.add(1, to: 1), folder, longestMerge: 100_000)
            let error = #expect(throws: SessionError.self) { try partition.integrate(changes, from: stale) }
            #expect(error?.code == .fileExpired)
            #expect(partition.newest.version == 1002)
        }

        @Test func changesetsWithoutInstructionsAreNotMerged() throws {
            let folder = try TemporaryFolder()
            let (partition, stale, changes) = try Self.staleUpload(
                of: Changeset(), folder, longestMerge: 10)
            try partition.integrate(changes, from: stale)
            #expect(partition.file(stale)?.upload == UploadCursor(clientVersion: 1000, serverVersion: 1001))
        }

        /// An upload of empty changesets with different base versions occupied the server's thread, since its size was
        /// 0.
        @Test func anUploadIsClassifiedByItsEntriesAndTheVersionsThatItsFileHasNotSeen() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.partition(folder, longestMerge: 1 << 31)
            let stale = try partition.addFile().ident
            let few = (1...UInt64(100)).map { Self.entry($0, basedOn: 0) }
            let many = (1...UInt64(5000)).map { Self.entry($0, basedOn: 0) }
            #expect(partition.effort(of: few, from: stale) == .short)
            #expect(partition.effort(of: many, from: stale) == .short)
            try Self.fill(partition, Array(repeating: Changeset(), count: 2000))
            #expect(partition.effort(of: few, from: stale) == .short)
            #expect(partition.effort(of: many, from: stale) == .long)
            try partition.integrate(
                [UploadedChange(Self.insertions(20_000), 1, from: stale, basedOn: 2002)], from: stale)
            let other = try partition.addFile().ident
            #expect(partition.effort(of: many, from: stale) == .long)
            #expect(partition.effort(of: many, from: other) != .short)
            #expect(
                partition.effort(of: (1...UInt64(20_000)).map { Self.entry($0, basedOn: 0) }, from: other) == .longMerge
            )
        }
    }
#endif
