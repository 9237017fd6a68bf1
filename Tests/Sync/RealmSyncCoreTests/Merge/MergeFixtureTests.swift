// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The merge compared with the original's on concurrent changes: every output, every reciprocal form, and the states.
@Suite struct MergeFixtureTests {
    static let subjects = [
        "dictionaries", "embedded", "fields", "links", "lists", "mix", "nested", "objects", "schema", "sets",
    ]

    /// A tenth of the histories suffices in slow builds.
    private static var step: Int {
        #if DEBUG
            Settings.isSet("REGNUM_SYNC_ALL") ? 1 : 10
        #else
            1
        #endif
    }

    private static func state(_ bytes: [UInt8]) throws -> SyncModel {
        var model = SyncModel()
        try model.apply(try Changeset(decoding: bytes))
        return model
    }

    private static func base() throws -> JSON {
        let path = Fixtures.path("sync/merge/base.json")
        return try JSON(parsing: try TextFile.read(path))
    }

    private func replay(_ history: JSON, _ base: SyncModel) throws -> MergeReplay {
        var replay = MergeReplay(baseState: base, isCompared: history["quirk"] == nil)
        for (index, step) in try #require(history["steps"]?.elements).enumerated() {
            try withTrace("step \(index) \(String(step.description.prefix(150)))") { try replay.take(step) }
        }
        return replay
    }

    @Test func theBaseHasItsState() throws {
        let base = try Self.base()
        let model = try Self.state(try base.bytes("base"))
        #expect(model.tables.count == 3)
        #expect(try Changeset(json: try base.member("baseDecoded")) == Changeset(decoding: try base.bytes("base")))
    }

    @Test(arguments: subjects) func randomHistories(_ subject: String) throws {
        let base = try Self.state(try Self.base().bytes("base"))
        let lines = try SyncFixtures.lines("merge/random-\(subject).jsonl.gz")
        var count = 0
        var others: [String] = []
        for index in stride(from: 0, to: lines.count, by: Self.step) {
            let history = try JSON(parsing: Array(lines[index]))
            count += 1
            do {
                try replay(history, base).compareStates(with: try history.member("state"))
            } catch {
                let name = history["id"]?.text ?? "?"
                guard try isMended(history, base) else { throw Failure("\(name): \(error)") }
                others.append(name)
            }
        }
        print(
            "merge: \(count) histories of \(lines.count), \(subject); by the intended rule \(others.count): \(others)")
        #expect(count * Self.step >= 2394)
        #expect(others.count * 100 < count)
    }

    /// Whether a history differs from the original only as intended: the original keeps changes of a property that
    /// another client has erased, except Updates. This had no consequences if the property was added again.
    private func isMended(_ history: JSON, _ base: SyncModel) throws -> Bool {
        let steps = try #require(history["steps"]?.elements)
        let erases = try steps.contains { step in
            guard step["c"] != nil else { return false }
            return try Changeset(decoding: try step.bytes("c")).instructions.contains {
                if case .eraseColumn = $0 { true } else { false }
            }
        }
        return try erases && outcome(history, base) == .converged
    }

    @Test func namedHistories() throws {
        let histories = try SyncFixtures.documents("merge/named.jsonl.gz")
        #expect(histories.count == 360)
        for history in histories {
            try withTrace(history["name"]?.text ?? "?") {
                var replay = try replay(history, try Self.state(try history.bytes("base")))
                if history["status"] == "ok" {
                    try replay.compareStates(with: try history.member("state"))
                } else {
                    let second: UInt64 = try #require(history["clients"]?.elements?[1].integer())
                    #expect(throws: MergeError.self) { try replay.uploadNext(second) }
                }
            }
        }
        print("merge: \(histories.count) named histories")
    }

    // MARK: Errors of the original

    private enum Outcome: Hashable {
        case converged
        /// Its clients wrote to states that no other client had.
        case inapplicable
        case diverged
        case refused
        case unrecorded
    }

    private func outcome(_ history: JSON, _ base: SyncModel) throws -> Outcome {
        guard let steps = history["steps"]?.elements else { return .unrecorded }
        var replay = MergeReplay(baseState: base, isCompared: false)
        for client in history["clients"]?.elements ?? [] { replay.addClient(try #require(client.integer())) }
        do {
            for step in steps { try replay.take(step) }
            try replay.settle()
        } catch is MergeReplay.Inapplicable {
            return .inapplicable
        } catch {
            print("merge: refused", history["id"] ?? history["name"] ?? "?", error)
            return .refused
        }
        if !replay.hasConverged { print("merge: diverged", history["id"] ?? history["name"] ?? "?") }
        return replay.hasConverged ? .converged : .diverged
    }

    @Test func mergesThatDivergeInTheOriginalConverge() throws {
        let base = try Self.state(try Self.base().bytes("base"))
        let histories = try SyncFixtures.documents("merge/engine-defects.jsonl.gz")
        #expect(histories.count == 353)
        var outcomes: [Outcome: Int] = [:]
        for history in histories {
            let start = try history["base"].map { _ in try Self.state(try history.bytes("base")) } ?? base
            let outcome = try outcome(history, start)
            outcomes[outcome, default: 0] += 1
            if outcome == .diverged || outcome == .refused {
                #expect(try makesCollections(history), "\(history["id"] ?? history["name"] ?? .null)")
            }
        }
        print("merge: defects: \(outcomes.map { "\($0.value) \($0.key)" }.sorted())")
        #expect(outcomes[.converged, default: 0] >= 289)
    }

    /// Whether clients make a Mixed a collection. If others overwrite it with plain values meanwhile, three clients may
    /// diverge by the current rules, which only the state could show.
    private func makesCollections(_ history: JSON) throws -> Bool {
        try #require(history["steps"]?.elements).contains { step in
            guard step["c"] != nil else { return false }
            return try Changeset(decoding: try step.bytes("c")).instructions.contains { instruction in
                guard case .change(_, let change) = instruction else { return false }
                switch change {
                case .update(.list, _), .update(.dictionary, _), .updateElement(.list, _),
                    .updateElement(.dictionary, _):
                    return true
                default: return false
                }
            }
        }
    }
}
