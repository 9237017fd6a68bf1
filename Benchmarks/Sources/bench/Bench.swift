// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation

/// Runs the workloads, each on Regnum and, where it has an equivalent, on GRDB, and prints ns per operation.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures Regnum, with GRDB on the same work in the same run.")

    @Option(help: "Only workloads whose name contains this.")
    var filter: String?

    @Option(help: "The number of objects.")
    var size = 100_000

    @Option(help: "Rounds per workload; the median is printed.")
    var rounds = 5

    @Option(help: "Also writes the results to this file, as JSON.")
    var json: String?

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = People(count: size)
        let bed = try TestBed(folder: folder, people: data)
        var results: [Measurement] = []
        print("\(size) objects, median of \(rounds) rounds, ns per operation\n")
        print(Measurement.header)
        for workload in Workload.all where filter.map(workload.name.contains) ?? true {
            let result = try workload.measure(bed, rounds: rounds)
            print(result.row)
            results.append(result)
        }
        if let json { try JSONEncoder().encode(results).write(to: URL(fileURLWithPath: json)) }
    }
}
