// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The original's changesets, applied to a file, compared with its recorded states.
@Suite struct ApplyFixtureTests {
    static let subjects = [
        "dictionaries", "embedded", "fields", "links", "lists", "mix", "nested", "objects", "schema", "sets",
    ]

    /// Some of the histories suffice in slow builds.
    private static var step: Int { Settings.isSet("REGNUM_SYNC_ALL") ? 1 : 40 }

    private static func base() throws -> [UInt8] {
        let path = Fixtures.path("sync/merge/base.json")
        return try JSON(parsing: try TextFile.read(path)).bytes("base")
    }

    /// Returns the changesets that a server makes of a history, in order: each in the form that follows the previous
    /// ones.
    private func integrated(_ history: JSON) throws -> [Changeset] {
        var written: [String: [UInt8]] = [:]
        var changesets: [Changeset] = []
        for step in try #require(history["steps"]?.elements) {
            if let client = step["w"] {
                written["\(client) \(try step.int("v"))"] = try step.bytes("c")
            } else if let client = step["u"] {
                let own = try #require(written["\(client) \(try step.int("cv"))"])
                let bytes = try step["out"].map { _ in try step.bytes("out") } ?? own
                changesets.append(try Changeset(decoding: bytes))
            }
        }
        return changesets
    }

    private func verify(_ history: JSON, on transaction: WriteTransaction) throws {
        let applier = ChangesetApplier(transaction)
        for changeset in try integrated(history) { try applier.apply(changeset) }
        let model = try StoredState.model(of: transaction)
        let state = try history.member("state")
        let expected = model.normalized(state["objects"] ?? state)
        try requireEqual(model.objects.description, expected.description, "the state")
    }

    @Test(arguments: subjects) func randomHistories(_ subject: String) throws {
        let lines = try SyncFixtures.lines("merge/random-\(subject).jsonl.gz")
        let client = try ClientDatabase()
        try client.database.write { try ChangesetApplier($0).apply(try Changeset(decoding: try Self.base())) }
        for index in stride(from: 0, to: lines.count, by: Self.step) {
            let history = try JSON(parsing: Array(lines[index]))
            let transaction = try client.database.beginWrite()
            defer { transaction.rollback() }
            try withTrace(history["id"]?.text ?? "?") { try verify(history, on: transaction) }
        }
        try client.close()
    }

    /// Applies the uploads of each recorded client in order, except those that depend on others' changes.
    @Test func uploadsOfRecordedClients() throws {
        var clients: [String: [JSON]] = [:]
        for line in try SyncFixtures.documents("changesets/recorded.jsonl") {
            let name = try line.string("name")
            let end = name.lastIndex(of: "/") ?? name.endIndex
            clients[String(name[..<end]), default: []].append(line)
        }
        var count = 0
        for (name, lines) in clients.sorted(by: { $0.key < $1.key }) {
            let client = try ClientDatabase()
            var model = SyncModel()
            for line in lines {
                let changeset = try Changeset(decoding: try line.bytes("hex"))
                guard let next = try? model.applying(changeset) else { break }
                try withTrace("\(name): \(changeset)") {
                    try client.database.write { try ChangesetApplier($0).apply(changeset) }
                    try requireEqual(try client.state(), next, "the state")
                }
                model = next
                count += 1
            }
            try client.close()
        }
        print("applied: \(count) recorded changesets of \(clients.count) clients")
        #expect(count > 30)
    }

    @Test func namedHistories() throws {
        for history in try SyncFixtures.documents("merge/named.jsonl.gz") where history["status"] == "ok" {
            try withTrace(history["name"]?.text ?? "?") {
                let client = try ClientDatabase()
                let base = try Changeset(decoding: try history.bytes("base"))
                try client.database.write { try ChangesetApplier($0).apply(base) }
                try client.database.write { try verify(history, on: $0) }
                try client.close()
            }
        }
    }
}

extension SyncModel {
    fileprivate func applying(_ changeset: Changeset) throws -> SyncModel {
        var model = self
        try model.apply(changeset)
        return model
    }
}
