// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The states of recorded client files, as the messages of the recorded server and those of ours lead to them.
struct ReplayedViews {
    private struct View {
        var model = SyncModel()
        /// The changes of a bootstrap of which the last message hasn't arrived.
        var half: [Changeset] = []

        mutating func take(_ download: ServerMessage.Download) throws {
            let changes = try download.entries.filter { !$0.changeset.isEmpty }.map {
                try Changeset(decoding: $0.changeset)
            }
            if case .flexible(_, .moreToCome, _) = download.stage { return half += changes }
            for change in half + changes { try model.apply(change) }
            half = []
        }
    }

    private struct File {
        var recorded = View()
        var ours = View()
        /// The newest version of the file that was uploaded.
        var clientVersion: UInt64 = 0
    }

    /// The files by recorded ident.
    private var current: [UInt64: File] = [:]
    /// The states when a file had received a version of the recorded server.
    private var saved: [UInt64: [UInt64: File]] = [:]
    private var sessions: [[UInt64]: UInt64] = [:]

    var files: [UInt64] { current.keys.sorted() }

    /// Returns the recorded ident of a session's file.
    func file(_ session: [UInt64]) -> UInt64? { sessions[session] }

    /// Continues with the state that the client states. It has lost a bootstrap that it didn't receive completely.
    mutating func begin(_ ident: ClientMessage.Ident, _ session: [UInt64]) {
        sessions[session] = ident.file.ident
        current[ident.file.ident] = saved[ident.file.ident]?[ident.download.serverVersion] ?? File()
    }

    mutating func save(_ version: UInt64, of file: UInt64) { saved[file, default: [:]][version] = current[file] }

    /// Applies the changes of a client, once.
    mutating func take(_ upload: ClientMessage.Upload, _ session: [UInt64]) throws {
        guard let ident = sessions[session], var file = current[ident] else { return }
        for entry in upload.entries where entry.clientVersion > file.clientVersion {
            let changeset = try Changeset(decoding: entry.changeset)
            try file.recorded.model.apply(changeset)
            try file.ours.model.apply(changeset)
            file.clientVersion = entry.clientVersion
        }
        current[ident] = file
    }

    mutating func take(_ download: ServerMessage.Download, _ session: [UInt64], isRecorded: Bool) throws {
        guard let ident = sessions[session] else { return }
        if isRecorded {
            try current[ident]?.recorded.take(download)
        } else {
            try current[ident]?.ours.take(download)
        }
    }

    func objectCount(of ident: UInt64) -> Int {
        current[ident]?.recorded.model.tables.values.reduce(0) { $0 + $1.objects.count } ?? 0
    }

    func differences(of ident: UInt64) -> [String] {
        guard let file = current[ident], file.ours.model != file.recorded.model else { return [] }
        let (ours, recorded) = (file.ours.model.tables, file.recorded.model.tables)
        var found: [String] = []
        for name in Set(ours.keys).union(recorded.keys).sorted() {
            let (table, other) = (ours[name], recorded[name])
            if table?.definition != other?.definition || table?.columns != other?.columns {
                found.append("file \(ident): the class \(name) differs")
            }
            for key in Set((table?.objects ?? [:]).keys).union((other?.objects ?? [:]).keys).sorted() {
                let (row, expected) = (table?.objects[key], other?.objects[key])
                if row != expected {
                    found.append(
                        "file \(ident): \(name) \(key) is \(row.map { "\($0)" } ?? "absent"), "
                            + "not \(expected.map { "\($0)" } ?? "absent")")
                }
            }
        }
        return found
    }
}
