// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for opening and configuring a Realm, as clients write it.

class GuideNote: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var text: String
    @Persisted var isPinned: Bool

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideDraft: Object {
    @Persisted var text: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct OpeningGuideTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path).appendingPathComponent(name) }

    @Test func aConfigurationNamesTheFileAndTheClasses() throws {
        let configuration = Realm.Configuration(fileURL: url("notes.realm"), objectTypes: [GuideNote.self])
        #expect(!Realm.fileExists(for: configuration))
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.create(GuideNote.self, value: ["text": "Milk"]) }
        #expect(Realm.fileExists(for: configuration) && realm.configuration.fileURL?.lastPathComponent == "notes.realm")
        #expect(try Realm(configuration: configuration) == realm)
    }

    @Test func aFileOfItsOwnForEachUser() throws {
        func realm(of user: String) throws -> Realm {
            try Realm(
                configuration: Realm.Configuration(fileURL: url("\(user).realm"), objectTypes: [GuideNote.self]))
        }
        let (ada, ben) = (try realm(of: "ada"), try realm(of: "ben"))
        try ada.write { ada.create(GuideNote.self, value: ["text": "of Ada"]) }
        #expect(ada.objects(GuideNote.self).count == 1 && ben.objects(GuideNote.self).isEmpty)
    }

    @Test func aRealmInMemoryIsDeletedWithItsLastReference() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "guide-\(UUID().uuidString)", objectTypes: [GuideNote.self])
        func makeNote() throws {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(GuideNote.self) }
            #expect(try Realm(configuration: configuration).objects(GuideNote.self).count == 1)
        }
        try makeNote()
        #expect(try Realm(configuration: configuration).isEmpty)
    }

    @Test func errorsOfTheFileSystemAreThrown() {
        let missing = Realm.Configuration(
            fileURL: url("no folder/notes.realm"), readOnly: true, objectTypes: [GuideNote.self])
        #expect(throws: Realm.Error.self) { try Realm(configuration: missing) }
        do {
            _ = try Realm(configuration: missing)
        } catch Realm.Error.fileNotFound {
            // Create the file first, or show an error to the user.
        } catch {
            Issue.record("another error: \(error)")
        }
    }

    @Test func aFileCanBeEncrypted() throws {
        var configuration = Realm.Configuration(fileURL: url("secret.realm"), objectTypes: [GuideNote.self])
        configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
        func write() throws {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(GuideNote.self, value: ["text": "do not tell"]) }
        }
        try write()
        let bytes = try Data(contentsOf: url("secret.realm"))
        #expect(bytes.range(of: Data("do not tell".utf8)) == nil)
        #expect(try Realm(configuration: configuration).objects(GuideNote.self).first?.text == "do not tell")
    }

    @Test func bundledFilesAreCopiedAtTheFirstStart() throws {
        let bundled = url("bundled.realm")
        func makeBundled() throws {
            let realm = try Realm(configuration: .init(fileURL: bundled, objectTypes: [GuideNote.self]))
            try realm.write { realm.create(GuideNote.self, value: ["text": "Welcome"]) }
        }
        try makeBundled()
        var configuration = Realm.Configuration(fileURL: url("mine.realm"), objectTypes: [GuideNote.self])
        configuration.seedFilePath = bundled
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(GuideNote.self).map(\.text) == ["Welcome"])
    }

    @Test func readOnlyFilesStayAsTheyAre() throws {
        let file = url("fixed.realm")
        func make() throws {
            let realm = try Realm(configuration: .init(fileURL: file, objectTypes: [GuideNote.self]))
            try realm.write { realm.create(GuideNote.self, value: ["text": "fixed"]) }
        }
        try make()
        let before = try Data(contentsOf: file)
        func read() throws {
            let realm = try Realm(
                configuration: .init(fileURL: file, readOnly: true, objectTypes: [GuideNote.self]))
            #expect(realm.objects(GuideNote.self).count == 1)
        }
        try read()
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func aRealmHasTheClassesItWasOpenedWith() throws {
        let realm = try Realm(
            configuration: .init(fileURL: url("subset.realm"), objectTypes: [GuideNote.self]))
        #expect(realm.schema.objectSchema.map(\.className) == ["GuideNote"] && realm.schema["GuideDraft"] == nil)
    }

    @Test func copiesAndCompaction() throws {
        let realm = try Realm(configuration: .init(fileURL: url("big.realm"), objectTypes: [GuideNote.self]))
        try realm.write {
            for _ in 0..<500 { realm.create(GuideNote.self, value: ["text": String(repeating: "x", count: 200)]) }
        }
        try realm.write { realm.delete(realm.objects(GuideNote.self).limit(490)) }
        try realm.writeCopy(toFile: url("backup.realm"))
        let backup = try Realm(configuration: .init(fileURL: url("backup.realm"), objectTypes: [GuideNote.self]))
        #expect(backup.objects(GuideNote.self).count == 10)

        var configuration = Realm.Configuration(fileURL: url("compacted.realm"), objectTypes: [GuideNote.self])
        configuration.seedFilePath = url("big.realm")
        configuration.shouldCompactOnLaunch = { total, used in total > 4096 && Double(used) / Double(total) < 0.5 }
        #expect(try Realm(configuration: configuration).objects(GuideNote.self).count == 10)
    }

    @Test func deletingTheFiles() throws {
        let configuration = Realm.Configuration(fileURL: url("gone.realm"), objectTypes: [GuideNote.self])
        func use() throws { #expect(try Realm(configuration: configuration).isEmpty) }
        try use()
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(!Realm.fileExists(for: configuration))
    }
}
