// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article Migrations.
@Suite struct MigrationsArticle {
    enum First {
        // begin Migrations
        class Member: Object {
            @Persisted var firstName: String
            @Persisted var lastName: String
            @Persisted var age: Int

            override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
        }
        // end
    }

    // begin Migrations
    class Member: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var fullName: String
        @Persisted var years: Int

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    private let folder: TemporaryFolder
    private var url: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("members.realm") }

    init() throws {
        folder = try TemporaryFolder()
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [First.Member.self]))
        try realm.write {
            realm.create(First.Member.self, value: ["firstName": "Ada", "lastName": "Byron", "age": 36])
        }
    }

    private func configuration() -> Realm.Configuration {
        // begin Migrations
        let configuration = Realm.Configuration(
            fileURL: url,
            schemaVersion: 2,
            migrationBlock: { migration, oldVersion in
                if oldVersion < 1 {
                    migration.enumerateObjects(ofType: "Member") { old, new in
                        guard let old, let new else { return }
                        new["fullName"] = "\(old["firstName"] ?? "") \(old["lastName"] ?? "")"
                    }
                }
                if oldVersion < 2 {
                    migration.renameProperty(onType: "Member", from: "age", to: "years")
                    migration.enumerateObjects(ofType: "Member") { _, new in
                        new?["id"] = ObjectId.generate()
                    }
                }
            },
            objectTypes: [Member.self])
        // end
        return configuration
    }

    @Test func aMigration() throws {
        let configuration = configuration()
        // begin Migrations
        let realm = try Realm(configuration: configuration)
        // end
        let ada = try #require(realm.objects(Member.self).first)
        #expect(ada.fullName == "Ada Byron" && ada.years == 36)
    }

    @Test func aRehearsal() throws {
        let configuration = configuration()
        // begin Migrations
        let rehearsal = try configuration.rehearseMigration()
        print(rehearsal)  // what comes and goes, class by class
        print(rehearsal.succeeds)  // true
        // end
        #expect(rehearsal.succeeds && rehearsal.storedVersion == 0 && rehearsal.wantedVersion == 2)
    }

    @Test func startingOver() throws {
        // begin Migrations
        let configuration = Realm.Configuration(
            fileURL: url, deleteRealmIfMigrationNeeded: true, objectTypes: [Member.self])
        // end
        #expect(try Realm(configuration: configuration).isEmpty)
    }
}
