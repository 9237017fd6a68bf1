// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Work done by each engine. It returns the number of operations, and a checksum that prevents the optimiser from
/// removing the work and must be equal for both.
struct Workload: Sendable {
    typealias Run = @Sendable (TestFixture) throws -> (operations: Int, checksum: Int)
    typealias Step = @Sendable (TestFixture) throws -> Void
    typealias Check = @Sendable (TestFixture) throws -> Int

    let name: String
    let realm: Run
    let grdb: Run?
    /// An unmeasured step before each round of `realm`. It may store a value in `TestFixture.prepared`.
    var prepare: Step?
    /// An unmeasured step before each round of `grdb`.
    var prepareGRDB: Step?
    /// Checks the result of a round of `realm`, unmeasured. Its value is added to the checksum.
    var check: Check?
    /// Checks the result of a round of `grdb`.
    var checkGRDB: Check?
    var growth = Growth.constant

    /// Workloads that share a topic are adjacent, so that it is created once.
    static var all: [Workload] {
        peopleWorkloads + MachineWorkloads.all + EncryptedWorkloads.all + [MigrationWorkload.workload]
            + NotifyWorkloads.all + CollectionWorkloads.all + LifeWorkloads.all
    }

    private static var peopleWorkloads: [Workload] {
        [InsertWorkload.workload, PrimaryKeyWorkload.workload, IndexWorkload.workload] + PropertyWorkloads.all
            + ScanWorkloads.all + IterateWorkloads.all + OrderWorkloads.all + ChangeWorkloads.all + CommitWorkloads.all
            + FileWorkloads.all + InWorkloads.indexed + TextWorkloads.all + InWorkloads.plain + MixedWorkloads.all
    }

    /// Runs a warm-up round of each engine, then `rounds` measured ones of each; GRDB only with `withPeer`.
    func measure(_ bed: TestFixture, rounds: Int, withPeer: Bool = true) throws -> Measurement {
        Counters.resetPeakMemory()
        let ours = try Self.laps(rounds, bed, realm, prepare, check)
        let peak = Counters.peakMemory
        let theirs = withPeer ? try grdb.map { try Self.laps(rounds, bed, $0, prepareGRDB, checkGRDB) } : nil
        bed.finishWorkload()
        if let ours = ours.last, let theirs = theirs?.last, ours.checksum != theirs.checksum {
            throw Disagreement(name: name, ours: ours.checksum, theirs: theirs.checksum)
        }
        return Measurement(name: name, ours: ours, theirs: theirs, peakMemory: peak)
    }

    struct Disagreement: Error, CustomStringConvertible {
        let name: String
        let ours: Int
        let theirs: Int
        var description: String { "\(name): the engines disagree, \(ours) and \(theirs)" }
    }

    private static func laps(
        _ rounds: Int, _ bed: TestFixture, _ run: Run, _ prepare: Step?, _ check: Check?
    ) throws -> [Lap] {
        _ = try lap(bed, run, prepare, check, counted: false)
        return try (1...rounds).map { try lap(bed, run, prepare, check, counted: $0 == rounds) }
    }

    /// Runs one round. Only the last one is counted, because counting takes time, which the median excludes.
    private static func lap(
        _ bed: TestFixture, _ run: Run, _ prepare: Step?, _ check: Check?, counted: Bool
    ) throws -> Lap {
        defer { bed.finishRound() }
        try prepare?(bed)
        let clock = ContinuousClock()
        var result = (operations: 0, checksum: 0)
        var counts = Counters.Counts()
        let time: Duration
        if counted {
            (time, counts) = try Counters.counting { try clock.measure { result = try run(bed) } }
        } else {
            time = try clock.measure { result = try run(bed) }
        }
        let left = try check?(bed) ?? 0
        return Lap(time: time, operations: max(result.operations, 1), checksum: result.checksum &+ left, counts: counts)
    }
}

struct Lap {
    let time: Duration
    let operations: Int
    let checksum: Int
    let counts: Counters.Counts

    var nanosecondsPerOperation: Double {
        (Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9) / Double(operations)
    }
}
