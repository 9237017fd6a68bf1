// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport

// Works on the database named by the argument FILE, in one of several ways, until it is killed.
//
//   commit FILE SEED            commits without end, and prints the number of each version when its commit has returned
//   write FILE SEED LOG WRITER  commits beside others, and appends the number of each commit that returned to LOG
//   visit FILE SEED LOG WRITER  as write, and opens the file anew each time
//   names FOLDER SEED LOG WRITER  as visit, by all names of the file in FOLDER; prints a line when it is refused
//   fork FILE                   opens the file and forks; prints what the two processes find, and ends
//   read FILE SEED              reads and verifies what others commit
//   import FILE                 makes large commits without a pause, and prints the version of each
//   turns FILE WRITER           makes small commits without a pause, and prints a line after the first
//   compact FILE SEED           compacts and commits, and prints the version of each commit
//   pin FILE LABEL              pins the newest version, and prints it
//
// With --encrypted before these the file is an encrypted one.

/// Past the buffer of `print`, so that what was written is out when the process is killed.
func report(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

func commit(_ path: String, _ seed: UInt64) throws {
    let database = try Database.open(path, cipher: cipher)
    var workload = Workload(SeededGenerator(seed: seed))
    var held: Snapshot?
    for number in 0... {
        let version = try workload.commit(to: database)
        report("\(version)")
        if number % 5 == 0 { held = number % 10 == 0 ? try database.snapshot() : nil }
    }
    withExtendedLifetime(held) {}
}

func pin(_ path: String, _ label: String) throws {
    let database = try Database.open(path, cipher: cipher)
    let snapshot = try database.snapshot(label: label)
    report("\(snapshot.version)")
    while true { sleep(1000) }
}

let option = "--encrypted"
let cipher = CommandLine.arguments.contains(option) ? QuickCipher() : nil
let arguments = CommandLine.arguments.filter { $0 != option }

func sharedWork(_ seed: String = "") -> SharedWork { SharedWork(arguments[2], cipher, UInt64(seed) ?? 0) }

do {
    switch (arguments.dropFirst().first, arguments.count) {
    case ("commit", 4): try commit(arguments[2], UInt64(arguments[3]) ?? 0)
    case ("write", 6):
        try sharedWork(arguments[3]).write(log: arguments[4], Int64(arguments[5]) ?? 0)
    case ("visit", 6):
        try sharedWork(arguments[3]).visit(log: arguments[4], Int64(arguments[5]) ?? 0)
    case ("names", 6):
        try sharedWork(arguments[3]).rename(log: arguments[4], Int64(arguments[5]) ?? 0)
    case ("fork", 3): try ForkedWork(arguments[2], cipher).run()
    case ("read", 4): try sharedWork(arguments[3]).read()
    case ("import", 3): try sharedWork().importMuch()
    case ("turns", 4): try sharedWork().takeTurns(Int64(arguments[3]) ?? 0)
    case ("compact", 4): try sharedWork(arguments[3]).compact()
    case ("pin", 4): try pin(arguments[2], arguments[3])
    default:
        report("usage: regnum-crash-child [--encrypted] WORK FILE …, see main.swift")
        exit(2)
    }
} catch {
    report("failed: \(error)")
    exit(1)
}
