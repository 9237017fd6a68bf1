// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// The data for the workloads of one run: both databases filled with the same people, databases for topics, and files
/// for one round. Each is created at its first use, which is in a warm-up round.
final class TestFixture {
    let people: People
    let folder: URL
    /// The result of a workload's `prepare` for the round.
    var prepared: Any?
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
    /// All people in SQLite, with all content in the main file.
    var queue: DatabaseQueue { filledQueue }

    var realmURL: URL {
        _ = filledRealm
        return PersonDatabase.realmURL(folder)
    }

    var queueURL: URL {
        _ = filledQueue
        return PersonDatabase.queueURL(folder)
    }

    /// The databases of a topic, created by `make` in their own folder, and dropped after the first workload that
    /// doesn't use them.
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

    /// SQLite with a write-ahead journal and durable commits, like Realm's.
    static func openWAL(_ url: URL) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        // GRDB's own `journalMode` delays the flush of commits until the next checkpoint.
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    func prepared<Value>(as type: Value.Type = Value.self) throws -> Value {
        guard let value = prepared as? Value else { throw NotPrepared(type: "\(type)") }
        return value
    }

    struct NotPrepared: Error {
        let type: String
    }

    /// The URL of a file that is removed after the round, with its auxiliary files.
    func scratchURL(_ suffix: String) throws -> URL {
        let place = folder.appendingPathComponent("round-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        scratch.append(place)
        return TestFixture.scratchFile(in: place, suffix)
    }

    private static func scratchFile(in place: URL, _ suffix: String) -> URL {
        place.appendingPathComponent("copy.\(suffix)")
    }

    /// A copy for one round, already on disk so that the round's first commit doesn't wait for it.
    func scratchCopy(of url: URL) throws -> URL {
        let copy = try scratchURL(url.pathExtension)
        try FileManager.default.copyItem(at: url, to: copy)
        let file = try FileHandle(forUpdating: copy)
        try file.synchronize()
        try file.close()
        return copy
    }

    /// Deletes the data of the round, and Realms like an app does. Otherwise the space of a file that was just closed
    /// would be freed during the next round.
    func finishRound() {
        prepared = nil
        for url in scratch {
            _ = try? Realm.deleteFiles(for: .init(fileURL: TestFixture.scratchFile(in: url, "realm")))
            try? FileManager.default.removeItem(at: url)
        }
        scratch.removeAll()
    }

    func finishWorkload() {
        watchers.removeAll()
        for (key, topic) in topics {
            topics[key] = topic.isUsed ? MadeTopic(bed: topic.bed, folder: topic.folder, isUsed: false) : nil
            if !topic.isUsed { try? FileManager.default.removeItem(at: topic.folder) }
        }
    }

    /// No workload can continue without its data.
    private func required<Value>(_ make: () throws -> Value) -> Value {
        do {
            return try make()
        } catch {
            print("the benchmark's databases cannot be made: \(error)")
            exit(1)
        }
    }
}
