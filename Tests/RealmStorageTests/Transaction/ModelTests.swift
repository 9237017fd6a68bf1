// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Random instructions over many commits, beside a plain model of every version that is held.
///
/// `REGNUM_STEPS` sets how many; `REGNUM_SEED` repeats a run.
@Suite struct ModelTests {
    private static var steps: Int {
        #if DEBUG
            return Settings.number("REGNUM_STEPS") ?? 3000
        #else
            return Settings.number("REGNUM_STEPS") ?? 100_000
        #endif
    }

    @Test func randomInstructions() throws {
        let run = try ModelRun(SeededGenerator(for: "model"), steps: ModelTests.steps, size: 120)
        try run.run()
        print("model: \(run.summary)")
        #expect(run.commits > ModelTests.steps / 200)
    }

    /// Many objects, so that clusters and indexes have several levels.
    @Test func randomInstructionsOnManyObjects() throws {
        let run = try ModelRun(SeededGenerator(for: "large model"), steps: ModelTests.steps / 3, size: 1500)
        try run.run()
        print("large model: \(run.summary)")
    }
}

/// One run: a database, the model of its newest version, and older versions that are held.
final class ModelRun {
    private let test: TestDatabase
    private var operations: RandomOperations
    private var generator: SeededGenerator
    private let steps: Int
    /// Versions that are held, with what they should hold for ever.
    private var held: [(snapshot: Snapshot, model: ModelDatabase)] = []
    private var done = 0
    private(set) var commits = 0
    private var rollbacks = 0
    private var mostHeld = 0

    init(_ generator: SeededGenerator, steps: Int, size: Int) throws {
        test = try TestDatabase()
        self.generator = generator
        operations = RandomOperations(SeededGenerator(seed: generator.seed &+ 1), size: size)
        self.steps = steps
    }

    var summary: String {
        let objects = operations.model.tables.values.reduce(0) { $0 + $1.objects.count }
        return
            "\(done) steps, \(commits) commits, \(rollbacks) rollbacks, \(mostHeld) versions held, \(objects) objects"
    }

    func run() throws {
        try test.write { try operations.createSchema($0) }
        let isLong = Settings.isContinuousIntegration
        while done < steps {
            try withTrace("seed \(generator.seed), step \(done)") {
                try transact()
                try compareNewest()
                try holdAndRelease()
                if commits % 10 == 0 { try compareHeld() }
                if commits % 20 == 0 { try test.audit() }
                if commits % (isLong ? 100 : 500) == 7, held.isEmpty { try test.reopen() }
                if isLong, commits % 100 == 0 { try PythonChecker.requireClean(path: test.path) }
            }
        }
        try withTrace("seed \(generator.seed), at the end") {
            try compareHeld()
            held.removeAll()
            try test.close()
            try PythonChecker.requireClean(path: test.path)
        }
    }

    private func transact() throws {
        let before = operations.model
        let transaction = try test.database.beginWrite()
        for _ in 0..<generator.pick([1, 2, 5, 20, 60]) {
            try operations.step(transaction)
            done += 1
        }
        if generator.chance(5) { try operations.model.compare(with: transaction) }
        if generator.chance(10) {
            transaction.rollback()
            operations.model = before
            rollbacks += 1
        } else {
            try transaction.commit()
            commits += 1
        }
    }

    private func compareNewest() throws {
        let snapshot = try test.database.snapshot()
        try requireEqual(snapshot.version, UInt64(commits + 2), "the version")
        try operations.model.compare(with: snapshot)
        if generator.chance(20) { try operations.model.compareIndexes(with: snapshot) }
    }

    private func holdAndRelease() throws {
        if generator.chance(20) { held.append((try test.database.snapshot(label: "test"), operations.model)) }
        if !held.isEmpty, generator.chance(held.count > 5 ? 40 : 10) { held.remove(at: generator.below(held.count)) }
        if generator.chance(1) { held.removeAll() }
        mostHeld = max(mostHeld, Set(held.map(\.snapshot.version)).count)
    }

    private func compareHeld() throws {
        for (snapshot, model) in held {
            try withTrace("held version \(snapshot.version)") {
                try model.compare(with: snapshot)
                if generator.chance(20) { try model.compareIndexes(with: snapshot) }
            }
        }
    }
}
