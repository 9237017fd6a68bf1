// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article FilesAndEncryption.
@Suite struct FilesAndEncryptionArticle {
    class Note: Object {
        @Persisted var text: String

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let folder: TemporaryFolder
    private let directory: URL

    init() throws {
        folder = try TemporaryFolder()
        directory = URL(fileURLWithPath: folder.path)
    }

    @Test func aFileForEachUser() throws {
        let user = "ada"
        // begin FilesAndEncryption
        var configuration = Realm.Configuration(objectTypes: [Note.self])
        configuration.fileURL = directory.appendingPathComponent("\(user).realm")
        let realm = try Realm(configuration: configuration)
        // end
        #expect(realm.isEmpty && Realm.fileExists(for: configuration))
    }

    @Test func inMemory() throws {
        // begin FilesAndEncryption
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "session \(UUID())", objectTypes: [Note.self])
        let realm = try Realm(configuration: configuration)
        // end
        #expect(realm.isEmpty)
    }

    @Test func encrypted() throws {
        let (key, newKey) = (Data((0..<64).map { UInt8($0) }), Data((64..<128).map { UInt8($0) }))
        func use() throws {
            // begin FilesAndEncryption
            let configuration = Realm.Configuration(
                fileURL: directory.appendingPathComponent("secret.realm"), encryptionKey: key,
                objectTypes: [Note.self])
            let realm = try Realm(configuration: configuration)
            // end
            try realm.write { realm.create(Note.self, value: ["text": "do not tell"]) }
            // begin FilesAndEncryption
            try realm.writeCopy(toFile: directory.appendingPathComponent("new.realm"), encryptionKey: newKey)
            // end
        }
        try use()
        let bytes = try Data(contentsOf: directory.appendingPathComponent("secret.realm"))
        #expect(bytes.range(of: Data("do not tell".utf8)) == nil)
    }

    @Test func copies() throws {
        let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("notes.realm"), objectTypes: [Note.self])
        func use() throws {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Note.self, value: ["text": "Welcome"]) }
            // begin FilesAndEncryption
            try realm.writeCopy(toFile: directory.appendingPathComponent("backup.realm"))
            // end
        }
        try use()
        let backup = directory.appendingPathComponent("backup.realm")
        func seeded() throws -> Realm.Configuration {
            // begin FilesAndEncryption
            var seeded = Realm.Configuration(
                fileURL: directory.appendingPathComponent("mine.realm"), objectTypes: [Note.self])
            seeded.seedFilePath = backup
            seeded.shouldCompactOnLaunch = { total, used in
                total > 100 * 1024 * 1024 && Double(used) / Double(total) < 0.5
            }
            // end
            return seeded
        }
        let seededConfiguration = try seeded()
        func read() throws -> [String] { try Realm(configuration: seededConfiguration).objects(Note.self).map(\.text) }
        #expect(try read() == ["Welcome"])
        // begin FilesAndEncryption
        let fixed = Realm.Configuration(fileURL: backup, readOnly: true, objectTypes: [Note.self])
        // end
        func readFixed() throws -> Int { try Realm(configuration: fixed).objects(Note.self).count }
        #expect(try readFixed() == 1)
        // begin FilesAndEncryption
        let report = try Realm.check(fileAt: backup)
        print(report)  // no violations
        let existed = try Realm.deleteFiles(for: configuration)
        // end
        #expect(report.isClean && existed && !Realm.fileExists(for: configuration))
    }

    @Test func errors() {
        let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("absent/notes.realm"), readOnly: true, objectTypes: [Note.self])
        var told = ""
        // begin FilesAndEncryption
        do {
            _ = try Realm(configuration: configuration)
        } catch Realm.Error.fileNotFound {
            told = "There is no such file."
        } catch Realm.Error.filePermissionDenied {
            told = "This program may not read the file."
        } catch {
            told = error.localizedDescription
        }
        // end
        #expect(told == "There is no such file.")
    }
}
