// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation

/// Compares the allocations and instructions of the most important workloads with the committed counts. Time is
/// ignored, since only counts are the same on a busy machine.
struct GuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard", abstract: "Fails where a workload allocates more than was committed.")

    @Option(help: "The committed counts.")
    var file = "Benchmarks/guard.json"

    @Flag(help: "Writes the counts of this run to the file, instead of comparing.")
    var write = false

    /// One thread scans smaller tables, so that counts don't depend on the division of work.
    private static let size = 20_000
    private static let slack = 20.0
    private static let names = [
        "insert", "pk_lookup_5props", "scan_count_age", "iterate_sum_age", "prop_read_int_same_obj",
        "prop_read_str_same_obj", "sort_score", "index_eq", "update_all_age", "notify_results",
    ]

    struct Expected: Codable {
        let size: Int
        let rows: [String: Counts]
    }

    struct Counts: Codable {
        let operations: Int
        let allocations: Double
        /// The instructions on the machine that wrote the file, if it counts them.
        let instructions: Double?
    }

    func validate() throws {
        #if DEBUG
            throw ValidationError("The committed counts are those of a release build.")
        #endif
    }

    func run() throws {
        guard Counters.countsAllocations else {
            print("guard: this platform does not count allocations; nothing was compared")
            return
        }
        _ = Counters.countsInstructions
        let rows = try measure()
        if write {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let text = try encoder.encode(Expected(size: Self.size, rows: rows)) + Data("\n".utf8)
            try text.write(to: URL(fileURLWithPath: file))
            print("guard: \(rows.count) rows written to \(file)")
            return
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let expected = try JSONDecoder().decode(Expected.self, from: data)
        let failures = Self.failures(rows, expected)
        for line in Self.table(rows, expected) { print(line) }
        guard failures.isEmpty else {
            for failure in failures { print("guard: \(failure)") }
            print("guard: if that is meant, say why and renew \(file) with `bench guard --write`")
            throw ExitCode.failure
        }
        print("guard: no row takes more than was committed")
        let better = Self.names.filter { name in
            guard let found = rows[name], let committed = expected.rows[name] else { return false }
            return found.allocations < committed.allocations * 0.9 - Self.slack / Double(found.operations)
        }
        if !better.isEmpty { print("guard: \(better.joined(separator: ", ")) took less: renew \(file)") }
    }

    /// Two warm-up rounds, then the counted one.
    private func measure() throws -> [String: Counts] {
        try TestFolder.with { folder in
            let bed = TestFixture(folder: folder, people: People(count: Self.size))
            var rows: [String: Counts] = [:]
            for name in Self.names {
                guard let workload = Workload.all.first(where: { $0.name == name }) else { throw Missing(name: name) }
                let measured = try workload.measure(bed, rounds: 2, withPeer: false)
                rows[name] = Counts(
                    operations: measured.operations, allocations: Self.rounded(measured.regnum.allocations ?? 0),
                    instructions: measured.regnum.instructions.map(Self.rounded))
            }
            return rows
        }
    }

    private static func failures(_ rows: [String: Counts], _ expected: Expected) -> [String] {
        guard expected.size == size else { return ["the file is for \(expected.size) objects, not \(size)"] }
        return names.flatMap { name -> [String] in
            guard let found = rows[name], let committed = expected.rows[name] else {
                return ["\(name) is not in the file"]
            }
            // One more buffer in a whole round isn't a regression if each operation allocates nothing.
            var failures = compare(
                name, "allocations", found.allocations, committed.allocations, slack: slack / Double(found.operations))
            if let instructions = found.instructions, let before = committed.instructions {
                failures += compare(
                    name, "instructions", instructions, before, slack: 20_000 / Double(found.operations))
            }
            return failures
        }
    }

    private static func compare(
        _ name: String, _ what: String, _ found: Double, _ committed: Double, slack: Double
    ) -> [String] {
        guard found > committed * 1.1 + slack else { return [] }
        return ["\(name): \(what) per operation: expected \(figure(committed)), found \(figure(found))"]
    }

    private static func table(_ rows: [String: Counts], _ expected: Expected) -> [String] {
        names.map { name in
            let (found, committed) = (rows[name], expected.rows[name])
            let counts = { (row: Counts?) in
                "\(figure(row?.allocations ?? 0)) allocations"
                    + (row?.instructions.map { ", \(figure($0)) instructions" } ?? "")
            }
            return "\(name): \(counts(found)) (committed: \(counts(committed)))"
        }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

    struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "the guard's workload \(name) does not exist" }
    }
}
