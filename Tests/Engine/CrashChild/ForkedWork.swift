// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport

/// Swift marks `fork` as unavailable, since most programs have several threads.
@_silgen_name("fork") private func systemFork() -> Int32

/// A process that forks while it has the file open; parent and child continue.
struct ForkedWork {
    private let path: String
    private let cipher: QuickCipher?

    init(_ path: String, _ cipher: QuickCipher?) { (self.path, self.cipher) = (path, cipher) }

    func run() throws {
        var database: Database? = try Database.open(path, cipher: cipher)
        try add(1, 1, to: database)
        var held: Snapshot? = try database?.snapshot(label: "held")
        var inherited: WriteTransaction? = try database?.beginWrite()
        let child = systemFork()
        try require(child != -1, "no second process")
        if child == 0 {
            try inChild(&database, &held, &inherited)
            report("child is done")
            exit(0)
        }
        var status: Int32 = 0
        _ = waitpid(child, &status, 0)
        try require(status == 0, "the child failed")
        // Everything the child released is still ours.
        if let transaction = inherited {
            try ExpectedCommits.add(1, 2, transaction)
            try transaction.commit()
        }
        try add(1, 3, to: database)
        if let held { try require(try ExpectedCommits.counts(held) == [1: 1], "a held version has changed") }
        let pins = try database?.pins().map(\.label) ?? []
        try require(pins == ["held"], "pins: \(pins)")
        try inNext(database)
        report("parent is done")
    }

    /// The child only reads, because its own opening would wait for the parent's transaction.
    private func inChild(
        _ database: inout Database?, _ held: inout Snapshot?, _ inherited: inout WriteTransaction?
    ) throws {
        try refuses("begin") { _ = try database?.beginWrite() }
        try refuses("commit") { try inherited?.commit() }
        try refuses("snapshot") { _ = try database?.snapshot() }
        try refuses("compact") { _ = try database?.compact() }
        inherited = nil
        held = nil
        database = nil
        let own = try Database.open(path, cipher: cipher)
        try require(try ExpectedCommits.counts(own.snapshot()) == [1: 1], "the child reads something else")
    }

    private func inNext(_ database: Database?) throws {
        let child = systemFork()
        if child == 0 {
            try add(2, 1, to: try Database.open(path, cipher: cipher))
            exit(0)
        }
        for number in 4...8 { try add(1, Int64(number), to: database) }
        var status: Int32 = 0
        _ = waitpid(child, &status, 0)
        try require(status == 0, "the second child failed")
        guard let database else { return }
        try require(try ExpectedCommits.counts(database.snapshot()) == [1: 8, 2: 1], "commits are lost")
    }

    private func add(_ writer: Int64, _ number: Int64, to database: Database?) throws {
        try database?.write { try ExpectedCommits.add(writer, number, $0) }
    }

    private func refuses(_ what: String, _ body: () throws -> Void) throws {
        do { try body() } catch let error as StorageError where error.code == .writeRefused {
            return report("\(what): \(error.message)")
        }
        throw Failure("\(what) was not refused")
    }
}
