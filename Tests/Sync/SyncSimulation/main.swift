// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import SyncTestSupport

do {
    let arguments = CommandLine.arguments.dropFirst()
    if Array(arguments) == ["--measure"] {
        try Measurements.run()
    } else {
        try Simulation.run(try SimulationArguments(arguments))
    }
} catch {
    print("failed: \(error)")
    exit(1)
}
