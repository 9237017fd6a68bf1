// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// One piece of work, done by each engine: it returns how many operations it did and a sum that keeps the optimiser
/// from dropping it and that must be the same for both.
struct Workload: Sendable {
    typealias Run = @Sendable (TestBed) throws -> (operations: Int, checksum: Int)

    let name: String
    let realm: Run
    let grdb: Run?
    /// What is done before each round of `realm` and is not measured.
    var prepare: (@Sendable (TestBed) throws -> Void)?
    /// The same for `grdb`.
    var prepareGRDB: (@Sendable (TestBed) throws -> Void)?

    static var all: [Workload] {
        [
            InsertWorkload.workload, PrimaryKeyWorkload.workload, PropertyWorkload.int, PropertyWorkload.string,
            IterateWorkload.workload, CountWorkload.workload, MigrationWorkload.workload, MembershipWorkload.few,
            MembershipWorkload.many, MembershipWorkload.plain, FirstSortedWorkload.workload, TextWorkload.contains,
            TextWorkload.prefix,
            TextWorkload.anyCase, TextWorkload.equalAnyCase, SortWorkload.twoKeys, SortWorkload.distinct,
        ] + NotifyWorkload.all + CollectionWorkloads.all + LifeWorkloads.all
    }

    func measure(_ bed: TestBed, rounds: Int) throws -> Measurement {
        let ours = try Self.median(realm, bed, rounds, prepare)
        let theirs = try grdb.map { try Self.median($0, bed, rounds, prepareGRDB) }
        if let theirs, theirs.checksum != ours.checksum {
            throw Disagreement(name: name, ours: ours.checksum, theirs: theirs.checksum)
        }
        return Measurement(name: name, regnum: ours.nanoseconds, grdb: theirs?.nanoseconds)
    }

    struct Disagreement: Error, CustomStringConvertible {
        let name: String
        let ours: Int
        let theirs: Int
        var description: String { "\(name): the engines disagree, \(ours) and \(theirs)" }
    }

    /// One round to warm up, then the median of the others.
    private static func median(
        _ run: Run, _ bed: TestBed, _ rounds: Int, _ prepare: (@Sendable (TestBed) throws -> Void)? = nil
    ) throws -> (nanoseconds: Double, checksum: Int) {
        try prepare?(bed)
        var checksum = try run(bed).checksum
        let times = try (0..<rounds).map { _ in
            try prepare?(bed)
            let clock = ContinuousClock()
            var operations = 1
            let time = try clock.measure {
                let result = try run(bed)
                operations = max(result.operations, 1)
                checksum = result.checksum
            }
            return (Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9)
                / Double(operations)
        }
        return (times.sorted()[times.count / 2], checksum)
    }
}

/// Median times per operation.
struct Measurement: Codable {
    let name: String
    let regnum: Double
    let grdb: Double?

    static var header: String { pad("workload", 24) + pad("Regnum", 12) + pad("GRDB", 12) + "ratio" }

    var row: String {
        let peer = grdb.map { String(format: "%.1f", $0) } ?? "–"
        let ratio = grdb.map { String(format: "%.2f×", $0 / regnum) } ?? ""
        return Self.pad(name, 24) + Self.pad(String(format: "%.1f", regnum), 12) + Self.pad(peer, 12) + ratio
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
