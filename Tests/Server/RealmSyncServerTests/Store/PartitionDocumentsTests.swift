// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import RealmTools
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// The database of a partition's documents, which follows the log.
    @Suite struct PartitionDocumentsTests {
        private let folder: TemporaryFolder
        private var path: String { PartitionDocuments.path(in: folder.path) }

        init() throws { folder = try TemporaryFolder() }

        /// - Parameter maxWhole: 0 if objects are read from the documents.
        private func open(maxWhole: Int = 4096) throws -> StoredPartition {
            var options = StoredPartition.Options()
            options.maxWhole = maxWhole
            return try StoredPartition(folder: folder.path, partition: "string:p", options)
        }

        /// Updates the documents, as the engine does after each flush.
        @discardableResult
        private func update(_ partition: StoredPartition, _ documents: OpenDocuments) throws -> SaltedVersion? {
            let update = DocumentsUpdate(partition)
            update.run(documents)
            partition.finishDocuments(update.result)
            return try update.result.get()
        }

        private func update(_ partition: StoredPartition) throws {
            #expect(try update(partition, OpenDocuments(limit: 1)) == partition.newest)
        }

        /// Reads the file with the reader of imports.
        private func model() throws -> SyncModel {
            let objects = try FileObjects(path)
            var columns: [Text: [Text: ColumnDefinition]] = [:]
            for column in objects.columns { columns[column.column.table, default: [:]][column.column.name] = column }
            var writer = RowWriter(columns: columns, ChangesetParts())
            for table in objects.tables { writer.append(.addTable(table)) }
            for column in objects.columns { writer.append(.addColumn(column)) }
            try objects.forEach { object, _ in writer.append(.createObject(object)) }
            try objects.forEach { writer.add($1, of: $0) }
            var model = SyncModel()
            for changeset in writer.output.changesets { try model.apply(changeset) }
            return model
        }

        private func expectSame(_ partition: StoredPartition, _ comment: Comment? = nil) throws {
            #expect(try model() == partition.model(), comment)
        }

        private func fill(
            _ partition: StoredPartition, _ changesets: [Changeset], first: UInt64 = 1, basedOn server: UInt64 = 0
        ) throws {
            let file = partition.file(2) == nil ? try partition.addFile().ident : 2
            let changes = changesets.enumerated().map {
                UploadedChange($1, first + UInt64($0), from: file, basedOn: server)
            }
            try partition.integrate(changes, from: file)
            try partition.flush()
        }

        /// Removes the versions from the history.
        private func trim(_ partition: StoredPartition) throws {
            let newest = partition.newest.version
            partition.advance(2, to: UploadCursor(clientVersion: newest, serverVersion: newest))
            try partition.compact()
            #expect(partition.keptVersions == 0)
        }

        private static let small = [SimpleChanges.schema, SimpleChanges.create(1), SimpleChanges.create(2)]

        private func fileVersion() throws -> UInt64 { try Database.open(path, readOnly: true).version }

        private func commit(_ body: (WriteTransaction) throws -> Void) throws { try Database.open(path).write(body) }

        // MARK: Following

        @Test(arguments: 1...4, [0, 4096])
        func theDocumentsEqualThePartition(seed: UInt64, maxWhole: Int) throws {
            var generator = SeededGenerator(seed: seed)
            var partition = try open(maxWhole: maxWhole)
            var documents = OpenDocuments(limit: 1)
            try fill(partition, [SimulatedEditor.start])
            var model = SyncModel()
            var base: UInt64 = 0
            try model.apply(SimulatedEditor.start)
            for mark in 1..<UInt64(120) {
                var editor = SimulatedEditor(model)
                try editor.edit(mark: mark, &generator)
                model = editor.model
                try fill(partition, [editor.changeset], first: mark + 1, basedOn: base)
                #expect(try partition.model() == model, "seed \(seed), \(mark)")
                switch generator.below(6) {
                case 0...2:
                    #expect(try update(partition, documents) == partition.newest)
                    try expectSame(partition, "seed \(seed), \(mark)")
                case 3:
                    try trim(partition)
                    base = partition.newest.version
                case 4:
                    partition = try open(maxWhole: maxWhole)
                    documents = OpenDocuments(limit: 1)
                default: break
                }
            }
            try update(partition)
            #expect(try self.model() == model)
            try FileAudit.requireCleanTwice(path: path)
        }

        @Test func onlyDurableVersionsAreWritten() throws {
            let partition = try open()
            #expect(!partition.areDocumentsBehind)
            try fill(partition, Self.small)
            #expect(partition.areDocumentsBehind)
            try partition.integrate([UploadedChange(SimpleChanges.create(3), 4, from: 2)], from: 2)
            #expect(!partition.areDocumentsBehind)
            try partition.flush()
            #expect(partition.areDocumentsBehind)
            try update(partition)
            #expect(!partition.areDocumentsBehind)
            try expectSame(partition)
        }

        @Test func documentsThatAreUpToDateAreNotWrittenAgain() throws {
            try fill(try open(), Self.small)
            try update(try open())
            let version = try fileVersion()
            try update(try open())
            #expect(try fileVersion() == version)
            let partition = try open()
            try fill(partition, [SimpleChanges.create(3)], first: 4)
            try update(partition)
            #expect(try fileVersion() == version + 1)
        }

        @Test func anOlderFolderGetsDocumentsWhenItIsOpened() throws {
            let partition = try open()
            try fill(partition, Self.small + [SimpleChanges.insert("a", at: 0, of: 0, in: 1)])
            try trim(partition)
            try fill(partition, [SimpleChanges.create(5)], first: 5, basedOn: 4)
            #expect(partition.keptVersions == 1)
            #expect(!Folder.holds(path))
            let again = try open()
            #expect(again.areDocumentsBehind)
            try update(again)
            try expectSame(again)
        }

        /// A large partition is filled in several commits, and the server is stopped between any two of them.
        @Test func aStoppedUpdateIsContinuedOrBegunAgain() throws {
            let partition = try open()
            try fill(partition, Self.small)
            let long = Text(String(repeating: "x", count: 20_000))
            try fill(partition, (0..<20).map { SimpleChanges.insert(long, at: $0, of: $0, in: 1) }, first: 4)
            try partition.compact()
            let texts = (20..<30).map { SimpleChanges.insert(long, at: $0, of: $0, in: 1) }
            try fill(partition, texts, first: 24)
            let changes = try open().beginDocuments()
            #expect(changes.bootstrap.map { $0.entries.count > 1 } == true)
            for limit in 1...16 {
                _ = try DatabaseFiles.remove(at: path)
                var count = 0
                let stopped = try PartitionDocuments(folder: folder.path, batchSize: 30_000).follow(changes) {
                    count += 1
                    return count <= limit
                }
                if limit < 4 { #expect(stopped == nil) }
                try update(try open())
                try expectSame(partition, "stopped after \(limit)")
            }
        }

        // MARK: Files that don't belong to the log

        @Test func aFileThatAnotherProgramHasChangedIsFilledAgain() throws {
            let partition = try open()
            try fill(partition, Self.small)
            let documents = OpenDocuments(limit: 1)
            #expect(try update(partition, documents) == partition.newest)
            try commit { try ChangesetApplier($0).apply(SimpleChanges.create(99)) }
            try fill(partition, [SimpleChanges.create(3)], first: 4)
            try partition.compact()
            // The first attempt finds that the earlier versions are needed.
            while partition.areDocumentsBehind { _ = try? update(partition, documents) }
            try expectSame(partition)
            try commit { transaction in
                let key = try transaction.schema.addTable("class_Other", kind: .embedded)
                let note = try #require(try transaction.table(named: "class_Note")).key
                try transaction.schema.addColumn("other", .link, .nullable, target: key, to: note)
                try transaction.schema.addColumn("self", .link, .list, target: note, to: note)
                try transaction.schema.addColumn("any", .mixed, .nullable, to: note)
                let object = try #require(try transaction.table(note)?.object(primaryKey: .int(1)))
                let column = try #require(try transaction.table(note)?.column(named: "other")).key
                _ = try transaction.links.createEmbedded(column, of: object, in: note)
            }
            try update(try open())
            try expectSame(partition)
            try FileAudit.requireClean(path: path)
        }

        /// The state has no other source of its objects. The client tries again until the file is filled.
        @Test func aStateWhoseFileAnotherProgramHasChangedIsUnavailable() throws {
            let partition = try open(maxWhole: 0)
            try fill(partition, Self.small)
            try update(partition)
            try commit { try ChangesetApplier($0).apply(SimpleChanges.create(99)) }
            let error = #expect(throws: SessionError.self) {
                try fill(partition, [SimpleChanges.set(5, of: 1)], first: 4, basedOn: 3)
            }
            #expect(error?.code == .other)
            let documents = OpenDocuments(limit: 1)
            while partition.areDocumentsBehind { _ = try? update(partition, documents) }
            try fill(partition, [SimpleChanges.set(5, of: 1)], first: 4, basedOn: 3)
            try update(partition, documents)
            try expectSame(partition)
        }

        @Test func theBootstrapOfALargePartitionIsInAFile() throws {
            let long = Text(String(repeating: "x", count: 100_000))
            var partition = try open(maxWhole: 0)
            try fill(
                partition,
                Self.small + (0..<20).map { SimpleChanges.insert(long, at: $0, of: $0, in: 1) })
            try update(partition)
            try trim(partition)
            for first in [UInt64(24), 25] {
                partition = try open(maxWhole: 0)
                let entries = try #require(partition.history.bootstraps.last).entries
                #expect(entries.contains { if case .spooled = $0.kept { true } else { false } })
                var (model, cursor) = (SyncModel(), UInt64(0))
                let file = try partition.addFile().ident
                repeat {
                    let batch = try partition.downloads(for: file, after: cursor, limit: 300_000)
                    for entry in batch.entries { try model.apply(try Changeset(decoding: entry.changeset)) }
                    cursor = batch.cursor.serverVersion
                } while cursor < partition.newest.version
                #expect(try model == partition.model())
                let insertion = SimpleChanges.insert("y", at: 0, of: Int(first) - 4, in: 1)
                try fill(partition, [insertion], first: first, basedOn: partition.newest.version)
                try partition.compact()
            }
        }

        @Test func aDamagedFileIsReplaced() throws {
            let partition = try open()
            try fill(partition, Self.small)
            try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: path))
            try update(partition)
            try expectSame(partition)
        }

        /// The numbers of the versions are equal, but not their salts.
        @Test func aRestoredFolderReplacesTheDocuments() throws {
            let partition = try open()
            try fill(partition, Self.small)
            let backup = try TemporaryFolder()
            for name in try Folder.names(in: folder.path, prefix: "log-") {
                try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: backup.path + "/" + name)
            }
            try fill(partition, [SimpleChanges.create(3)], first: 4)
            try update(partition)
            for name in try Folder.names(in: backup.path, prefix: "log-") {
                try Folder.removeFile(folder.path + "/" + name)
                try FileManager.default.copyItem(atPath: backup.path + "/" + name, toPath: folder.path + "/" + name)
            }
            let restored = try open()
            try fill(restored, [SimpleChanges.create(4)], first: 4)
            #expect(restored.newest.version == partition.newest.version)
            try update(restored)
            try expectSame(restored)
        }

        @Test func aDamagedFileOfAFlexibleAppIsReplaced() throws {
            try PartitionLog.write([SimpleChanges.schema] + Self.small, in: folder.path)
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
            let partition = try StoredPartition(folder: folder.path, partition: "string:p", isFlexible: true)
            #expect(try partition.openDocuments().snapshot().table(named: "class_Note")?.count() == 2)
        }

        /// The documents have the position of the newest version, which has a new salt after a repair. They may be
        /// damaged, too.
        @Test(arguments: [false, true]) func aRepairedPartitionReplacesTheDocuments(_ areDamaged: Bool) throws {
            let poisoned = Changeset(SimpleChanges.create(1).instructions + [.eraseTable("None")])
            try PartitionLog.write([SimpleChanges.schema, poisoned], in: folder.path)
            try commit { transaction in
                for changeset in Self.small { try ChangesetApplier(transaction).apply(changeset) }
                try DocumentWriter(transaction).setPosition(SaltedVersion(version: 2, salt: 5))
            }
            if areDamaged { try Data("damaged".utf8).write(to: URL(fileURLWithPath: path)) }
            #expect(try StoredPartition.repair(folder: folder.path, partition: "string:p").count == 1)
            let partition = try open()
            try update(partition)
            try expectSame(partition)
        }

        @Test func documentsThatCannotBeWrittenDoNotStopThePartition() throws {
            let partition = try open()
            try fill(partition, Self.small)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: (any Error).self) { try update(partition, OpenDocuments(limit: 1)) }
            #expect(!partition.areDocumentsBehind)
            try fill(partition, [SimpleChanges.create(3)], first: 4)
            #expect(partition.areDocumentsBehind)
            try FileManager.default.removeItem(atPath: path)
            try update(partition)
            try expectSame(partition)
        }

        // MARK: Many partitions

        @Test func fewFilesAreOpenAtOnce() throws {
            let documents = OpenDocuments(limit: 3)
            let partitions = try (0..<12).map {
                try StoredPartition(folder: folder.path + "/p\($0)", partition: "string:\($0)")
            }
            for round in 0..<UInt64(3) {
                for partition in partitions {
                    try fill(
                        partition, round == 0 ? Self.small : [SimpleChanges.create(Int64(round) + 10)],
                        first: round == 0 ? 1 : 3 + round)
                    #expect(try update(partition, documents) == partition.newest)
                    #expect(documents.count <= 3)
                }
            }
            documents.closeAll()
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                return target.map { $0.hasPrefix(folder.path) && $0.contains("documents") } == true
            }
            #expect(open.isEmpty)
            for partition in partitions {
                let database = try Database.open(PartitionDocuments.path(in: partition.folder), readOnly: true)
                #expect(try database.snapshot().table(named: "class_Note")?.count() == 4)
                withExtendedLifetime(database) {}
            }
        }

        @Test func aStoppedServerWritesNothing() throws {
            let partition = try open()
            try fill(partition, Self.small)
            let documents = OpenDocuments(limit: 1)
            documents.stop()
            #expect(try update(partition, documents) == nil)
            #expect(!Folder.holds(path))
        }
    }
#endif
