// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmSwift

/// Runs the workloads and prints ns per operation, and the other counts.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs workloads; what `bench` alone does.")

    @Option(help: "Only workloads whose name contains this, or one of these between commas.")
    var filter: String?

    @Option(help: "The number of objects.")
    var size = 100_000

    @Option(help: "Rounds per workload; the median is printed.")
    var rounds = 5

    @Option(help: "Also writes the results to this file, as JSON.")
    var json: String?

    @Flag(help: "Leaves GRDB out.")
    var alone = false

    @Flag(help: "Only prints the workloads' names.")
    var list = false

    func validate() throws {
        guard size > 0, rounds > 0 else { throw ValidationError("Size and rounds must be above zero.") }
        let names = Workload.all.map(\.name)
        let twice = Set(names.filter { name in names.count { $0 == name } > 1 })
        guard twice.isEmpty else { throw ValidationError("Two workloads have the same name: \(twice)") }
    }

    func run() throws {
        let workloads = Workload.all.filter { workload in
            filter.map { $0.split(separator: ",").contains { workload.name.contains($0) } } ?? true
        }
        if list {
            for workload in workloads { print(workload.name) }
            return
        }
        _ = Counters.countsInstructions
        Logger.shared.level = .error
        try TestFolder.with { folder in
            let bed = TestFixture(folder: folder, people: People(count: size))
            printTitle()
            let measurements = try workloads.map { workload in
                let result = try workload.measure(bed, rounds: rounds, withPeer: !alone)
                print(result.row)
                fflush(nil)
                return result
            }
            try finish(measurements, folder)
        }
    }

    private func printTitle() {
        print(
            """
            \(grouped(size)) objects, \(Counters.machine); median and range of \(rounds) rounds, ns per operation.
            GRDB did the same in this run, with commits as durable. realm-core's figures and the goals made of them were
            measured in another run, on the same kind of machine, at \(grouped(Peer.size)) objects, without an SDK.

            """)
        print(Measurement.header)
    }

    private func finish(_ measurements: [Measurement], _ folder: URL) throws {
        let realm = Self.size(of: PersonDatabase.realmURL(folder))
        let sqlite = Self.size(of: PersonDatabase.queueURL(folder))
        print("\npeak memory \(figure(Double(measurements.map(\.peakMemory).max() ?? 0) / 1e6)) MB; files of people:")
        print(
            "Regnum \(realm.map { figure(Double($0) / 1e6) } ?? "–") MB,",
            "SQLite \(sqlite.map { figure(Double($0) / 1e6) } ?? "–") MB")
        guard let json else { return }
        let record = Record(
            size: size, rounds: rounds, machine: Counters.machine, realmFile: realm, sqliteFile: sqlite,
            measurements: measurements)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(record).write(to: URL(fileURLWithPath: json))
    }

    private static func size(of url: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int
    }
}

enum TestFolder {
    static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
