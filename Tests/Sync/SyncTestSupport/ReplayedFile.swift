// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

package protocol ReplayedFile: ClientStore {
    /// Whether the file has no content, and so exactly the recorded versions.
    static var isExact: Bool { get }

    static func makeNew() throws -> Self
    static func resumed(_ ident: ClientMessage.Ident?, _ known: Self?) throws -> Self

    func commit(_ entry: ClientMessage.Upload.Entry) throws
    /// Commits the set of subscriptions that has this query, unless the file has it.
    func subscribe(_ query: VersionedQuery) throws
    /// Commits empty versions up to `version`.
    func advance(to version: UInt64) throws
    /// Resets the file to the server's state, using a copy of that (§7), and returns the file to continue with.
    func reset(to copy: Self, discarding: Bool) throws -> Self
    /// Starts over with another version of the schema (§5.9), and returns the file to continue with.
    func startOver() throws -> Self
}

extension ReplayedFile {
    package func subscribe(_ query: VersionedQuery) throws { throw Failure("the file has no subscriptions") }

    package func startOver() throws -> Self { try Self.makeNew() }
}

extension ReplayedFile where Self: SimulatedFile {
    package static var isExact: Bool { false }

    package static func resumed(_ ident: ClientMessage.Ident?, _ known: Self?) throws -> Self {
        let file = try known ?? makeNew()
        guard let ident else {
            if known == nil { try file.assign(SaltedIdent(ident: 1, salt: 1)) }
            return file
        }
        try requireEqual(file.state.file, ident.file, "the ident")
        try requireEqual(file.state.progress.download, ident.download, "the download cursor")
        return file
    }

    package func commit(_ entry: ClientMessage.Upload.Entry) throws {
        try advance(to: entry.clientVersion - 1)
        try commit(try Changeset(decoding: entry.changeset), timestamp: entry.timestamp)
        sync()
        try requireEqual(state.newestVersion, entry.clientVersion, "the version of a change")
    }

    package func advance(to version: UInt64) throws {
        while state.newestVersion < version {
            let before = state.newestVersion
            try commit(Changeset(), timestamp: 0)
            sync()
            try requireEqual(state.newestVersion, before + 1, "the version of a commit without changes")
        }
    }

    package func reset(to copy: Self, discarding: Bool) throws -> Self {
        try reset(to: copy, discarding: discarding) { _, _ in }
        return self
    }
}

extension SimulatedClientFile: ReplayedFile {
    package static func makeNew() -> SimulatedClientFile { SimulatedClientFile() }
}

extension ScriptedClientFile: ReplayedFile {
    package static var isExact: Bool { true }

    package static func makeNew() -> ScriptedClientFile {
        ScriptedClientFile(ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1))
    }

    package static func resumed(_ ident: ClientMessage.Ident?, _ known: ScriptedClientFile?) -> ScriptedClientFile {
        let file = makeNew()
        file.state.file = ident?.file ?? SaltedIdent(ident: 1, salt: 1)
        guard let ident else { return file }
        if let query = ident.query { file.activeQuery = query }
        file.pendingQueries = known?.pendingQueries.filter { $0.query.version > file.activeQuery.version } ?? []
        let hasAll = known?.state.progress.download == ident.download
        file.state.progress = ClientProgress(
            download: ident.download, latest: ident.latest,
            upload: hasAll ? known?.state.progress.upload ?? UploadCursor() : UploadCursor())
        file.state.newestVersion = known?.state.newestVersion ?? 1
        file.changes = known?.changes ?? []
        return file
    }

    package func commit(_ entry: ClientMessage.Upload.Entry) {
        changes.append(entry)
        advance(to: entry.clientVersion)
    }

    package func advance(to version: UInt64) { state.newestVersion = max(state.newestVersion, version) }

    package func reset(to copy: ScriptedClientFile, discarding: Bool) -> ScriptedClientFile { copy }
}
