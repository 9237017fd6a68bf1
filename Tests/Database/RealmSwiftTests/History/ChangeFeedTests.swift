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
        let feed = try await Realm.ChangeFeed(configuration: configuration)
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
        let feed = try await Realm.ChangeFeed(configuration: configuration)
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
        let feed = try await Realm.ChangeFeed(configuration: configuration)
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
        let kept = try realm.snapshot(label: "kept")
        try realm.write { realm.create(HistoryPerson.self, value: ["id": 7]) }
        #expect(try Realm.ChangeFeed(since: Frozen(realm)).startVersion == realm.version)
        return try Realm.ChangeFeed(since: kept)
    }

    @Test func aStoredTokenContinuesInALaterProcess() async throws {
        let (folder, configuration) = try folder()
        let stored = try await Self.stored(configuration)
        await #expect(processExitsWith: .success) { [path = folder.path as String, stored = stored as Data] in
            let url = URL(fileURLWithPath: path + "/test.realm")
            let configuration = Realm.Configuration(fileURL: url, objectTypes: HistoryPerson.types)
            let token = try JSONDecoder().decode(Realm.ChangeFeed.ResumeToken.self, from: stored)
            let feed = try await Realm.ChangeFeed(configuration: configuration, since: token)
            #expect(feed.startVersion == token.version && feed.startToken == token)
            try await ChangeFeedTests.write(configuration, 3..<4)
            var iterator = feed.makeAsyncIterator()
            let changes = try #require(try await iterator.next())
            #expect(changes["HistoryPerson"]?.inserted.map(\.object.primaryKey) == [.int(3)])
        }
        _ = folder
    }

    private static func stored(_ configuration: Realm.Configuration) async throws -> Data {
        let feed = try await Realm.ChangeFeed(configuration: configuration)
        try await write(configuration, 0..<3)
        var iterator = feed.makeAsyncIterator()
        let changes = try #require(try await iterator.next())
        return try JSONEncoder().encode(changes.resumeToken)
    }

    @Test func aPinnedVersionCanBeResumed() async throws {
        let (folder, configuration) = try folder()
        let (token, kept) = try Self.tokenOfKept(configuration)
        try await Self.write(configuration, 0..<9)
        var iterator = try await Realm.ChangeFeed(configuration: configuration, since: token).makeAsyncIterator()
        let changes = try #require(try await iterator.next())
        #expect(changes["HistoryPerson"]?.inserted.count == 9 && changes.oldVersion == kept.version)
        _ = folder
    }

    @Test func aTokenOfALostVersionIsAnError() async throws {
        let (folder, configuration) = try folder()
        let token = try Self.tokenOfKept(configuration).token
        try await Self.write(configuration, 0..<9)
        let error = await #expect(throws: Realm.Error.self) {
            try await Realm.ChangeFeed(configuration: configuration, since: token)
        }
        #expect(error?.code == .versionNotFound)
        #expect(error?.message.contains("begin a feed without a token") == true)
        _ = folder
    }

    @Test(arguments: ["version", "topRef", "byteCount", "file"], [0, 9_000_001, UInt64.max])
    func aTokenWithAWrongNumberIsAnError(_ field: String, _ number: UInt64) async throws {
        let (folder, configuration) = try folder()
        let stored = try await Self.stored(configuration)
        var fields = try JSONDecoder().decode([String: UInt64].self, from: stored)
        #expect(Set(fields.keys) == ["version", "topRef", "byteCount", "file"])
        fields[field] = number
        let wrong = try JSONDecoder().decode(
            Realm.ChangeFeed.ResumeToken.self, from: try JSONEncoder().encode(fields))
        await #expect(throws: Realm.Error(.versionNotFound)) {
            try await Realm.ChangeFeed(configuration: configuration, since: wrong)
        }
        _ = folder
    }

    @Test func aVersionPinnedByAnotherProcessCanBeResumed() async throws {
        let (folder, configuration) = try folder()
        let (token, kept) = try Self.tokenOfKept(configuration)
        try await Self.write(configuration, 0..<9)
        let stored = try JSONEncoder().encode(token)
        await #expect(processExitsWith: .success) { [path = folder.path as String, stored = stored as Data] in
            let url = URL(fileURLWithPath: path + "/test.realm")
            let configuration = Realm.Configuration(fileURL: url, objectTypes: HistoryPerson.types)
            let token = try JSONDecoder().decode(Realm.ChangeFeed.ResumeToken.self, from: stored)
            let feed = try await Realm.ChangeFeed(configuration: configuration, since: token)
            // The feed has a pin of its own.
            #expect(feed.startVersion == token.version)
            var iterator = feed.makeAsyncIterator()
            let changes = try #require(try await iterator.next())
            #expect(changes["HistoryPerson"]?.inserted.count == 9)
        }
        withExtendedLifetime(kept) {}
        _ = folder
    }

    /// A new file at the same path has versions with the same numbers, and often the inode of the deleted one.
    @Test func aTokenOfADeletedFileIsAnError() async throws {
        let (folder, configuration) = try folder()
        let tokens = URL(fileURLWithPath: folder.path + "/token.json")
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let url = URL(fileURLWithPath: path + "/test.realm")
            let configuration = Realm.Configuration(fileURL: url, objectTypes: HistoryPerson.types)
            try await ChangeFeedTests.stored(configuration).write(to: URL(fileURLWithPath: path + "/token.json"))
        }
        let old = try JSONDecoder().decode(Realm.ChangeFeed.ResumeToken.self, from: try Data(contentsOf: tokens))
        #expect(try Realm.deleteFiles(for: configuration))
        let stored = try await Self.stored(configuration)
        let new = try JSONDecoder().decode(Realm.ChangeFeed.ResumeToken.self, from: stored)
        #expect(new.version == old.version)
        await #expect(throws: Realm.Error(.versionNotFound)) {
            try await Realm.ChangeFeed(configuration: configuration, since: old)
        }
        #expect(try await Realm.ChangeFeed(configuration: configuration, since: new).startToken == new)
        _ = folder
    }

    @Test func aTokenOfADatabaseInMemoryIsValidWhileItExists() async throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "ChangeFeedTests.token", objectTypes: HistoryPerson.types)
        let feed = try await Realm.ChangeFeed(configuration: configuration)
        let again = try await Realm.ChangeFeed(configuration: configuration, since: feed.startToken)
        #expect(again.startVersion == feed.startVersion)
    }

    private static func tokenOfKept(
        _ configuration: Realm.Configuration
    ) throws -> (token: Realm.ChangeFeed.ResumeToken, kept: Frozen<Realm>) {
        let kept = try Realm(configuration: configuration).snapshot(label: "kept")
        return (try Realm.ChangeFeed(since: kept).startToken, kept)
    }

    @Test func otherProcesses() async throws {
        let (folder, configuration) = try folder()
        let feed = try await Realm.ChangeFeed(configuration: configuration)
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
