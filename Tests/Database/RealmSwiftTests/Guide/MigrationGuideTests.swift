// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for changing a model, as clients write it. An app has one class that changes from release to release.
// Here each release has its own class, stored under one name.

/// The first release.
class GuideMember1: Object {
    @Persisted var firstName: String
    @Persisted var lastName: String
    @Persisted var age: Int

    override class func _realmObjectName() -> String? { "GuideMember" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The second release: one name instead of two, and a new property.
class GuideMember2: Object {
    @Persisted var fullName: String
    @Persisted var age: Int
    @Persisted var email: String?

    override class func _realmObjectName() -> String? { "GuideMember" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The third release: `age` is renamed to `years`, and there is a primary key.
class GuideMember3: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var fullName: String
    @Persisted var years: Int
    @Persisted var email: String?

    override class func _realmObjectName() -> String? { "GuideMember" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct MigrationGuideTests {
    private let folder: TemporaryFolder
    private var url: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("members.realm") }

    init() throws {
        folder = try TemporaryFolder()
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [GuideMember1.self]))
        try realm.write {
            realm.create(GuideMember1.self, value: ["firstName": "Ada", "lastName": "Byron", "age": 36])
            realm.create(GuideMember1.self, value: ["firstName": "Kurt", "lastName": "Gödel", "age": 71])
        }
    }

    /// The app's configuration: the version of the model, and the migration from older ones.
    private func configuration(_ types: [ObjectBase.Type], version: UInt64) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: url, schemaVersion: version,
            migrationBlock: { migration, oldVersion in
                if oldVersion < 2 {
                    migration.enumerateObjects(ofType: "GuideMember") { old, new in
                        guard let first = old?["firstName"] as? String, let last = old?["lastName"] as? String else {
                            return
                        }
                        new?["fullName"] = "\(first) \(last)"
                    }
                }
                if oldVersion < 3, version >= 3 {
                    migration.renameProperty(onType: "GuideMember", from: "age", to: "years")
                    migration.enumerateObjects(ofType: "GuideMember") { _, new in new?["id"] = ObjectId.generate() }
                }
            }, objectTypes: types)
    }

    @Test func aChangedModelNeedsAHigherVersion() {
        #expect(throws: Realm.Error.self) {
            try Realm(configuration: .init(fileURL: url, objectTypes: [GuideMember2.self]))
        }
        #expect(throws: Never.self) { try schemaVersionAtURL(url) }
    }

    @Test func addedAndRemovedPropertiesNeedOnlyANewVersion() throws {
        let realm = try Realm(
            configuration: .init(fileURL: url, schemaVersion: 1, objectTypes: [GuideMember2.self]))
        #expect(realm.objects(GuideMember2.self).map(\.age) == [36, 71])
        #expect(realm.objects(GuideMember2.self).allSatisfy { $0.fullName.isEmpty && $0.email == nil })
    }

    @Test func theBlockMakesNewValuesOfOldOnes() throws {
        let realm = try Realm(configuration: configuration([GuideMember2.self], version: 2))
        #expect(realm.objects(GuideMember2.self).map(\.fullName) == ["Ada Byron", "Kurt Gödel"])
    }

    @Test func usersWhoSkippedAReleaseGetAllStepsAtOnce() throws {
        let realm = try Realm(configuration: configuration([GuideMember3.self], version: 3))
        #expect(realm.objects(GuideMember3.self).map(\.fullName) == ["Ada Byron", "Kurt Gödel"])
        #expect(realm.objects(GuideMember3.self).map(\.years) == [36, 71])
        #expect(Set(realm.objects(GuideMember3.self).map(\.id)).count == 2)
    }

    @Test func usersWhoDidNotSkipOneGetTheLastStep() throws {
        func secondRelease() throws {
            let realm = try Realm(configuration: configuration([GuideMember2.self], version: 2))
            try realm.write { realm.objects(GuideMember2.self)[0].fullName = "Ada Lovelace" }
        }
        try secondRelease()
        let realm = try Realm(configuration: configuration([GuideMember3.self], version: 3))
        #expect(realm.objects(GuideMember3.self).map(\.fullName) == ["Ada Lovelace", "Kurt Gödel"])
    }

    @Test func theFileMayBeDeletedDuringDevelopment() throws {
        let realm = try Realm(
            configuration: .init(
                fileURL: url, deleteRealmIfMigrationNeeded: true, objectTypes: [GuideMember3.self]))
        #expect(realm.objects(GuideMember3.self).isEmpty)
    }

    @Test func aRehearsalReportsTheEffectsOfAMigration() throws {
        let rehearsal = try configuration([GuideMember3.self], version: 3).rehearseMigration()
        #expect(rehearsal.migrates && rehearsal.storedVersion == 0 && rehearsal.wantedVersion == 3)
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [GuideMember1.self]))
        #expect(realm.objects(GuideMember1.self).count == 2)
    }
}
