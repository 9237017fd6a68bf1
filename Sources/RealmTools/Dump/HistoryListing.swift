// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore

/// The history of a synchronised file as a person reads it: each version with its instructions.
struct HistoryListing {
    let file: OpenFile
    let output: TextOutput
    private let budget: ReadBudget

    init(_ file: OpenFile, to output: TextOutput) {
        self.file = file
        self.output = output
        budget = ReadBudget(byteCount: file.byteCount)
    }

    /// - Parameter showsForms: also prints the forms that merges have given own changes.
    func write(showingForms showsForms: Bool) throws {
        guard let history = try StoredHistory(file.snapshot) else {
            throw StorageError(.invalidArgument, "the file has no history of a synchronised Realm, or one of an older client that is not read", path: file.path)
        }
        let uploaded = history.progress.upload.clientVersion
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            try budget.spend()
            try output.writeLine(title(entry, isPending: entry.isUpload && entry.version > uploaded))
            try write(bytes: { try entry.changeset() }, indent: "  ")
            if showsForms, entry.hasReciprocal {
                try output.writeLine("  after merges:")
                try write(bytes: { try entry.reciprocal() ?? [] }, indent: "    ")
            }
            return true
        }
    }

    private func title(_ entry: StoredHistory.Entry, isPending: Bool) -> String {
        let milliseconds = Int64(clamping: entry.timestamp)
        let moment = Timestamp(
            seconds: milliseconds / 1000 + SyncClock.epoch, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
        let origin = entry.originIdent == 0 ? "here" : "file \(entry.originIdent)"
        return """
            version \(entry.version)  \(moment.text)  \(origin), server version \(entry.remoteVersion)\
            \(isPending ? ", to upload" : "")
            """
    }

    /// What cannot be decoded is told in its place; the rest of the history is of use all the same.
    private func write(bytes: () throws -> [UInt8], indent: String) throws {
        let text: [String]
        do {
            let bytes = try bytes()
            try budget.spend(byteCount: bytes.count)
            text = try Changeset(decoding: bytes).instructions.map { "\($0)" }
        } catch let error as ChangesetError {
            text = ["\(error)"]
        } catch let error as StorageError where error.code != .invalidDatabase || !budget.isSpent {
            text = [error.message]
        }
        for line in text { try output.writeLine(indent + line.printable) }
    }
}
