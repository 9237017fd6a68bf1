// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation

/// Creates RESULTS.md and its chart from the files of `bench --json`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Makes RESULTS.md and results.svg from JSON files of several sizes.")

    @Argument(help: "JSON files of runs; of several at one size, a later one counts. Files ending in .md are added.")
    var files: [String]

    @Option(help: "The folder that RESULTS.md and results.svg are written to.")
    var folder = "Benchmarks"

    func run() throws {
        let results = Results(
            try files.filter { !$0.hasSuffix(".md") }.map { file in
                try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
            })
        guard !results.sizes.isEmpty else { throw ValidationError("No file of a run was given.") }
        let additions = try files.filter { $0.hasSuffix(".md") }.map { try String(contentsOfFile: $0, encoding: .utf8) }
        let place = URL(fileURLWithPath: folder)
        try Data(ResultsText(results: results, additions: additions).text.utf8)
            .write(to: place.appendingPathComponent("RESULTS.md"))
        try Data(Chart(results: results).svg.utf8).write(to: place.appendingPathComponent("results.svg"))
    }
}
