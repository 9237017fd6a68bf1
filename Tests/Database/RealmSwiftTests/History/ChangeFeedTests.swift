// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmSwift

/// The change feed: commits of this process and of others, as values.
@Suite struct ChangeFeedTests {
    private func folder() throws -> (TemporaryFolder, Realm.Configuration) {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/test.realm")
        return (folder, Realm.Configuration(fileURL: url, objectTypes: HistoryPerson.types))
    }

    private static func write(_ configuration: Realm.Configuration, _ ids: Range<Int>) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        for id in ids {
                            let realm = try Realm(configuration: configuration)
                            try realm.write {
                                realm.create(HistoryPerson.self, value: ["id": id], update: .modified).age += 1
                            }
                        }
                    })
            }
        }
    }

    @Test func commitsArriveInOrder() async throws {
        let (folder, configuration) = try folder()
        let feed = try await Realm.changeFeed(configuration: configuration)
        try await Self.write(configuration, 0..<3)
        async let writing: Void = Self.write(configuration, 3..<40)
        var ids: [Int64] = []
        var last: UInt64?
        for try await changes in feed {
            #expect(!changes.isEmpty && (last == nil || last == changes.oldVersion))
            last = changes.newVersion
            for record in try changes.records() {
                #expect(record.kind == .inserted && record.new["age"] == .int(1))
                if case .int(let id)? = record.object.primaryKey { ids.append(id) }
            }
            if ids.count == 40 { break }
        }
        try await writing
        #expect(ids == Array(0..<40))
        var iterator = feed.makeAsyncIterator()
        let all = try await iterator.next()
        #expect(all?["HistoryPerson"]?.inserted.count == 40)
        _ = folder
    }

    @Test func aSlowReaderGetsOneChange() async throws {
        let (folder, configuration) = try folder()
        let feed = try await Realm.changeFeed(configuration: configuration)
        var iterator = feed.makeAsyncIterator()
        try await Self.write(configuration, 0..<20)
        let first = try #require(try await iterator.next())
        #expect(first["HistoryPerson"]?.inserted.count == 20 && first.newVersion >= first.oldVersion + 20)
        try await Self.write(configuration, 0..<5)
        let second = try #require(try await iterator.next())
        #expect(second["HistoryPerson"]?.modified.map(\.properties) == Array(repeating: ["age"], count: 5))
        _ = folder
    }

    @Test func cancellingEndsIt() async throws {
        let (folder, configuration) = try folder()
        let feed = try await Realm.changeFeed(configuration: configuration)
        let task = Task {
            var count = 0
            for try await _ in feed { count += 1 }
            return count
        }
        try await Self.write(configuration, 0..<1)
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(try await task.value <= 1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = feed.makeAsyncIterator()
            return try await iterator.next() == nil
        }
        #expect(try await late.value)
        _ = folder
    }

    @Test func fromAVersionThatWasKept() async throws {
        let (folder, configuration) = try folder()
        let feed = try Self.feedSinceKept(configuration)
        var iterator = feed.makeAsyncIterator()
        let changes = try #require(try await iterator.next())
        #expect(changes["HistoryPerson"]?.inserted.map(\.object.primaryKey) == [.int(7)])
        _ = folder
    }

    private static func feedSinceKept(_ configuration: Realm.Configuration) throws -> Realm.ChangeFeed {
        let realm = try Realm(configuration: configuration)
        let kept = realm.freeze(label: "kept")
        try realm.write { realm.create(HistoryPerson.self, value: ["id": 7]) }
        #expect(try realm.changeFeed().startVersion == realm.version)
        return try realm.changeFeed(since: kept)
    }

    @Test func otherProcesses() async throws {
        let (folder, configuration) = try folder()
        let feed = try await Realm.changeFeed(configuration: configuration)
        let reading = Task {
            var ids: Set<Int64> = []
            for try await changes in feed {
                for record in try changes.records() {
                    if case .int(let id)? = record.object.primaryKey { ids.insert(id) }
                }
                if ids.count == 10 { break }
            }
            return ids
        }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let url = URL(fileURLWithPath: path + "/test.realm")
            let configuration = Realm.Configuration(fileURL: url, objectTypes: HistoryPerson.types)
            let realm = try Realm(configuration: configuration)
            for id in 0..<10 { try realm.write { realm.create(HistoryPerson.self, value: ["id": id]) } }
        }
        #expect(try await reading.value == Set(0..<10))
    }
}
