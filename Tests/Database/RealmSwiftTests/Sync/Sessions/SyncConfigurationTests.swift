// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Servers identify objects by a key of this name.
private final class Letter: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
}

private final class MissingLetter: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
}

private func openReadOnly(_ body: (Realm) throws -> Void) async throws {
    let test = try TestApp()
    let user = try await test.login()
    var configuration = user.configuration(partitionValue: "x")
    configuration.objectTypes = [Letter.self]
    func open(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
        try body(try Realm(configuration: configuration))
    }
    try open(configuration) { realm in try realm.write { realm.add(Letter()) } }
    configuration.readOnly = true
    try open(configuration, body)
}

/// Configurations of partitions: their files (§1.13), their contents, and opening without a server.
@Suite struct SyncConfigurationTests: TrapSuite {
    static let names: [(AnyBSON, String)] = [
        ("team-1", "s_team-1"), (.int32(-5), "i_-5"), (.int64(5), "l_5"),
        (.objectId(ObjectId("0123456789abcdef01234567")), "o_0123456789abcdef01234567"),
        (.uuid(AnyBSONTests.uuid), "u_00112233-4455-6677-8899-aabbccddeeff"), (.null, "null"), ("", "s_"),
        ("a b/é", "s_a%20b%2F%C3%A9"), ("\u{1}", "s_% 1"), ("..", "s_.."),
    ]

    @Test(arguments: names.indices) func partitionsNameFiles(_ index: Int) async throws {
        let (value, name) = Self.names[index]
        let test = try TestApp()
        let user = try await test.login()
        let configuration = user.configuration(partitionValue: value)
        #expect(configuration.fileURL?.path == test.folder + "/user-1/" + name + ".realm")
        #expect(configuration.syncConfiguration?.partitionValue == value)
        #expect(configuration.syncConfiguration?.user === user)
        guard case .recoverUnsyncedChanges? = configuration.syncConfiguration?.clientResetMode else {
            Issue.record("another mode than the default")
            return
        }
    }

