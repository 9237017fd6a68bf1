// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport

struct SharedWork {
    private let path: String
    private let cipher: QuickCipher?
    private let isReadOnly: Bool
    private var generator: SeededGenerator

    init(_ path: String, _ cipher: QuickCipher?, readOnly: Bool, _ seed: UInt64) {
        (self.path, self.cipher, isReadOnly) = (path, cipher, readOnly)
        generator = SeededGenerator(seed: seed)
    }

    func write(log: String, _ writer: Int64) throws {
        var generator = generator
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard descriptor != -1 else { throw Failure("no log") }
        let database = try Database.open(path, cipher: cipher)
        var workload = Workload(SeededGenerator(seed: generator.next()), size: 20)
        var number: Int64 = 0
        var held: Snapshot?
        while true {
            let transaction = try database.beginWrite()
            try workload.change(transaction)
            try ExpectedCommits.add(writer, number + 1, transaction)
            if generator.chance(10) {
                transaction.rollback()
            } else {
                let version = try transaction.commit()
                number += 1
                report("\(number) \(version)", to: descriptor)
            }
            if generator.chance(20) { held = generator.chance(50) ? try database.snapshot(label: "writer") : nil }
            if let held, generator.chance(10) { try Workload.verify(held) }
            if generator.chance(5) { usleep(useconds_t(generator.below(20_000))) }
        }
    }

    private func opened() throws -> Database {
        try Database.open(path, readOnly: isReadOnly, joining: .always, cipher: cipher)
    }

    /// Opens the file as soon as a read-only opening succeeds.
    private func openOnceItIsMade() throws -> Database {
        while true {
            do {
                return try opened()
            } catch let error as StorageError where isReadOnly && [.notFound, .invalidDatabase].contains(error.code) {
                usleep(1000)
            }
        }
    }

    /// Reads: every version is whole, none is older than one before, and a pinned version doesn't change.
    func read() throws {
        var generator = generator
        var database = try openOnceItIsMade()
        var held: [Snapshot] = []
        var newest: UInt64 = 0
        while true {
            let known = generator.chance(50) ? database.version : newest
            try require(known >= newest, "the version went back from \(newest) to \(known)")
            let snapshot = try database.snapshot(label: "reader")
            try require(snapshot.version >= known, "version \(snapshot.version) after \(known)")
            newest = snapshot.version
            try Workload.verify(snapshot)
            if generator.chance(30) { held.append(snapshot) }
            if let old = held.randomElement(using: &generator) { try Workload.verify(old) }
            if held.count > 3 { held.remove(at: generator.below(held.count)) }
            if generator.chance(5) { held = [] }
            if generator.chance(3) { database = try opened() }
            if generator.chance(20) { usleep(useconds_t(generator.below(5_000))) }
        }
    }

    /// Like `write`, but reopens the file each time, so that sessions begin and end. The version found on opening is
    /// pinned and verified.
    func visit(log: String, _ writer: Int64) throws {
        var generator = generator
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard descriptor != -1 else { throw Failure("no log") }
        var workload = Workload(SeededGenerator(seed: generator.next()), size: 20)
        var (number, newest): (Int64, UInt64) = (0, 0)
        while true {
            let database = try Database.open(path, cipher: cipher, holder: generator.chance(80) ? "visitor" : nil)
            let found = try database.openedSnapshot() ?? database.snapshot()
            try require(found.version >= newest, "the version went back from \(newest) to \(found.version)")
            newest = found.version
            try Workload.verify(found)
            if generator.chance(30) {
                let transaction = try database.beginWrite()
                try workload.change(transaction)
                try ExpectedCommits.add(writer, number + 1, transaction)
                newest = try transaction.commit()
                number += 1
                report("\(number) \(newest)", to: descriptor)
            }
            if generator.chance(50) { usleep(useconds_t(generator.below(3_000))) }
            try Workload.verify(found)
        }
    }

    /// Opens one file by each of its names from `FileNames` in the folder of the argument, and commits if that
    /// succeeds. An opening may be rejected while others have the file open under another name.
    func rename(log: String, _ writer: Int64) throws {
        var generator = generator
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard descriptor != -1 else { throw Failure("no log") }
        var workload = Workload(SeededGenerator(seed: generator.next()), size: 20)
        var number: Int64 = 0
        while true {
            let name = FileNames.all[generator.below(FileNames.all.count)]
            do {
                let database = try Database.open(path + "/" + name, cipher: cipher)
                for _ in 0...generator.below(3) {
                    try Workload.verify(database.snapshot())
                    let transaction = try database.beginWrite()
                    try workload.change(transaction)
                    try ExpectedCommits.add(writer, number + 1, transaction)
                    let version = try transaction.commit()
                    number += 1
                    report("\(number) \(version)", to: descriptor)
                }
            } catch let error as StorageError where error.code == .alreadyOpen {
                report("refused", to: STDOUT_FILENO)
            }
            usleep(useconds_t(generator.below(8_000)))
        }
    }

    /// Makes small commits without a pause. Long waits are reported, as in an app, so each wait has a thread of its
    /// own.
    func takeTurns(_ writer: Int64) throws {
        var options = OpenOptions()
        options.patience.report = { _ in }
        let database = try Database.open(path, cipher: cipher, options: options)
        for number in 1... {
            try database.write { try ExpectedCommits.add(writer, Int64(number), $0) }
            if number == 1 { report("ready") }
        }
    }

    /// Compacts the file before each commit. Sometimes reopens it and compacts first, like an app that compacts on
    /// launch.
    func compact() throws {
        var generator = generator
        var workload = Workload(SeededGenerator(seed: generator.next()), size: 20)
        while true {
            let database = try Database.open(path, cipher: cipher)
            for _ in 0...generator.below(3) {
                try require(try database.compact(), "no other process is there, and yet nothing was compacted")
                report("\(try workload.commit(to: database))")
            }
        }
    }

    func importMuch() throws {
        let database = try Database.open(path, cipher: cipher)
        for number in 0... {
            try database.write { transaction in
                let name = "class_Import"
                let table = try transaction.table(named: name)?.key ?? transaction.schema.addTable(name)
                if number % 10 == 0 { try transaction.clear(table) }
                let column =
                    try transaction.table(table)?.column(named: "data")?.key
                    ?? transaction.schema.addColumn("data", .binary, to: table)
                for _ in 0..<1000 {
                    let object = try transaction.createObject(in: table)
                    try transaction.set(.binary(Array(repeating: 7, count: 100)), column, of: object, in: table)
                }
            }
            report("\(database.version)")
        }
    }
}
