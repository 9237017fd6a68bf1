// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport

// Commits without end to the database named by the first argument, and writes the number of each version to standard
// output as soon as its commit has returned. The second argument is a seed. Made to be killed.

/// Past the buffer of `print`, so that what was written is out when the process is killed.
func report(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
    report("usage: regnum-crash-child FILE SEED")
    exit(2)
}
do {
    let database = try Database.open(arguments[1])
    var workload = Workload(SeededGenerator(seed: seed))
    var held: Snapshot?
    for number in 0... {
        let version = try workload.commit(to: database)
        report("\(version)")
        if number % 5 == 0 { held = number % 10 == 0 ? try database.snapshot() : nil }
    }
    withExtendedLifetime(held) {}
} catch {
    report("failed: \(error)")
    exit(1)
}
