// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport

struct Arguments {
    var seed = UInt64.random(in: 0..<1 << 32)
    var steps = 20_000
    var perWorld = 4000
    var isHostile = false
    var isMeasuring = false

    init(_ words: [String]) throws {
        var words = words[...]
        func number() throws -> UInt64 {
            guard let word = words.popFirst(), let number = UInt64(word) else { throw Failure("a number is missing") }
            return number
        }
        while let word = words.popFirst() {
            switch word {
            case "--seed": seed = try number()
            case "--steps": steps = Int(try number())
            case "--world": perWorld = max(1, Int(try number()))
            case "--hostile": isHostile = true
            case "--measure": isMeasuring = true
            default:
                throw Failure("usage: sync-sim [--seed S] [--steps N] [--world STEPS] [--hostile] | --measure")
            }
        }
    }
}

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    if arguments.isMeasuring {
        try Measurements.run()
    } else {
        print("--seed \(arguments.seed) --steps \(arguments.steps)")
        var reported = 0
        let report = try Simulation.run(
            seed: arguments.seed, steps: arguments.steps, perWorld: arguments.perWorld, isHostile: arguments.isHostile
        ) { report in
            guard report.steps >= reported + 100_000 else { return }
            reported = report.steps
            print(report)
        }
        print(report)
    }
} catch {
    print("failed: \(error)")
    exit(1)
}
