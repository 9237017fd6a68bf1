// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport

final class ClientDatabase {
    let folder: TemporaryFolder
    let path: String
    private let isStrict: Bool
    private var opened: Database?

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/test.realm"
        isStrict = true
        try open()
    }

    init(copyOf bytes: [UInt8]) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/test.realm"
        isStrict = false
        try TestFile.write(bytes, path)
        try open()
    }

    private func open() throws {
        var options = OpenOptions()
        options.synchronisedHistory = ClientFileHistory(now: { 1000 })
        opened = try Database.open(path, options: options)
    }

    var database: Database {
        guard let opened else { preconditionFailure("the client file is closed") }
        return opened
    }

    func history() throws -> StoredHistory {
        guard let history = try StoredHistory(try database.snapshot()) else { throw Failure("no history") }
        return history
    }

    func recorded(after version: UInt64) throws -> [Changeset] {
        try history().uploads(after: version, limit: .max).entries.map { try Changeset(decoding: $0.changeset) }
    }

    func state() throws -> SyncModel { try StoredState.model(of: try database.snapshot()) }

    func reopen() throws {
        try close()
        try open()
    }

    func close() throws {
        opened = nil
        try FileAudit.requireClean(bytes: TestFile.read(path), strict: isStrict)
    }
}