    @Test func typesSelectPartitions() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let configuration = user.configuration(
            partitionValue: "x", clientResetMode: .manual(), cancelAsyncOpenOnNonFatalErrors: true)
        #expect(configuration.syncConfiguration?.partitionValue == .string("x"))
        #expect(configuration.syncConfiguration?.cancelAsyncOpenOnNonFatalErrors == true)
        #expect(user.configuration(partitionValue: 5).syncConfiguration?.partitionValue == .int64(5))
        #expect(user.configuration(partitionValue: 5) == user.configuration(partitionValue: 5))
        #expect(user.configuration(partitionValue: 5) != user.configuration(partitionValue: "5"))
    }

    @Test func longNamesAreHashed() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let path = try #require(user.configuration(partitionValue: String(repeating: "x", count: 300)).fileURL?.path)
        let name = path.dropFirst(test.folder.count + 1).dropLast(".realm".count)
        #expect(path.hasPrefix(test.folder) && name.count == 64 && name.allSatisfy(\.isHexDigit))
    }

    @Test func userNamesDoNotEscapeTheirFolder() {
        let folder = SyncFolder(root: URL(fileURLWithPath: "/root"), appId: "..")
        #expect(folder.path == "/root/mongodb-realm/%2E%2E")
        #expect(folder.userFolder("../x") == folder.path + "/..%2Fx" && folder.userFolder(".") == folder.path + "/%2E")
    }

    /// Opening doesn't wait for the network, and creates a synchronised file, which nothing else may write to.
    @Test func aRealmOpensWithoutAServer() async throws {
        let test = try TestApp()
        let user = try await test.login()
        var configuration = user.configuration(partitionValue: "x")
        configuration.objectTypes = [Letter.self]
        func open(_ configuration: Realm.Configuration) throws -> Int {
            let realm = try Realm(configuration: configuration)
            if configuration.syncConfiguration != nil {
                try realm.write { realm.add(Letter()) }
                #expect(realm.syncSession === user.session(forPartitionValue: "x"))
                #expect(user.allSessions.count == 1 && user.session(forPartitionValue: "y") == nil)
            }
            return realm.objects(Letter.self).count
        }
        #expect(try open(configuration) == 1)
        while !user.allSessions.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        var local = configuration
        local.syncConfiguration = nil
        #expect(throws: Realm.Error.self) { _ = try open(local) }
        local.storage.convertsSyncedFile = true
        #expect(try open(local) == 1)
    }

    // MARK: Other settings

    @Test func aRealmIsSynchronisedOrInMemory() async throws {
        let user = try await TestApp().login()
        var configuration = user.configuration(partitionValue: "x")
        let file = configuration.fileURL
        configuration.inMemoryIdentifier = "memory"
        #expect(configuration.syncConfiguration == nil && configuration.fileURL == nil)
        configuration.syncConfiguration = user.configuration(partitionValue: "x").syncConfiguration
        #expect(configuration.inMemoryIdentifier == nil && configuration.fileURL == file && file != nil)
        let both = Realm.Configuration(
            inMemoryIdentifier: "memory", syncConfiguration: configuration.syncConfiguration)
        #expect(both.inMemoryIdentifier == nil && both.fileURL == file)
        let chosen = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/chosen.realm"), syncConfiguration: configuration.syncConfiguration)
        #expect(chosen.fileURL?.path == "/chosen.realm")
    }

    private static let refusedDeletion =
        "Cannot set 'deleteRealmIfMigrationNeeded' when sync is enabled ('syncConfig' is set)."

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap(Self.refusedDeletion) {
            var configuration = try await TestApp().login().configuration(partitionValue: "x")
            configuration.deleteRealmIfMigrationNeeded = true
        },
        Trap(Self.refusedDeletion) {
            var configuration = Realm.Configuration(deleteRealmIfMigrationNeeded: true)
            configuration.syncConfiguration = try await TestApp().login().configuration(partitionValue: "x")
                .syncConfiguration
        },
        Trap(Self.refusedDeletion) {
            let sync = try await TestApp().login().configuration(partitionValue: "x").syncConfiguration
            _ = Realm.Configuration(syncConfiguration: sync, deleteRealmIfMigrationNeeded: true)
        },
        Trap("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.") {
            var configuration = try await TestApp().login().configuration(partitionValue: "x")
            configuration.readOnly = true
            configuration.shouldCompactOnLaunch = { _, _ in true }
            let settings = configuration
            _ = try { try Realm(configuration: settings) }()
        },
        Trap("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.") {
            var configuration = try await TestApp().login().configuration(partitionValue: "x")
            configuration.readOnly = true
            configuration.shouldCompactOnLaunch = { _, _ in true }
            Realm.asyncOpen(configuration: configuration) { _ in }
        },
        Trap("Object type 'MissingLetter' is not managed by the Realm.") {
            try await openReadOnly { _ = $0.objects(MissingLetter.self) }
        },
        Trap("`subscribe` can only be called on main thread or actor-isolated Realms") {
            let queue = DispatchQueue(label: "queue")
            nonisolated(unsafe) let letters = try queue.sync {
                let configuration = Realm.Configuration(inMemoryIdentifier: "letters", objectTypes: [Letter.self])
                return try Realm(configuration: configuration, queue: queue).objects(Letter.self)
            }
            _ = try await SyncConfigurationTests.subscribed(letters)
        },
        Trap("Cannot set a sync configuration which has a removed user.") {
            let test = try TestApp()
            let user = try await test.login()
            try await user.remove()
            _ = user.configuration(partitionValue: "x")
        },
        Trap("Unsupported partition value") {
            let user = try await TestApp().login()
            _ = user.configuration(partitionValue: 1.5)
        },
        Trap("AppId cannot be an empty string") { _ = App(id: "") },
    ]

    @Test func aReadOnlyRealmRefusesWrites() async {
        let text = "Can't perform transactions on read-only Realms."
        await #expect(processExitsWith: .failure, observing: .errorText) {
            try await openReadOnly { realm in
                realm.refresh()
                guard realm.objects(Letter.self).count == 1 else { return }
                try realm.write {}
            }
        }.expectText(text)
        await #expect(processExitsWith: .failure, observing: .errorText) {
            try await openReadOnly { $0.beginWrite() }
        }.expectText(text)
        await #expect(processExitsWith: .failure, observing: .errorText) {
            try await openReadOnly { $0.writeAsync {} }
        }.expectText(text)
    }

    @MainActor private static func subscribed(_ letters: Results<Letter>) async throws -> Int {
        try await letters.subscribe().count
    }

    @Test func managersKeepTheirSettings() throws {
        let test = try TestApp()
        let manager = test.app.syncManager
        manager.customRequestHeaders = ["a": "b"]
        manager.authorizationHeaderName = "Token"
        manager.errorHandler = { _, _ in }
        #expect(manager === test.app.syncManager && manager.customRequestHeaders == ["a": "b"])
        #expect(manager.authorizationHeaderName == "Token" && manager.errorHandler != nil)
        let limits = SyncTimeoutOptions(connectTimeout: 5)
        manager.timeoutOptions = limits
        #expect(
            manager.timeoutOptions === limits && limits.connectTimeout == 5 && limits.pongKeepaliveTimeout == 120_000)
        #expect(limits.connectionLingerTime == 30_000 && limits.pingKeepalivePeriod == 60_000)
    }

    @Test(.behaviour("W08")) func errorsHaveTheOriginalsNumbers() throws {
        let numbers = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
        #expect(SyncError.Code.allCases.map(\.rawValue) == numbers && SyncError.errorDomain == "io.realm.sync")
        let called = Locked(0)
        let token = SyncError.ActionToken { called.withLock { $0 += 1 } }
        let error = SyncError(
            .clientResetError, userInfo: [SyncError.recoveredPathKey: "/path"], token: token)
        #expect(error.clientResetInfo()?.0 == "/path" && error.deleteRealmUserInfo() == nil)
        SyncSession.immediatelyHandleError(token, syncManager: try TestApp().app.syncManager)
        SyncSession.immediatelyHandleError(token)
        #expect(called.withLock { $0 } == 1)
    }
}
