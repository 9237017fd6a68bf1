// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport

// Makes crash images in memory, on all cores, and verifies each. Run by Scripts/crash-test.

let usage = """
    usage: crash-test [--images N] [--seed S] [--workload NAME] [--run I] [--encrypted | --plain] [--exhaustive]
    workloads: \(CrashWorkload.all.map(\.name).joined(separator: " "))
    configurations: \(CrashConfiguration.all.map(\.name).joined(separator: " "))
    """
do {
    let options = try CrashOptions(CommandLine.arguments.dropFirst())
    let crew = CrashCrew(options)
    exit(crew.run() ? 0 : 1)
} catch {
    print("\(error)\n\(usage)")
    exit(2)
}
