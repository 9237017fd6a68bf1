// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// The arguments of a program that runs simulations.
package struct SimulationArguments {
    package static let usage = "[--seed S] [--steps N] [--world STEPS] [--nodes N] [--stores] [--hostile]"

    package var seed = UInt64.random(in: 0..<1 << 32)
    package var steps = 20_000
    package var perWorld = 4000
    /// The number of servers with one store, for a flexible app.
    package var nodes = 1
    /// Whether a flexible app runs on each kind of store, with equal results.
    package var comparesStores = false
    package var isHostile = false

    package init(_ words: some Sequence<String>) throws {
        var words = Array(words)[...]
        func number() throws -> UInt64 {
            guard let word = words.popFirst(), let number = UInt64(word) else { throw Failure("a number is missing") }
            return number
        }
        while let word = words.popFirst() {
            switch word {
            case "--seed": seed = try number()
            case "--steps": steps = Int(try number())
            case "--world": perWorld = max(1, Int(try number()))
            case "--nodes": nodes = max(1, Int(try number()))
            case "--stores": comparesStores = true
            case "--hostile": isHostile = true
            default: throw Failure("arguments: \(SimulationArguments.usage)")
            }
        }
    }
}

extension Simulation {
    /// Runs simulations, and prints reports.
    @discardableResult
    package static func run(
        _ arguments: SimulationArguments,
        makeWorld: (UInt64) throws -> any SimulatedWorld = { PartitionWorld(seed: $0) }
    ) throws -> SimulationReport {
        print("--seed \(arguments.seed) --steps \(arguments.steps)")
        var reported = 0
        let report = try Simulation.run(
            seed: arguments.seed, steps: arguments.steps, perWorld: arguments.perWorld,
            isHostile: arguments.isHostile, makeWorld: makeWorld
        ) { report in
            guard report.steps >= reported + 100_000 else { return }
            reported = report.steps
            print(report)
        }
        print(report)
        return report
    }
}
