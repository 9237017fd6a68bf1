// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// The diffs of pairs of many versions compared with models of both. Random instructions include schema changes,
/// cleared, created and removed tables, and objects under given keys.
///
/// `REGNUM_STEPS` sets the number of instructions, `REGNUM_SEED` repeats a run.
@Suite struct DiffHistoryTests {
    private static var steps: Int {
        Settings.number("REGNUM_STEPS") ?? (Settings.isContinuousIntegration ? 6000 : 1500)
    }

    @Test func randomHistory() throws {
        try DiffHistory(SeededGenerator(for: "diff"), size: 60).run(DiffHistoryTests.steps)
    }

    @Test func randomHistoryOfManyObjects() throws {
        let history = try DiffHistory(SeededGenerator(for: "diff of many"), size: 1500)
        try history.populate(600)
        try history.run(DiffHistoryTests.steps / 8)
    }

    @Test func randomHistoryEncrypted() throws {
        try DiffHistory(SeededGenerator(for: "encrypted diff"), size: 60, cipher: QuickCipher())
            .run(DiffHistoryTests.steps / 2)
    }

    @Test func randomHistoryWithMovedNodes() throws {
        let history = try DiffHistory(SeededGenerator(for: "diff of moved nodes"), size: 60)
        (
            history.test.database.spaceAccounting.shrinking.slack,
            history.test.database.spaceAccounting.shrinking.memory
        ) = (4096, 2)
        try history.run(DiffHistoryTests.steps)
    }
}

private final class DiffHistory {
    let test: TestDatabase
    private var operations: RandomOperations
    private var generator: SeededGenerator
    private var held: [(snapshot: Snapshot, model: ModelDatabase)] = []
    private var seen = DiffVerifier.Seen()

    init(_ generator: SeededGenerator, size: Int, cipher: QuickCipher? = nil) throws {
        test = try TestDatabase(cipher: cipher)
        self.generator = generator
        operations = RandomOperations(SeededGenerator(seed: generator.seed &+ 1), size: size)
        try hold()
        try test.write { try operations.createSchema($0) }
        try hold()
    }

    func populate(_ count: Int) throws {
        try test.write { try operations.populate(count, $0) }
        try hold()
    }

    func run(_ steps: Int) throws {
        var done = 0
        while done < steps {
            try withTrace("seed \(generator.seed), step \(done)") {
                let count = generator.pick([1, 1, 2, 5, 20, 60])
                let transaction = try test.database.beginWrite()
                if generator.chance(50) { transaction.store.treeCapacity = 4 }
                if generator.chance(50) { transaction.store.clusterCapacity = 4 }
                for _ in 0..<count { try operations.step(transaction) {} }
                if generator.chance(20), let last = held.last { try verifyRunning(last, transaction) }
                try transaction.commit()
                done += count
                try hold()
                try verify(held.count - 2, held.count - 1)
                if generator.chance(30) { try verify(generator.below(held.count), generator.below(held.count)) }
                while held.count > 5 { held.remove(at: generator.below(held.count - 1)) }
            }
        }
        print("diffs: \(seen)")
        #expect(seen.deletions > 0 && seen.insertions > 0 && seen.modifications > 0 && seen.lists > 0)
        #expect(seen.sets > 0 && seen.dictionaries > 0)
        held.removeAll()
        try test.close()
    }

    private func hold() throws { held.append((try test.database.snapshot(label: "diff"), operations.model)) }

    private func verify(_ old: Int, _ new: Int) throws {
        let (old, new) = (held[old], held[new])
        try withTrace("versions \(old.snapshot.version) to \(new.snapshot.version)") {
            var verifier = DiffVerifier(try VersionDiff(from: old.snapshot, to: new.snapshot), old.model, new.model)
            try verifier.verify()
            seen += verifier.seen
        }
    }

    private func verifyRunning(
        _ old: (snapshot: Snapshot, model: ModelDatabase), _ transaction: WriteTransaction
    ) throws {
        for key in Set(old.model.tables.keys).union(operations.model.tables.keys).sorted() {
            let (before, after) = (try old.snapshot.table(key), try transaction.table(key))
            try withTrace("\(before?.name ?? after?.name ?? "") in a running transaction") {
                let expected = DiffVerifier.expected(old.model.tables[key], operations.model.tables[key])
                try requireEqual(try TableDiff(from: before, to: after), expected, "the diff")
            }
        }
    }
}
