// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Repeats the writes of the original's client, and compares the recorded changesets.
@Suite struct RecordFixtureTests {
    /// Some of the histories suffice in slow builds.
    private static var step: Int { Settings.isSet("REGNUM_SYNC_ALL") ? 1 : 10 }

    private func firstWrite(_ history: JSON) throws -> Changeset? {
        guard let step = history["steps"]?.elements?.first, step["w"] != nil else { return nil }
        return try Changeset(decoding: try step.bytes("c"))
    }

    private func recorded(_ changeset: Changeset, _ client: ClientDatabase) throws -> Changeset {
        let transaction = try client.database.beginWrite()
        defer { transaction.rollback() }
        let recorder = ChangesetRecorder()
        let probe = RecordingProbe(recorder)
        transaction.recorder = probe
        try ChangesetApplier(transaction, isRecorded: true).apply(changeset)
        return try Changeset(decoding: try recorder.changeset(of: transaction))
    }

    /// Returns a change as we record it where the original's merge would fail. It doesn't create a collection if one of
    /// that kind exists, and writes null before an embedded object under a key.
    private static func mended(_ changeset: Changeset, _ start: SyncModel) throws -> Changeset {
        var model = start
        var mended = Changeset()
        for instruction in changeset.instructions {
            switch instruction {
            case .change(let place, .update(.list, _)), .change(let place, .updateElement(.list, _)):
                if case .list? = model.content(at: place) { continue }
            case .change(let place, .update(.dictionary, _)), .change(let place, .updateElement(.dictionary, _)):
                if case .dictionary? = model.content(at: place) { continue }
            case .change(let place, .update(.object, _)) where place.column == "de":
                mended.instructions.append(.change(place, .update(.null, isDefault: false)))
            default: break
            }
            try model.apply(Changeset([instruction]))
            mended.instructions.append(instruction)
        }
        return mended
    }

    @Test(arguments: ApplyFixtureTests.subjects) func firstWritesOfRandomHistories(_ subject: String) throws {
        let lines = try SyncFixtures.lines("merge/random-\(subject).jsonl.gz")
        let client = try ClientDatabase()
        let base = try JSON(parsing: try TextFile.read(Fixtures.path("sync/merge/base.json")))
        let changeset = try Changeset(decoding: try base.bytes("base"))
        try client.database.write { try ChangesetApplier($0).apply(changeset) }
        var start = SyncModel()
        try start.apply(changeset)
        for index in stride(from: 0, to: lines.count, by: Self.step) {
            let history = try JSON(parsing: Array(lines[index]))
            guard let written = try firstWrite(history) else { continue }
            try withTrace("\(history["id"]?.text ?? "?"):\n\(written)\n") {
                try requireEqual(
                    recorded(written, client).description, RecordFixtureTests.mended(written, start).description,
                    "what is recorded")
            }
        }
    }
}

private final class RecordingProbe: WriteRecorder {
    private let recorder: ChangesetRecorder

    init(_ recorder: ChangesetRecorder) { self.recorder = recorder }

    func record(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws {
        try recorder.record(instruction, in: transaction)
    }

    func writeHistory(of transaction: WriteTransaction) {}
}
