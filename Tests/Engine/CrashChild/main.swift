// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport

// Works on the database named by the argument FILE, in one of several ways, until it is killed.
//
//   commit FILE SEED            commits without end, and prints the number of each version when its commit has returned
//   write FILE SEED LOG WRITER  commits while others do, and appends the number of each commit that returned to LOG
//   visit FILE SEED LOG WRITER  as write, and reopens the file each time
//   names FOLDER SEED LOG WRITER  as visit, by all names of the file in FOLDER; prints a line when it is rejected
//   fork FILE                   opens the file and forks; prints what the two processes find, and ends
//   read FILE SEED              reads and verifies what others commit
//   import FILE                 makes large commits without a pause, and prints the version of each
//   turns FILE WRITER           makes small commits without a pause, and prints a line after the first
//   compact FILE SEED           compacts and commits, and prints the version of each commit
//   pin FILE LABEL              pins the newest version, and prints it
//   narrow FILE MEGABYTES       does a bit of everything with so much address space, and prints a line
//   hold FILE                   begins a write, prints a line, and does not end it
//   wait FILE                   the same, but prints a line once the file is open, too
//   agent FILE                  becomes the agent of a synchronised file, prints a line, and remains it
//
// With --encrypted before these the file is an encrypted one, and with --read-only it is opened for reading only.

/// Unbuffered, so that the line is written even if the process is killed.
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

/// Grows a file to 40 MB in steps and compacts it, while pinned versions are read.
func narrow(_ path: String, _ megabytes: UInt64) throws {
    #if canImport(Glibc)
        var limit = rlimit(rlim_cur: rlim_t(megabytes << 20), rlim_max: rlim_t(megabytes << 20))
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { throw Failure("no limit") }
    #endif
    let database = try Database.open(path, cipher: cipher)
    let (table, column) = try database.write { transaction in
        let table = try transaction.schema.addTable("class_Large")
        return (table, try transaction.schema.addColumn("data", .binary, to: table))
    }
    var (held, objects): ([Snapshot], [ObjectKey]) = ([], [])
    for number in 0..<20 {
        try database.write { transaction in
            let object = try transaction.createObject(in: table)
            objects.append(object)
            try transaction.set(
                .binary([UInt8](repeating: UInt8(number), count: 2_000_000)), column, of: object, in: table)
        }
        if number % 5 == 0 { held.append(try database.snapshot()) }
    }
    for (index, snapshot) in held.enumerated() {
        try require(try snapshot.table(table)?.count() == 5 * index + 1, "a held version is another one")
    }
    held = []
    try database.write { try $0.removeObjects(Array(objects.prefix(10)), from: table) }
    try require(try database.compact(), "not compacted")
    try require(try database.snapshot().table(table)?.count() == 10, "objects are missing")
    report("done")
}

func hold(_ path: String, reportsOpening: Bool = false) throws {
    let database = try Database.open(path, cipher: cipher)
    if reportsOpening { report("opened") }
    let transaction = try database.beginWrite()
    report("ready")
    while transaction.isOpen { sleep(1000) }
}

func serve(_ path: String) throws {
    let agency = try Database.open(path, cipher: cipher).syncAgency()
    guard try agency?.tryToBecomeAgent() == true else { throw Failure("another process is the agent") }
    report("ready")
    while agency?.isAgent == true { sleep(1000) }
}

let cipher = CommandLine.arguments.contains("--encrypted") ? QuickCipher() : nil
let isReadOnly = CommandLine.arguments.contains("--read-only")
let arguments = CommandLine.arguments.filter { !$0.hasPrefix("--") }

func sharedWork(_ seed: String = "") -> SharedWork {
    SharedWork(arguments[2], cipher, readOnly: isReadOnly, UInt64(seed) ?? 0)
}

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
    case ("narrow", 4): try narrow(arguments[2], UInt64(arguments[3]) ?? 0)
    case ("hold", 3): try hold(arguments[2])
    case ("wait", 3): try hold(arguments[2], reportsOpening: true)
    case ("agent", 3): try serve(arguments[2])
    case ("pin", 4): try pin(arguments[2], arguments[3])
    default:
        report("usage: regnum-crash-child [--encrypted] WORK FILE …, see main.swift")
        exit(2)
    }
} catch {
    report("failed: \(error)")
    exit(1)
}
