// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Random instructions over many commits compared with a model of every pinned version.
///
/// `REGNUM_STEPS` sets the number of instructions, and `REGNUM_SEED` repeats a run. `REGNUM_TRANSACTION` multiplies the
/// instructions of each transaction, which leaves less time for comparing and auditing.
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
        #expect(run.commits > ModelTests.steps / 200 / ModelRun.transactionFactor)
    }

    @Test func randomInstructionsEncrypted() throws {
        let generator = SeededGenerator(for: "encrypted model")
        let run = try ModelRun(generator, steps: ModelTests.steps / 2, size: 120, cipher: QuickCipher())
        try run.run()
        print("encrypted model: \(run.summary)")
    }

    @Test func randomInstructionsOnManyObjects() throws {
        let run = try ModelRun(SeededGenerator(for: "large model"), steps: ModelTests.steps / 3, size: 1500)
        try run.populate(400)
        try run.run()
        print("large model: \(run.summary)")
    }
}

final class ModelRun {
    private let test: TestDatabase
    private var operations: RandomOperations
    private var generator: SeededGenerator
    private let steps: Int
    static let transactionFactor = Settings.number("REGNUM_TRANSACTION") ?? 1
    private let auditInterval = Settings.number("REGNUM_AUDIT_EVERY") ?? 20
    private var held: [(snapshot: Snapshot, model: ModelDatabase)] = []
    private var done = 0
    private(set) var commits = 0
    private var rollbacks = 0
    private var maxHeld = 0
    private let isSmall: Bool

    private let isEncrypted: Bool

    init(_ generator: SeededGenerator, steps: Int, size: Int, cipher: QuickCipher? = nil) throws {
        test = try TestDatabase(cipher: cipher)
        isEncrypted = cipher != nil
        self.generator = generator
        operations = RandomOperations(SeededGenerator(seed: generator.seed &+ 1), size: size)
        self.steps = steps
        isSmall = size < 1000
        try test.write { try operations.createSchema($0) }
    }

    func populate(_ count: Int) throws {
        try test.write { try operations.populate(count, $0) }
        commits += 1
    }

    var summary: String {
        let objects = operations.model.tables.values.reduce(0) { $0 + $1.objects.count }
        return
            "\(done) steps, \(commits) commits, \(rollbacks) rollbacks, \(maxHeld) versions held, \(objects) objects"
    }

    func run() throws {
        let isLong = Settings.isContinuousIntegration
        while done < steps {
            try withTrace("seed \(generator.seed), step \(done)") {
                try transact()
                if isSmall || commits % 8 == 0 { try compareNewest() }
                try holdAndRelease()
                if commits % 10 == 0 { try compareHeld() }
                if commits % auditInterval == 0 { try test.audit() }
                if commits % (isLong ? 100 : 500) == 7, held.isEmpty { try test.reopen() }
                if isLong, !isEncrypted, commits % 100 == 0 { try PythonChecker.requireClean(path: test.path) }
            }
        }
        try withTrace("seed \(generator.seed), at the end") {
            try compareHeld()
            held.removeAll()
            try test.close()
            if !isEncrypted { try PythonChecker.requireClean(path: test.path) }
        }
    }

    private func transact() throws {
        let before = operations.model
        let transaction = try test.database.beginWrite()
        var freed: Set<Ref> = []
        for _ in 0..<generator.pick([1, 2, 5, 20, 60]) * ModelRun.transactionFactor {
            let before = transaction.store.freed.count
            try operations.step(transaction) {
                for block in transaction.store.freed[before...] {
                    try require(freed.insert(block.position).inserted, "the node at \(block.position) was freed twice")
                }
            }
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
        maxHeld = max(maxHeld, Set(held.map(\.snapshot.version)).count)
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
