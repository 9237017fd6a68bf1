// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

/// The effects of a migration, determined in advance.
@Suite struct RehearsalTests {
    private func rehearse(_ file: MigratingFile, _ configuration: Realm.Configuration) throws -> MigrationRehearsal {
        let before = try Data(contentsOf: file.url)
        let date = try FileManager.default.attributesOfItem(atPath: file.url.path)[.modificationDate] as? Date
        let rehearsal = try configuration.rehearseMigration()
        #expect(try Data(contentsOf: file.url) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: file.url.path)[.modificationDate] as? Date == date)
        return rehearsal
    }

    @Test func aRehearsalReportsChangesAndLostData() throws {
        let file = try MigratingFile.withCitizens(5)
        let configuration = file.configuration([CitizenNamed.self, Home0.self], version: 2) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                new!["fullName"] = old!["first"]
                if old!["id"] as? Int == 1 { migration.delete(new!) }
            }
        }
        let rehearsal = try rehearse(file, configuration)
        #expect(rehearsal.storedVersion == 0 && rehearsal.wantedVersion == 2)
        #expect(rehearsal.migrates && rehearsal.succeeds && !rehearsal.deletesAllData)
        let citizen = try #require(rehearsal.classes.first { $0.name == "Citizen" })
        #expect(citizen.objectsBefore == 5 && citizen.objectsAfter == 4)
        let first = try #require(citizen.changes.first { $0.property == "first" })
        #expect(first.text == "Property 'Citizen.first' has been removed." && first.valuesLost == 5)
        #expect(citizen.changes.contains { $0.text == "Property 'Citizen.fullName' has been added." })
        #expect(rehearsal.valuesLost == 10)
        #expect(rehearsal.description.hasPrefix("Migration from version 0 to 2\nCitizen: 5 objects, then 4\n"))
        #expect(rehearsal.description.contains("\n  Class 'Home' is added."))
        try file.open(configuration) { #expect($0.objects(CitizenNamed.self).count == 4) }
        #expect(try rehearse(file, configuration).description == "Nothing changes (schema version 2)")
    }

    @Test func renamedPropertiesLoseNothing() throws {
        let file = try MigratingFile.withCitizens(3)
        let configuration = file.configuration([CitizenRenamed.self], version: 1) { migration, _ in
            migration.renameProperty(onType: "Citizen", from: "first", to: "given")
        }
        let rehearsal = try rehearse(file, configuration)
        #expect(rehearsal.valuesLost == 0 && rehearsal.succeeds)
        #expect(rehearsal.classes.flatMap(\.changes).map(\.text) == ["Property 'Citizen.first' becomes 'given'."])
    }

    @Test func problemsAreReportedAndNotThrown() throws {
        let file = try MigratingFile.withCitizens(3)
        let same: MigrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { _, new in new!["id"] = 1 }
        }
        let duplicates = try rehearse(file, file.configuration([CitizenKeyed.self], version: 1, same))
        #expect(
            duplicates.problems == [
                "Primary key property 'Citizen.id' has duplicate values after migration. More than one object has '1'."
            ])
        #expect(duplicates.classes.first?.objectsAfter == nil)
        let sameVersion = try rehearse(file, file.configuration([CitizenGrown.self]))
        #expect(!sameVersion.succeeds && !sameVersion.migrates)
        #expect(sameVersion.problems.first?.contains("Property 'Citizen.points' has been added.") == true)
        var resetting = file.configuration([CitizenGrown.self])
        resetting.deleteRealmIfMigrationNeeded = true
        let reset = try rehearse(file, resetting)
        #expect(reset.deletesAllData && reset.succeeds)
        #expect(reset.description.contains("Citizen: 3 objects, then 0\n  All objects are deleted."))
    }

    @Test func anOpenFileCanBeRehearsed() throws {
        let file = try MigratingFile.withCitizens(2)
        try file.open(file.configuration([Citizen0.self])) { realm in
            let rehearsal = try rehearse(file, file.configuration([CitizenGrown.self], version: 1))
            #expect(rehearsal.migrates && rehearsal.succeeds)
            try realm.write { _ = realm.create(Citizen0.self, value: ["id": 9]) }
            #expect(realm.objects(Citizen0.self).count == 3)
        }
    }

    /// Copies are in streaming form, which opening for writing ends.
    @Test func aFileThatIsNotInOrderStaysSo() throws {
        let file = try MigratingFile.withCitizens(3)
        let copy = try MigratingFile()
        let key = Data((0..<64).map { UInt8($0) })
        let locked = try MigratingFile()
        try file.open(file.configuration([Citizen0.self])) { realm in
            try realm.writeCopy(toFile: copy.url)
            try realm.writeCopy(toFile: locked.url, encryptionKey: key)
        }
        let rehearsal = try rehearse(copy, copy.configuration([CitizenGrown.self], version: 1))
        #expect(rehearsal.succeeds && rehearsal.classes.first?.objectsBefore == 3)
        var configuration = locked.configuration([CitizenGrown.self], version: 1)
        #expect(throws: Realm.Error(.invalidDatabase)) { try configuration.rehearseMigration() }
        configuration.encryptionKey = key
        #expect(try rehearse(locked, configuration).classes.first?.objectsAfter == 3)
    }

    @Test func aFileOfAnOlderFormatIsRehearsedWithAsACopy() throws {
        let name = "test_upgrade_database_1000_22"
        guard let path = SharedFiles.path(.upstream, "\(name).realm") else { return }
        let file = try MigratingFile()
        try FileManager.default.copyItem(atPath: path, toPath: file.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
        let rehearsal = try rehearse(file, file.configuration([Home0.self], version: 1))
        #expect(rehearsal.succeeds && rehearsal.classes.map(\.name) == ["Home"])
    }

    @Test func aMissingFileNeedsNoMigration() throws {
        let file = try MigratingFile()
        let rehearsal = try file.configuration([Citizen0.self], version: 3).rehearseMigration()
        #expect(rehearsal.storedVersion == nil && rehearsal.succeeds && !rehearsal.migrates)
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }
}
