// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct StoredPartitionTests {
        private static func open(
            _ folder: String, _ options: StoredPartition.Options = StoredPartition.Options()
        ) throws -> StoredPartition {
            try StoredPartition(folder: folder, partition: "string:p", options)
        }

        private static func log(_ folder: String) throws -> String {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("log-") }
            return folder + "/" + (try #require(names.max()))
        }

        private static func fill(_ partition: StoredPartition, commits: Int = 8) throws -> [SyncModel] {
            var models = [SyncModel()]
            let file = try partition.addFile()
            try partition.flush()
            models.append(SyncModel())
            var version: UInt64 = 0
            func commit(_ changeset: Changeset) throws {
                version += 1
                try partition.integrate([UploadedChange(changeset, version, from: file.ident)], from: file.ident)
                try partition.flush()
                models.append(try partition.model())
            }
            try commit(SimpleChanges.schema)
            try commit(SimpleChanges.create(1))
            for index in 0..<commits {
                try commit(SimpleChanges.insert(Text("é\(index)"), at: index, of: index, in: 1))
            }
            return models
        }

        @Test func flushedCommitsPersistAfterReopening() throws {
            let folder = try TemporaryFolder()
            let models = try Self.fill(try Self.open(folder.path))
            let again = try Self.open(folder.path)
            #expect(try again.model() == models.last)
            #expect(again.newest.version == 10)
            let file = try #require(again.file(2))
            #expect(file.upload.clientVersion == 10 && !file.isExpired)
            // Each run has its own salt. Versions keep theirs.
            let salt = again.salt(of: 10)
            try again.integrate([UploadedChange(SimpleChanges.create(2), 11, from: 2)], from: 2)
            #expect(again.salt(of: 10) == salt && again.salt(of: 11) != salt)
        }

        @Test func unflushedCommitsAreLost() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.open(folder.path)
            let models = try Self.fill(partition)
            try partition.integrate([UploadedChange(SimpleChanges.create(2), 11, from: 2)], from: 2)
            #expect(try Self.open(folder.path).model() == models.last)
        }

        @Test func eachBeginningOfTheLogIsACommittedState() throws {
            let folder = try TemporaryFolder()
            let models = try Self.fill(try Self.open(folder.path), commits: 3)
            let path = try Self.log(folder.path)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            var newest = 0
            for count in 0...bytes.count {
                let copy = try TemporaryFolder()
                try bytes.prefix(count).write(to: URL(fileURLWithPath: copy.path + "/" + Folder.lastName(of: path)))
                let partition = try Self.open(copy.path)
                let model = try partition.model()
                let step = Int(partition.newest.version)
                #expect(step == 0 ? model == SyncModel() : model == models[step + 1])
                #expect(step >= newest)
                newest = step
                // The rest of the partition can still be written.
                guard count % 16 == 0 else { continue }
                let file = try partition.addFile()
                try partition.flush()
                #expect(try Self.open(copy.path).file(file.ident) != nil)
            }
            #expect(newest == models.count - 2)
        }

        @Test func aDamagedByteIsFound() throws {
            let folder = try TemporaryFolder()
            let models = try Self.fill(try Self.open(folder.path), commits: 3)
            let path = try Self.log(folder.path)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            var last = 0
            _ = try FrameFile.read(try DiskFile.open(path, readOnly: true), path: path) { _ in
            } frame: { _, offset in
                last = offset - FrameFile.frameHead
            }
            for offset in bytes.indices {
                let copy = try TemporaryFolder()
                var damaged = bytes
                damaged[offset] ^= 1 << UInt8(offset % 8)
                try Data(damaged).write(to: URL(fileURLWithPath: copy.path + "/" + Folder.lastName(of: path)))
                if offset >= last {
                    // It may be the remainder of a crash.
                    #expect(try Self.open(copy.path).model() == models[models.count - 2])
                    continue
                }
                do {
                    _ = try Self.open(copy.path)
                    Issue.record("the damage at \(offset) was not found")
                } catch let error as StoreError {
                    #expect(error.path.hasSuffix(Folder.lastName(of: path)) && error.offset <= offset)
                }
            }
        }

        @Test func aSnapshotThatIsCutOrDamagedIsAnError() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.open(folder.path)
            _ = try Self.fill(partition)
            try partition.compact()
            let path = folder.path + "/snapshot-0000000000000001"
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for offset in stride(from: 0, to: bytes.count, by: 3) {
                var damaged = bytes
                damaged[offset] ^= 0x10
                for content in [Array(bytes.prefix(offset)), damaged] {
                    try Data(content).write(to: URL(fileURLWithPath: path))
                    #expect(throws: StoreError.self) { try Self.open(folder.path) }
                }
            }
            try FileManager.default.removeItem(atPath: path)
            #expect(throws: StoreError.self) { try Self.open(folder.path) }
        }

        /// Any call to the disk fails. Acknowledged changes are stored, and no change that wasn't started.
        @Test func aFailedCallLosesNothing() throws {
            for number in 0..<30 {
                let folder = try TemporaryFolder()
                var options = StoredPartition.Options()
                options.calls = .failing(after: number)
                var durable: UInt64 = 0
                do {
                    let partition = try Self.open(folder.path, options)
                    let file = try partition.addFile().ident
                    try partition.flush()
                    for version in 1...UInt64(8) {
                        let changeset = version == 1 ? SimpleChanges.schema : SimpleChanges.create(Int64(version))
                        try partition.integrate([UploadedChange(changeset, version, from: file)], from: file)
                        if version == 5 { try partition.compact() } else { try partition.flush() }
                        durable = version
                    }
                } catch is SystemError {}
                let again = try Self.open(folder.path)
                #expect((durable...durable + 1).contains(again.newest.version))
            }
        }

        // MARK: Compaction

        @Test func aNewClientDownloadsTheStateAndNotTheHistory() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.open(folder.path)
            let writer = try partition.addFile().ident
            var changes = [SimpleChanges.schema, SimpleChanges.create(1)]
            changes += (0..<5000).map { _ in SimpleChanges.add(1, to: 1) }
            for (index, changeset) in changes.enumerated() {
                try partition.integrate([UploadedChange(changeset, UInt64(index + 1), from: writer)], from: writer)
            }
            try partition.flush()
            let reader = try partition.addFile().ident
            let batch = try partition.downloads(for: reader, after: 0, limit: 1 << 20)
            #expect(batch.entries.count < 5 && batch.cursor.serverVersion == 5002 && batch.remainingBytes == 0)
            var model = SyncModel()
            for entry in batch.entries {
                #expect(entry.origin == 1 && entry.clientVersion == 0)
                try model.apply(try Changeset(decoding: entry.changeset))
            }
            #expect(model == (try partition.model()))
            #expect(model.content(at: Place(SimpleChanges.object(1), "n")) == .value(.int(5000)))
        }

        @Test func theHistoryIsTrimmedUpToTheVersionsThatClientsNeed() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.open(folder.path)
            let (writer, reader) = (try partition.addFile().ident, try partition.addFile().ident)
            for version in 1...UInt64(100) {
                let changeset = version == 1 ? SimpleChanges.schema : SimpleChanges.create(Int64(version))
                try partition.integrate([UploadedChange(changeset, version, from: writer)], from: writer)
            }
            partition.advance(writer, to: UploadCursor(clientVersion: 100, serverVersion: 100))
            partition.advance(reader, to: UploadCursor(clientVersion: 3, serverVersion: 60))
            try partition.compact()
            #expect(partition.keptVersions == 40)
            let again = try Self.open(folder.path)
            #expect(again.keptVersions == 40 && again.newest == partition.newest)
            #expect(
                try again.downloads(for: reader, after: 60, limit: .max)
                    == partition.downloads(for: reader, after: 60, limit: .max))
            #expect(try again.downloads(for: reader, after: 60, limit: .max).entries.count == 40)
            try again.integrate([UploadedChange(SimpleChanges.create(500), 4, from: reader, basedOn: 60)], from: reader)
            #expect(again.newest.version == 101)
            #expect(throws: SessionError.self) {
                try again.integrate(
                    [UploadedChange(SimpleChanges.create(501), 5, from: reader, basedOn: 59)], from: reader)
            }
        }

        @Test func aClientThatIsAwayForTooLongIsForgotten() throws {
            let folder = try TemporaryFolder()
            let time = NIOLockedValueBox<UInt64>(1_000_000)
            var options = StoredPartition.Options()
            options.clientExpiry = 1000
            options.clock = { time.withLockedValue { $0 } }
            let partition = try Self.open(folder.path, options)
            let (away, here) = (try partition.addFile().ident, try partition.addFile().ident)
            try partition.integrate([UploadedChange(SimpleChanges.schema, 1, from: here)], from: here)
            partition.advance(here, to: UploadCursor(clientVersion: 1, serverVersion: 1))
            for _ in 0..<3 {
                time.withLockedValue { $0 += 400 }
                #expect(partition.file(here)?.isExpired == false)
            }
            #expect(partition.file(away)?.isExpired == true)
            try partition.compact()
            #expect(partition.keptVersions == 0)
            #expect(try Self.open(folder.path, options).file(away)?.isExpired == true)
            #expect(throws: SessionError.self) {
                try partition.integrate([UploadedChange(SimpleChanges.create(1), 1, from: away)], from: away)
            }
        }

        /// A client with own changes gets its first bootstrap in parts, and is disconnected in between.
        @Test func aBootstrapIsMergedLikeAnyChange() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.open(folder.path)
            let writer = try partition.addFile().ident
            var version: UInt64 = 0
            func write(_ changeset: Changeset) throws {
                version += 1
                try partition.integrate([UploadedChange(changeset, version, from: writer)], from: writer)
            }
            try write(SimpleChanges.schema)
            for key in 1...Int64(1000) { try write(SimpleChanges.create(key)) }
            let long = String(repeating: "w", count: 30_000)
            for index in 0..<20 { try write(SimpleChanges.insert(Text(long), at: index, of: index, in: 7)) }
            var client = ClientHistory(ident: 0)
            var model = SyncModel()
            for changeset in [
                SimpleChanges.schema, SimpleChanges.create(7), SimpleChanges.insert("mine", at: 0, of: 0, in: 7),
            ] {
                try model.apply(changeset)
                client.commit(changeset, timestamp: 500)
            }
            let reader = try partition.addFile().ident
            client.ident = reader
            var cursor = DownloadCursor()
            var batches = 0
            while cursor.serverVersion < partition.newest.version {
                let batch = try partition.downloads(for: reader, after: cursor.serverVersion, limit: 1 << 10)
                let changes = try batch.entries.map { try DownloadedChange($0) }
                #expect(batch.cursor.serverVersion > cursor.serverVersion)
                for changeset in try client.integrate(changes, through: batch.cursor.serverVersion) {
                    try model.apply(changeset)
                }
                cursor = batch.cursor
                batches += 1
                if batches == 1 { try write(SimpleChanges.insert("late", at: 20, of: 20, in: 7)) }
            }
            #expect(batches > 2)
            try partition.integrate(client.uploads, from: reader)
            try partition.flush()
            #expect(try partition.model() == model)
            #expect(try Self.open(folder.path).model() == model)
        }

        // MARK: Refusals

        @Test func inapplicableUploadsAreRejected() throws {
            let folder = try TemporaryFolder()
            let partition = try Self.open(folder.path)
            let models = try Self.fill(partition, commits: 1)
            let before = try partition.model()
            #expect(before == models.last)
            let object = SimpleChanges.object(1)
            let bad: [Instruction] = [
                .createObject(ObjectReference("Other", .int(1))), .createObject(ObjectReference("Note", .string("x"))),
                .addTable(TableDefinition("Note", .embedded)), .eraseTable("Other"),
                .change(Place(object, "n"), .update(.string("x"), isDefault: false)),
                .change(Place(object, "n"), .update(.null, isDefault: false)),
                .change(Place(object, "n"), .insert(.int(1), priorSize: 0)),
                .change(Place(object, "tags", .one(.index(0))), .insert(.string("x"), priorSize: 9)),
                .change(Place(object, "tags", .one(.index(0))), .updateElement(.int(1), priorSize: 1)),
                .change(Place(object, "tags"), .update(.string("x"), isDefault: false)),
                .change(Place(object, "none"), .addInteger(1)),
                .change(Place(SimpleChanges.object(99), "n"), .addInteger(1)),
                .change(Place(object, "n", .many(Array(repeating: .index(0), count: 100_000))), .addInteger(1)),
            ]
            for instruction in bad {
                let changeset = Changeset([
                    .createObject(SimpleChanges.object(50)), .change(Place(object, "n"), .addInteger(1)), instruction,
                ])
                #expect(throws: SessionError.self, "\(String(String(describing: instruction).prefix(80)))") {
                    try partition.integrate([UploadedChange(changeset, 9, from: 2)], from: 2)
                }
                #expect(try partition.model() == before)
            }
        }
    }
#endif
