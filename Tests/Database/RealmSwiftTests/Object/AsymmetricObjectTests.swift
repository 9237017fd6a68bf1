// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

final class LinkingToReading: TestObject {
    @Persisted var reading: Reading?
}

final class ReadingWithLink: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var home: Home0?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Write-only objects (model 1.4).
@Suite struct AsymmetricObjectTests: TrapSuite {
    private func configuration(_ file: MigratingFile, _ types: [ObjectBase.Type]) -> Realm.Configuration {
        var configuration = file.configuration(types)
        configuration.schemaRules.keepsAsymmetricObjects = true
        return configuration
    }

    @Test func objectsAreKeptWhereNothingShowsThem() throws {
        let file = try MigratingFile()
        let configuration = configuration(file, [Reading.self, ReadingPlace.self, Home0.self])
        try file.open(configuration) { realm in
            try realm.write {
                realm.create(Reading.self, value: ["_id": 1, "celsius": 21.5, "place": ["name": "roof"]])
                realm.create(Reading.self, value: Reading(value: [2, 3.5]))
            }
            #expect(realm.isEmpty)
            #expect(realm.schema["Reading"]?.isAsymmetric == true)
            #expect(realm.schema["Reading"]?.description.hasPrefix("Reading (asymmetric) {") == true)
            try realm.write { realm.deleteAll() }
        }
        try PythonChecker.requireClean(path: file.url.path)
        let snapshot = try Database.open(file.url.path, readOnly: true).snapshot()
        let table = try #require(try snapshot.table(named: "class_Reading"))
        #expect(try table.kind == .asymmetric && table.count() == 2)
        #expect(try snapshot.table(named: "class_ReadingPlace")?.count() == 1)
        let position = try table.clusters.position(at: 0)
        #expect(try table.value(try #require(table.column(named: "celsius")), at: position) == .double(21.5))
    }

    @Test func unmanagedObjectsAreLikeOthers() {
        let reading = Reading(value: ["_id": 4, "celsius": 1.5])
        #expect(reading["celsius"] as? Double == 1.5 && reading.objectSchema.isAsymmetric)
        #expect(reading.description == "Reading {\n\t_id = 4;\n\tcelsius = 1.5;\n\tplace = (null);\n}")
        reading["celsius"] = 3
        #expect(reading.celsius == 3 && !reading.isInvalidated)
    }

    @Test func nothingLinksToThemAndTheyLinkToNothing() throws {
        let file = try MigratingFile()
        let text = file.error(configuration(file, [Reading.self, ReadingPlace.self, LinkingToReading.self]))
        #expect(
            text.contains(
                "\n- Property 'LinkingToReading.reading' of type '<Reading>' cannot be a link to an asymmetric object.")
        )
        let other = file.error(configuration(file, [ReadingWithLink.self, Home0.self]))
        #expect(other.contains("\n- Property 'ReadingWithLink.home' of type '<Home>' cannot be a link to a top-level"))
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Asymmetric objects of class 'Reading' are write-only and cannot be queried.") {
            try AsymmetricObjectTests.withReadings { realm in _ = realm.dynamicObjects("Reading") }
        },
        Trap("Asymmetric objects cannot be created by name") {
            try AsymmetricObjectTests.withReadings { realm in
                try realm.write { _ = realm.dynamicCreate("Reading", value: ["_id": 1]) }
            }
        },
        Trap("Can only delete an object from the Realm it belongs to.") {
            try AsymmetricObjectTests.withReadings { realm in try realm.write { realm.delete(Reading()) } }
        },
        Trap("Asymmetric table 'Reading' not allowed in a local Realm") {
            inWrite { realm in realm.create(Reading.self, value: ["_id": 1]) }
        },
        Trap("Can only add, remove, or create objects in a Realm in a write transaction") {
            try AsymmetricObjectTests.withReadings { realm in realm.create(Reading.self, value: ["_id": 1]) }
        },
    ]

    private static func withReadings(_ body: (Realm) throws -> Void) throws {
        let file = try MigratingFile()
        var configuration = file.configuration([Reading.self, ReadingPlace.self])
        configuration.schemaRules.keepsAsymmetricObjects = true
        try file.open(configuration, body)
    }
}
