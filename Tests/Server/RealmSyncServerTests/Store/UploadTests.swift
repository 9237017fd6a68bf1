// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Uploads of several changes.
    @Suite struct UploadTests {
        private struct Client {
            var history: ClientHistory
            var model = SyncModel()
            var cursor = DownloadCursor()
            var uploaded: UInt64 = 0

            mutating func commit(_ changeset: Changeset, timestamp: UInt64) {
                history.commit(changeset, timestamp: timestamp)
            }

            mutating func download(from partition: StoredPartition, limit: Int) throws {
                let batch = try partition.downloads(for: history.ident, after: cursor.serverVersion, limit: limit)
                let changes = try batch.entries.map { try DownloadedChange($0) }
                for changeset in try history.integrate(changes, through: batch.cursor.serverVersion) {
                    try model.apply(changeset)
                }
                cursor = batch.cursor
            }

            mutating func takeUploads() -> [UploadedChange] {
                defer { uploaded = history.newestVersion }
                return history.uploads(after: uploaded)
            }
        }

        /// Two partitions in separate folders. One integrates each upload as a whole, the other its changes one by one,
        /// and has only the latest versions in memory.
        private struct Pair {
            let folders: (TemporaryFolder, TemporaryFolder)
            var whole: StoredPartition
            var single: StoredPartition

            init() throws {
                folders = (try TemporaryFolder(), try TemporaryFolder())
                whole = try StoredPartition(folder: folders.0.path, partition: "string:p")
                single = try Pair.openSingle(folders.1)
            }

            private static func openSingle(_ folder: TemporaryFolder) throws -> StoredPartition {
                var options = StoredPartition.Options()
                options.versionMemory = 500
                return try StoredPartition(folder: folder.path, partition: "string:p", options)
            }

            func integrate(_ changes: [UploadedChange], from ident: UInt64) throws {
                try whole.integrate(changes, from: ident)
                for change in changes { try single.integrate([change], from: ident) }
            }

            mutating func reopen() throws {
                try whole.flush()
                try single.flush()
                whole = try StoredPartition(folder: folders.0.path, partition: "string:p")
                single = try Pair.openSingle(folders.1)
            }
        }

        /// Merges an upload with versions before the newest MiB, which alone is decoded in memory.
        @Test func anUploadIsMergedWithVersionsThatAreOnlyInMemoryAsBytes() throws {
            let pair = try Pair()
            let (writer, late) = (try pair.whole.addFile().ident, try pair.whole.addFile().ident)
            _ = (try pair.single.addFile(), try pair.single.addFile())
            let long = Text(String(repeating: "x", count: 50_000))
            let place = Place(SimpleChanges.object(1), "tags", .one(.index(0)))
            let insertion = Changeset([.change(place, .insert(.string(long), priorSize: 0))])
            let erasure = Changeset([.change(place, .erase(priorSize: 1))])
            let all = [SimpleChanges.schema, SimpleChanges.create(1)] + (0..<40).flatMap { _ in [insertion, erasure] }
            let changes = all.enumerated().map { UploadedChange($1, UInt64($0 + 1), from: writer) }
            try pair.integrate(changes + [UploadedChange(insertion, UInt64(all.count + 1), from: writer)], from: writer)
            let upload = UploadedChange(insertion, 1, from: late, basedOn: 2)
            try pair.integrate([upload], from: late)
            let model = try pair.whole.model()
            #expect(model == (try pair.single.model()))
            #expect(pair.whole.keptVersions == all.count + 2)
            let batch = try pair.whole.downloads(for: late, after: 0, limit: .max)
            #expect(batch.entries.count == all.count + 1)
        }

        /// Later uploads are merged with the forms that resulted from a merge, also after the log was read again.
        @Test(arguments: 1...8) func mergingAnUploadEqualsMergingItsChangesOneByOne(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            var pair = try Pair()
            var clients: [Client] = []
            for index in 0..<3 {
                let ident = try pair.whole.addFile().ident
                #expect(try pair.single.addFile().ident == ident)
                var client = Client(history: ClientHistory(ident: ident))
                try client.model.apply(SimulatedEditor.start)
                client.commit(SimulatedEditor.start, timestamp: UInt64(index))
                clients.append(client)
            }
            var mark: UInt64 = 0
            for _ in 0..<150 {
                let index = generator.below(3)
                switch generator.below(8) {
                case 0...3:
                    mark += 1
                    var editor = SimulatedEditor(clients[index].model)
                    try editor.edit(mark: mark, &generator)
                    clients[index].model = editor.model
                    clients[index].commit(editor.changeset, timestamp: 10 + mark / 2)
                case 4, 5: try clients[index].download(from: pair.whole, limit: generator.below(1000))
                case 6: try pair.integrate(clients[index].takeUploads(), from: clients[index].history.ident)
                default: if generator.chance(30) { try pair.reopen() }
                }
            }
            for index in clients.indices {
                try pair.integrate(clients[index].takeUploads(), from: clients[index].history.ident)
            }
            try pair.reopen()
            for index in clients.indices {
                let ident = clients[index].history.ident
                #expect(
                    try pair.whole.downloads(for: ident, after: 0, limit: .max)
                        == pair.single.downloads(for: ident, after: 0, limit: .max))
                try clients[index].download(from: pair.whole, limit: .max)
                #expect(clients[index].model == (try pair.whole.model()))
            }
            #expect(try pair.whole.model() == (try pair.single.model()))
        }

        @Test func changesAfterAnInapplicableChangeAreRejected() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path, partition: "string:p")
            let (writer, other) = (try partition.addFile().ident, try partition.addFile().ident)
            let before = [
                SimpleChanges.schema, SimpleChanges.create(1), SimpleChanges.insert("a", at: 0, of: 0, in: 1),
            ]
            try partition.integrate(
                before.enumerated().map { UploadedChange($1, UInt64($0 + 1), from: writer) }, from: writer)
            let changes = [
                SimpleChanges.schema, SimpleChanges.create(1), SimpleChanges.insert("b", at: 0, of: 0, in: 1),
                SimpleChanges.add(1, to: 9), SimpleChanges.create(2),
            ]
            #expect(throws: SessionError.self) {
                try partition.integrate(
                    changes.enumerated().map { UploadedChange($1, UInt64($0 + 1), from: other) }, from: other)
            }
            try partition.flush()
            let again = try StoredPartition(folder: folder.path, partition: "string:p")
            #expect(again.newest.version == 6 && again.file(other)?.upload.clientVersion == 3)
            #expect(try again.model() == (try partition.model()))
            try again.integrate(
                [UploadedChange(SimpleChanges.insert("c", at: 1, of: 1, in: 1), 4, from: other)], from: other)
            let tags = try again.model().content(at: Place(SimpleChanges.object(1), "tags"))
            #expect(tags == .list(["a", "b", "c"].map { .value(.string($0)) }))
        }
    }
#endif
