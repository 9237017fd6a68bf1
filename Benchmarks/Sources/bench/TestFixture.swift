// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// What the workloads of one run work on: both databases filled with the same people, databases for topics, and files
/// for one round. Everything is made when it is first asked for, which is in a round that is not measured.
final class TestFixture {
    let people: People
    let folder: URL
    /// What a workload's `prepare` leaves for the round.
    var prepared: Any?
    /// By workload: who observes.
    var watchers: [String: Watcher] = [:]
    private var topics: [ObjectIdentifier: MadeTopic] = [:]
    private var scratch: [URL] = []
    private lazy var filledRealm = required { try PersonDatabase.makeRealm(folder, people) }
    private lazy var filledQueue = required { try PersonDatabase.makeQueue(folder, people) }

    private struct MadeTopic {
        let bed: AnyObject
        let folder: URL
        var isUsed = true
    }

    init(folder: URL, people: People) {
        self.people = people
        self.folder = folder
    }

    /// All people, in a file that no workload changes.
    var realm: Realm { filledRealm }
    /// The same in SQLite, and everything of it in the main file.
    var queue: DatabaseQueue { filledQueue }

    var realmURL: URL {
        _ = filledRealm
        return PersonDatabase.realmURL(folder)
    }

    var queueURL: URL {
        _ = filledQueue
        return PersonDatabase.queueURL(folder)
    }

    /// The databases of a topic, made by `make` in a folder of their own, and dropped after the first workload that
    /// does not ask for them.
    func topic<Bed: AnyObject>(_ type: Bed.Type, _ make: (URL) throws -> Bed) throws -> Bed {
        let key = ObjectIdentifier(type)
        if let bed = topics[key]?.bed as? Bed {
            topics[key]?.isUsed = true
            return bed
        }
        let folder = folder.appendingPathComponent("\(type)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bed = try make(folder)
        topics[key] = MadeTopic(bed: bed, folder: folder)
        return bed
    }

    /// SQLite with a journal for writing ahead, and commits that are on disk when they return, as Realm's are.
    static func openWAL(_ url: URL) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        // GRDB's own `journalMode` leaves commits to the next checkpoint.
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    /// What `prepare` has left.
    func prepared<Value>(as type: Value.Type = Value.self) throws -> Value {
        guard let value = prepared as? Value else { throw NotPrepared(type: "\(type)") }
        return value
    }

    struct NotPrepared: Error {
        let type: String
    }

    /// A place for a file that is removed after the round, with what lies beside it.
    func scratchURL(_ suffix: String) throws -> URL {
        let place = folder.appendingPathComponent("round-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        scratch.append(place)
        return TestFixture.scratchFile(in: place, suffix)
    }

    private static func scratchFile(in place: URL, _ suffix: String) -> URL {
        place.appendingPathComponent("copy.\(suffix)")
    }

    /// A copy for one round, on disk already so that the round's first commit does not wait for it.
    func scratchCopy(of url: URL) throws -> URL {
        let copy = try scratchURL(url.pathExtension)
        try FileManager.default.copyItem(at: url, to: copy)
        let file = try FileHandle(forUpdating: copy)
        try file.synchronize()
        try file.close()
        return copy
    }

    /// Drops what was made for the round, Realms as an app does: without that, the space of a file that was closed just
    /// now would be freed while the next round is measured.
    func finishRound() {
        prepared = nil
        for url in scratch {
            _ = try? Realm.deleteFiles(for: .init(fileURL: TestFixture.scratchFile(in: url, "realm")))
            try? FileManager.default.removeItem(at: url)
        }
        scratch.removeAll()
    }

    /// Drops what the workload has not used.
    func finishWorkload() {
        watchers.removeAll()
        for (key, topic) in topics {
            topics[key] = topic.isUsed ? MadeTopic(bed: topic.bed, folder: topic.folder, isUsed: false) : nil
            if !topic.isUsed { try? FileManager.default.removeItem(at: topic.folder) }
        }
    }

    /// Without its data no workload can go on.
    private func required<Value>(_ make: () throws -> Value) -> Value {
        do {
            return try make()
        } catch {
            print("the benchmark's databases cannot be made: \(error)")
            exit(1)
        }
    }
}
