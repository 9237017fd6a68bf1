// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmValues

struct HistoryListing {
    /// Retains the memory from which the history is read.
    private let file: OpenFile
    private let history: StoredHistory
    private let output: TextOutput
    private let showsForms: Bool
    private let budget: ReadBudget

    /// - Parameter showsForms: Whether to print the merged forms of own changes too.
    init(_ file: OpenFile, to output: TextOutput, showingForms showsForms: Bool) throws {
        guard let history = try StoredHistory(file.snapshot) else {
            throw StorageError(
                .invalidArgument,
                "the file has no history of a synchronised Realm, or one of an older client that is not read",
                path: file.path)
        }
        self.file = file
        self.history = history
        self.output = output
        self.showsForms = showsForms
        budget = ReadBudget(byteCount: file.byteCount)
    }

    var count: Int { history.count }

    func write(_ progress: Progress) throws {
        try forEach(progress) { version in
            let origin = version.origin == 0 ? "here" : "file \(version.origin)"
            try output.writeLine(
                "version \(version.number)  \(version.time)  \(origin), server version \(version.serverVersion)"
                    + (version.isPending ? ", to upload" : ""))
            for line in version.instructions { try output.writeLine("  " + line.printable) }
            guard let form = version.form else { return }
            try output.writeLine("  after merges:")
            for line in form { try output.writeLine("    " + line.printable) }
        }
    }

    func writeJSON(_ progress: Progress) throws {
        var isFirst = true
        try output.write("[")
        try forEach(progress) { version in
            try output.write(isFirst ? "\n" : ",\n")
            isFirst = false
            try output.write(version.json.bytes)
        }
        try output.write(isFirst ? "]\n" : "\n]\n")
    }

    private func forEach(_ progress: Progress, _ body: (Version) throws -> Void) throws {
        defer { withExtendedLifetime(file) {} }
        let uploaded = history.progress.upload.clientVersion
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            try budget.spend()
            let form = showsForms && entry.hasReciprocal ? try instructions { try entry.reciprocal() ?? [] } : nil
            try body(
                Version(
                    number: entry.version, time: time(entry), origin: entry.originIdent,
                    serverVersion: entry.remoteVersion, isPending: entry.isUpload && entry.version > uploaded,
                    instructions: try instructions(isOthers: entry.originIdent != 0) { try entry.changeset() },
                    form: form))
            progress.advance()
            return true
        }
    }

    private func time(_ entry: StoredHistory.Entry) -> String {
        let milliseconds = Int64(clamping: entry.timestamp)
        return Timestamp(
            seconds: milliseconds / 1000 + SyncClock.epoch, nanoseconds: Int32(milliseconds % 1000) * 1_000_000
        ).text
    }

    /// A changeset that can't be decoded is replaced by its error; the rest of the history is still printed.
    private func instructions(isOthers: Bool = false, _ bytes: () throws -> [UInt8]) throws -> [String] {
        do {
            let bytes = try bytes()
            try budget.spend(byteCount: bytes.count)
            let changeset = try isOthers ? Changeset(decodingSeries: bytes) : Changeset(decoding: bytes)
            return changeset.instructions.map { "\($0)" }
        } catch let error as ChangesetError {
            return ["\(error)"]
        } catch let error as StorageError where error.code != .invalidDatabase || !budget.isSpent {
            return [error.message]
        }
    }
}

private struct Version {
    let number: UInt64
    let time: String
    /// The ident of the file that committed it; 0 for this file.
    let origin: UInt64
    let serverVersion: UInt64
    let isPending: Bool
    let instructions: [String]
    /// The instructions after merges; nil if the version wasn't merged, or they weren't requested.
    let form: [String]?

    var json: JSONText {
        JSONText.object { json in
            for (name, number) in [("version", number), ("originFile", origin), ("serverVersion", serverVersion)] {
                json.member(name, number)
            }
            json.member("time", time)
            json.member("toUpload", isPending)
            json.member("instructions", instructions) { $0.string($1) }
            if let form {
                json.member("afterMerges", form) { $0.string($1) }
            }
        }
    }
}
