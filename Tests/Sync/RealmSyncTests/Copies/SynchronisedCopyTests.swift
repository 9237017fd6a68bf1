// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmSystem
import RealmTestSupport
import SyncTestSupport
import Testing

@Suite struct SynchronisedCopyTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/copy.realm"
    }

    private var client: OpenOptions {
        var options = OpenOptions()
        options.synchronisedHistory = ClientFileHistory(now: { 1000 })
        return options
    }

    @Test func aLocalFileIsNotOpenedAsASynchronisedOne() throws {
        try Database.open(path).write { _ = try $0.schema.addTable("class_A") }
        #expect {
            _ = try Database.open(path, options: client)
        } throws: {
            ($0 as? StorageError)?.code == .incompatibleHistory && "\($0)".contains("writeCopy(configuration:)")
        }
        #expect(try Database.open(path).snapshot().table(named: "class_A") != nil)
    }

    @Test func aSynchronisedFileIsCopiedAsALocalOne() throws {
        let files = try ResetFiles(ResetState.base, own: [Changeset([ResetState.set("n", .int(3))])])
        let snapshot = try files.local.database.snapshot()
        try NewFile.write(path) { try snapshot.writeCopy(to: $0, SynchronisedCopy.local) }
        try FileAudit.requireClean(path: path)
        let copy = try Database.open(path)
        #expect(try StoredState.model(of: copy.snapshot()) == files.local.state())
        #expect(try StoredHistory(try copy.snapshot()) == nil)
        try copy.write { _ = try $0.schema.addTable("class_Other") }
        try FileAudit.requireClean(path: path)
    }

    @Test func aLocalFileIsCopiedAsASynchronisedOne() throws {
        var generator = SeededGenerator(for: "aLocalFileIsCopiedAsASynchronisedOne")
        let source = try Database.open(folder.path + "/local.realm")
        try source.write { transaction in
            try RandomWriter.makeSchema(transaction)
            var random = RandomWriter(transaction: transaction, generator: generator)
            try random.write(300)
            generator = random.generator
        }
        let snapshot = try source.snapshot()
        try NewFile.write(path) {
            try SynchronisedCopy.write(
                snapshot, to: $0, in: folder.path, history: ClientFileHistory(now: { 1000 }))
        }
        try FileAudit.requireClean(path: path)
        let copy = try Database.open(path, options: client)
        let store = FileClientStore(copy)
        #expect(store.state.file == nil)
        let uploads = store.uploads(after: 0, limit: .max).entries
        try #require(uploads.count == 1)
        var model = SyncModel()
        try model.apply(try Changeset(decoding: uploads[0].changeset))
        #expect(try model == StoredState.model(of: snapshot))
        #expect(try model == StoredState.model(of: copy.snapshot()))
        try store.assign(SaltedIdent(ident: 7, salt: 70))
        #expect(store.uploads(after: 0, limit: .max).entries == uploads)
    }

    @Test func aCopyIsUploadedInWritesOfALimitedSize() throws {
        var generator = SeededGenerator(for: "aCopyIsUploadedInWritesOfALimitedSize")
        let source = try Database.open(folder.path + "/local.realm")
        try source.write { transaction in
            try RandomWriter.makeSchema(transaction)
            var random = RandomWriter(transaction: transaction, generator: generator)
            try random.write(400)
            generator = random.generator
        }
        let snapshot = try source.snapshot()
        let classes = try snapshot.tableKeys().compactMap { try snapshot.table($0) }.filter { $0.className != nil }
        let occupied = try classes.count { try !$0.isEmbedded && $0.count() > 0 }
        var previous = Int.max
        for partSize in [1, 100, 1000] {
            let path = folder.path + "/copy \(partSize).realm"
            try NewFile.write(path) {
                try SynchronisedCopy.write(
                    snapshot, to: $0, in: folder.path, history: ClientFileHistory(now: { 1000 }), partSize: partSize)
            }
            try FileAudit.requireClean(path: path)
            let copy = try Database.open(path, options: client)
            let uploads = FileClientStore(copy).uploads(after: 0, limit: .max).entries
            // A part of one byte holds the schema, or the objects of one class. The size of others depends on the seed.
            #expect(uploads.count > (partSize == 1 ? occupied : 0))
            #expect(uploads.count <= previous)
            previous = uploads.count
            var model = SyncModel()
            for upload in uploads { try model.apply(try Changeset(decoding: upload.changeset)) }
            #expect(try model == StoredState.model(of: snapshot))
            #expect(try model == StoredState.model(of: copy.snapshot()))
        }
    }

    @Test func aClientFileIsCopiedAsAnotherClientOnceAllIsUploaded() throws {
        let files = try ResetFiles(ResetState.base, own: [Changeset([ResetState.set("n", .int(3))])])
        let pending = try files.local.database.snapshot()
        #expect {
            try NewFile.write(path) { try SynchronisedCopy.writeAnotherClient(pending, to: $0, in: folder.path) }
        } throws: { "\($0)".contains("All client changes must be integrated in server before writing copy") }
        let snapshot = try files.fresh.database.snapshot()
        try NewFile.write(path) { try SynchronisedCopy.writeAnotherClient(snapshot, to: $0, in: folder.path) }
        try FileAudit.requireClean(path: path)
        let copy = try Database.open(path, options: client)
        let store = FileClientStore(copy)
        #expect(try StoredState.model(of: copy.snapshot()) == files.fresh.state())
        #expect(store.state.file == nil)
        try store.assign(SaltedIdent(ident: 7, salt: 70))
        let progress = store.state.progress
        let original = FileClientStore(files.fresh.database).state.progress
        #expect(store.state.file == SaltedIdent(ident: 7, salt: 70) && original.download.serverVersion > 0)
        #expect(progress.download == DownloadCursor(serverVersion: original.download.serverVersion))
        #expect(progress.latest == original.latest && progress.upload == UploadCursor())
        #expect(store.uploads(after: 0, limit: .max).entries.isEmpty)
    }

    @Test func aClassWithoutPrimaryKeyIsNotSynchronised() throws {
        let source = try Database.open(folder.path + "/local.realm")
        try source.write { _ = try $0.schema.addTable("class_A") }
        let snapshot = try source.snapshot()
        #expect {
            try NewFile.write(path) { try SynchronisedCopy.write(snapshot, to: $0, in: folder.path) }
        } throws: {
            ($0 as? StorageError)?.code == .invalidArgument && "\($0)".contains("primary key")
        }
        #expect(!Folder.holds(path))
    }
}
