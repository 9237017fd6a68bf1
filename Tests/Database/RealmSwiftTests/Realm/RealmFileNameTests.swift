// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Several names of one file in one process, and the permissions of files that the SDK creates.
@Suite struct RealmFileNameTests {
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path
        try FileNames.make(in: folder)
    }

    private func configuration(_ name: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: folder + "/" + name), objectTypes: [SharedCounter.self])
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test(arguments: FileNames.all) func allNamesGiveOneRealm(_ name: String) throws {
        try {
            _ = try Realm(configuration: configuration(FileNames.first))
            try FileNames.makeHardLink(in: folder)
        }()
        let realm = try Realm(configuration: configuration(name))
        try realm.write { realm.add(SharedCounter(value: ["id": 1, "value": 5])) }
        for other in FileNames.all {
            let again = try Realm(configuration: configuration(other))
            #expect(again == realm && again.objects(SharedCounter.self).count == 1)
            #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration(other)) }
        }
        withExtendedLifetime(realm) {}
    }

    @Test func anotherNameOfAFileThatIsOpenElsewhere() throws {
        let other = try Database.open(folder + "/" + FileNames.first)
        try FileNames.makeHardLink(in: folder)
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration(FileNames.hard)) }
        #expect(error?.code == .incompatibleLockFile && error?.message.contains("use one name") == true)
        #expect(error?.fileURL?.path == folder + "/" + FileNames.hard)
        withExtendedLifetime(other) {}
    }

    @Test func aSeedIsCopiedToWhereALinkLeads() throws {
        do {
            let realm = try Realm(configuration: configuration("other/seed.realm"))
            try realm.write { realm.add(SharedCounter(value: ["id": 7, "value": 7])) }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder + "/other/seed.realm")
        var configuration = configuration("chain.realm")
        configuration.seedFilePath = URL(fileURLWithPath: folder + "/other/seed.realm")
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(SharedCounter.self).first?.id == 7)
        #expect(try mode("real/a.realm") == 0o600)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link.realm") == "real/a.realm")
    }

    @Test func permissionsOfNewFiles() throws {
        do {
            let realm = try Realm(configuration: configuration("private.realm"))
            try realm.writeCopy(toFile: URL(fileURLWithPath: folder + "/copy.realm"))
        }
        #expect(try mode("private.realm") == 0o600 && mode("private.realm.lock") == 0o600)
        #expect(try mode("private.realm.management") == 0o700 && mode("copy.realm") == 0o600)
        var shared = configuration("shared.realm")
        shared.storage.permissions = [.ownerReadWrite, .groupRead]
        let realm = try Realm(configuration: shared)
        try realm.writeCopy(toFile: URL(fileURLWithPath: folder + "/copy2.realm"))
        #expect(try mode("shared.realm") == 0o640 && mode("copy2.realm") == 0o640)
        var copy = configuration("copy3.realm")
        copy.storage.permissions = .ownerReadWrite
        try realm.writeCopy(configuration: copy)
        #expect(try mode("copy3.realm") == 0o600)
        #expect(try realm.compact())
        #expect(try mode("shared.realm") == 0o640)
    }

    @Test func aWriteToARemovedFileFails() throws {
        let realm = try Realm(configuration: configuration("gone.realm"))
        realm.beginWrite()
        realm.add(SharedCounter(value: ["id": 1, "value": 1]))
        try FileManager.default.removeItem(atPath: folder + "/gone.realm")
        let error = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
        #expect(error?.fileURL?.path == folder + "/gone.realm")
        #expect(error?.message.contains("nothing was written") == true, "\(error as Any)")
    }
}
