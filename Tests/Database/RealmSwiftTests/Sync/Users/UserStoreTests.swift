// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmStorage
import RealmSyncCore
import RealmTestSupport
import Testing

@testable import RealmSwift

/// The file of the users (§1.13): persistence across restarts, and files of the original.
@Suite struct UserStoreTests {
    @Test func usersSurviveARestart() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let (access, refresh) = (user.accessToken, user.refreshToken)
        test.server.forgetSent()
        let app = test.restart()
        let again = try #require(app.currentUser)
        #expect(again !== user && again.id == user.id && again.isLoggedIn)
        #expect(again.accessToken == access && again.refreshToken == refresh)
        #expect(again.identities == user.identities && again.profile.email == "ann@example.org")
        #expect(again.customData == ["color": "c1"])
        #expect(test.server.sent.isEmpty, "a start needs no network")
        _ = try await again.functions.work()
        #expect(test.server.lines == ["GET app/\(test.id)/location", "POST app/\(test.id)/functions/call"])
        try audit(test.metadataFile)
    }

    private func audit(_ path: String) throws {
        let report = FileChecker.check(bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(report.isClean, "\(report.violations)")
    }

    @Test func theFileHasTheSchemaOfTheOriginal() async throws {
        let test = try TestApp()
        _ = try await test.login()
        let theirs = Fixtures.path("sync/files/users-metadata.realm")
        let copy = try copy(theirs)
        let (ours, original) = (try tables(test.metadataFile), try tables(copy.path + "/copy.realm"))
        #expect(ours == original)
    }

    private func tables(_ path: String) throws -> [String: [String]] {
        let snapshot = try Database.open(path, readOnly: true, joining: .existing).snapshot(label: "test")
        var tables: [String: [String]] = [:]
        for key in try snapshot.tableKeys() {
            guard let table = try snapshot.table(key) else { continue }
            tables[table.name] = table.publicColumns.map {
                "\($0.name) \(String(describing: $0.key.type)) \($0.attributes)"
            }
        }
        return tables
    }

    private func copy(_ path: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: folder.path + "/copy.realm")
        return folder
    }

    private func place(_ path: String, for test: TestApp) throws {
        let folder = (test.metadataFile as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: test.metadataFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: test.metadataFile)
    }

    @Test func usersOfTheOriginalAreFound() async throws {
        let test = try TestApp()
        try place(Fixtures.path("sync/files/users-metadata.realm"), for: test)
        let users = test.app.allUsers
        #expect(users.keys.sorted() == ["anon-2", "user-ann@example.org", "user-k"])
        #expect(users["user-k"]?.state == .loggedOut && users["user-k"]?.refreshToken == nil)
        #expect(users["anon-2"]?.isLoggedIn == true && users["anon-2"]?.profile.name == "Name of anon-2")
        let identities = [UserIdentity(providerType: "local-userpass", identifier: "identity-user-ann@example.org")]
        #expect(users["user-ann@example.org"]?.identities == identities)
        #expect(test.app.currentUser?.id == "anon-2", "the one that is named is logged out")
        try await users["anon-2"]?.logOut()
        #expect(test.restart().allUsers.keys.sorted() == ["user-ann@example.org", "user-k"])
        try audit(test.metadataFile)
    }

    @Test func usersOfOlderFilesAreMerged() throws {
        let test = try TestApp()
        guard let path = SharedFiles.path(.upstream, "sync-metadata-v6.realm") else { return }
        try place(path, for: test)
        let users = test.app.allUsers
        #expect(users.count == 6 && users["removed user"] == nil)
        for name in ["first logged in, second logged out", "second logged in, first removed"] {
            #expect(users[name]?.state == .loggedIn && users[name]?.identities.count == 3, "\(name)")
        }
        for name in ["both logged in, first newer", "both logged in, second newer"] {
            let user = try #require(users[name])
            #expect(Token(user.refreshToken ?? "")?.issuedAt == 124 && Token(user.accessToken ?? "")?.issuedAt == 124)
        }
        #expect(test.app.currentUser?.id == "both logged in, second newer")
        try audit(test.metadataFile)
    }

    @Test(arguments: ["4", "5"]) func theOneUserOfOlderFilesIsKept(_ version: String) throws {
        let test = try TestApp()
        guard let path = SharedFiles.path(.upstream, "sync-metadata-v\(version).realm") else { return }
        try place(path, for: test)
        #expect(test.app.currentUser?.id == "metadata migration test")
        #expect(test.app.currentUser?.refreshToken?.hasPrefix("WyJhbGci") == true)
        try audit(test.metadataFile)
    }

    @Test func filesOfRemovedUsersAreDeletedAtTheNextStart() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let kept = try await test.login()
        let store = test.app.store
        let inside = store.folder.realmFile(userId: user.id, name: "s_a")
        let outside = test.folder + "/outside.realm"
        let other = store.folder.realmFile(userId: kept.id, name: "s_a")
        for path in [inside, outside, other] { try makeRealm(path) }
        store.note(realmAt: outside, of: user.id)
        try await user.remove()
        #expect([inside, outside, other].allSatisfy(FileManager.default.fileExists))
        _ = test.restart()
        #expect(!FileManager.default.fileExists(atPath: store.folder.userFolder(user.id)))
        #expect(!FileManager.default.fileExists(atPath: outside) && FileManager.default.fileExists(atPath: other))
        try audit(test.metadataFile)
    }

    private func makeRealm(_ path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try Realm(
            configuration: Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: [Dog.self, Person.self, DogToy.self, Address.self]))
    }

    @Test func notedActionsAreDoneAtTheNextStart() async throws {
        let test = try TestApp()
        _ = try await test.login()
        let store = test.app.store
        let (deleted, moved) = (test.folder + "/a.realm", test.folder + "/b.realm")
        let copy = store.folder.recoveredRealms + "/recovered_realm-1"
        for path in [deleted, moved] { try makeRealm(path) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: moved))
        store.note(.delete, of: deleted)
        store.note(.backUpThenDelete, of: moved, copyingTo: copy)
        store.note(.delete, of: test.folder + "/never there")
        _ = test.restart()
        #expect(!FileManager.default.fileExists(atPath: deleted) && !FileManager.default.fileExists(atPath: moved))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
        try makeRealm(deleted)
        _ = test.restart()
        #expect(FileManager.default.fileExists(atPath: deleted), "an action is done once")
    }

    @Test func aKeyEncryptsTheFile() async throws {
        let test = try TestApp()
        test.key = Data(repeating: 7, count: 64)
        let user = try await test.login()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: test.metadataFile))
        #expect(bytes.range(of: Data((try #require(user.refreshToken)).utf8)) == nil)
        #expect(test.restart().currentUser?.refreshToken == user.refreshToken)
        test.key = nil
        #expect(test.restart().allUsers.isEmpty)
        _ = try await test.login()
        #expect(test.app.currentUser != nil, "without the file, users are known until the end")
        test.key = Data(repeating: 7, count: 64)
        #expect(test.restart().currentUser?.refreshToken == user.refreshToken, "the file was left alone")
    }

    @Test func aDamagedFileIsLeftAlone() async throws {
        let test = try TestApp()
        let folder = (test.metadataFile as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("no Realm".utf8).write(to: URL(fileURLWithPath: test.metadataFile))
        _ = try await test.login()
        #expect(test.app.currentUser?.isLoggedIn == true && test.restart().allUsers.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: test.metadataFile)) == Data("no Realm".utf8))
    }
}
