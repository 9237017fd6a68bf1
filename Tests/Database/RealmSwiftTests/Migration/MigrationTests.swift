// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Migrations beyond the numbered behaviours (realm 9).
@Suite struct MigrationTests: TrapSuite {
    /// The process ends, or the disk fails, at any call. The file has either the old or the new objects.
    @Test(arguments: [false, true]) func everyCallMayFail(forEver: Bool) throws {
        let file = try MigratingFile.withCitizens(300)
        let image = [UInt8](try Data(contentsOf: file.url))
        let configuration = file.configuration([CitizenNamed.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in new!["fullName"] = old!["first"] }
        }
        let installer = SchemaInstaller(configuration, configuration.schema)
        var outcomes: Set<UInt64> = []
        for count in 0..<1000 {
            let disk = try ImageFile(image)
            let faulty = FaultyFile(disk)
            let database = try Database(file: faulty, readOnly: false)
            faulty.fail(after: count, forEver: forEver)
            let failed = (try? installer.install(in: database)) == nil
            if faulty.failedCall == nil { break }
            faulty.recover()
            let after = try Database(file: disk, readOnly: false).snapshot()
            let version = try #require(try SchemaVersion.read(after))
            outcomes.insert(version)
            let table = try #require(try after.table(named: "class_Citizen"))
            let column = try #require(table.column(named: version == 0 ? "first" : "fullName"))
            #expect(failed || version == 1)
            #expect(table.column(named: version == 0 ? "fullName" : "first") == nil)
            for index in [0, 299] {
                #expect(try table.value(column, at: try table.clusters.position(at: index)) == .string("f\(index)"))
            }
        }
        #expect(outcomes == [0, 1])
    }

    @Test func primaryKeysChange() throws {
        let file = try MigratingFile.withCitizens(4)
        let shift: MigrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in new!["id"] = (old!["id"] as? Int ?? 0) + 1 }
        }
        try file.open(file.configuration([CitizenKeyed.self], version: 1, shift)) { realm in
            #expect(realm.objects(CitizenKeyed.self).map(\.id).sorted() == [1, 2, 3, 4])
        }
        try file.open(file.configuration([CitizenKeyed.self], version: 2, shift)) { realm in
            #expect(realm.object(ofType: CitizenKeyed.self, forPrimaryKey: 5)?.first == "f3")
            try realm.write {
                realm.create(CitizenKeyed.self, value: ["id": 5, "first": "new"], update: .modified)
            }
            #expect(realm.objects(CitizenKeyed.self).count == 4)
        }
        try file.open(file.configuration([Citizen0.self], version: 3)) { realm in
            #expect(realm.objects(Citizen0.self).filter("id == 5").first?.first == "new")
        }
        try PythonChecker.requireClean(path: file.url.path)
    }

    /// If the file already had the class, only its existing objects are enumerated (row S18).
    @Test func createdObjectsOfANewClassAreSeenWithoutAnOldOne() throws {
        let file = try MigratingFile.withCitizens(3)
        let seen = Recorder<[String]>()
        let configuration = file.configuration([Citizen0.self, Dweller0.self, Home0.self], version: 1) { migration, _ in
            migration.create("Citizen", value: ["id": 7, "first": "new"])
            migration.create("Dweller", value: ["name": "d", "home": ["street": "s"]])
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                seen.add([old?.first as? String ?? "-", new?.first as? String ?? "-"])
            }
            migration.enumerateObjects(ofType: "Home") { old, new in
                seen.add([old?.street as? String ?? "-", new?.street as? String ?? "-"])
            }
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(Citizen0.self).map(\.id).sorted() == [0, 1, 2, 7])
            #expect(realm.objects(Dweller0.self).first?.home?.street == "s")
        }
        #expect(seen.values == [["f0", "f0"], ["f1", "f1"], ["f2", "f2"], ["-", "s"]])
    }

    @Test func objectsOfARemovedClassAreStillSeen() throws {
        let file = try MigratingFile.withCitizens(3)
        let seen = Recorder<Bool>()
        let configuration = file.configuration([Home0.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                seen.add(new == nil)
                migration.create("Home", value: ["street": old!["last"] as Any])
            }
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(Home0.self).map(\.street) == ["l0", "l1", "l2"])
            // The table stays, as in the original.
            #expect(realm.dynamicObjects("Citizen").count == 3)
        }
        #expect(seen.values == [true, true, true])
    }

    @Test func linksAndCollectionsOfBothVersions() throws {
        let file = try MigratingFile()
        try file.open(file.configuration([Dweller0.self, Home0.self])) { realm in
            try realm.write {
                for name in ["a", "b"] {
                    realm.create(Dweller0.self, value: ["name": name, "home": ["street": name + "street"]])
                }
            }
        }
        let configuration = file.configuration([DwellerEmbedding.self, HomeEmbedded.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Dweller") { old, new in
                let street = (old!["home"] as? DynamicObject)?["street"] as? String ?? "none"
                new!["name"] = (old!["name"] as? String ?? "") + " of " + street
            }
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(DwellerEmbedding.self).map(\.name) == ["a of astreet", "b of bstreet"])
            #expect(realm.objects(DwellerEmbedding.self).map { $0.home?.street } == ["astreet", "bstreet"])
        }
        try file.open(file.configuration([Dweller0.self, Home0.self], version: 2)) { realm in
            #expect(realm.objects(Home0.self).map(\.street) == ["astreet", "bstreet"])
        }
        try PythonChecker.requireClean(path: file.url.path)
    }

    @Test func versionsMayBeSkipped() throws {
        let block: MigrationBlock = { migration, version in
            if version < 1 { migration.renameProperty(onType: "Citizen", from: "first", to: "given") }
            if version < 2 {
                migration.enumerateObjects(ofType: "Citizen") { _, new in new!["last"] = "of version 2" }
            }
        }
        let file = try MigratingFile.withCitizens(2)
        try file.open(file.configuration([CitizenRenamed.self], version: 2, block)) { realm in
            #expect(realm.objects(CitizenRenamed.self).map(\.given) == ["f0", "f1"])
            #expect(realm.objects(CitizenRenamed.self).map(\.last) == ["of version 2", "of version 2"])
        }
    }

    @Test func progressIsReported() throws {
        let file = try MigratingFile.withCitizens(700)
        let reports = Recorder<MigrationProgress>()
        var configuration = file.configuration([Citizen0.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { _, _ in }
        }
        configuration.schemaRules.migrationProgress = { reports.add($0) }
        try file.open(configuration)
        #expect(reports.values.first?.description == "Citizen: 0 of 700 objects")
        #expect(reports.values.last?.description == "Citizen: 700 of 700 objects")
        #expect(reports.values.map(\.objectsDone) == reports.values.map(\.objectsDone).sorted())
        #expect(reports.values.last?.fraction == 1 && reports.values.count > 3)
    }

    /// The memory doesn't depend on the number of objects: none is retained after its block.
    @Test func objectsGoOneAfterTheOther() throws {
        let file = try MigratingFile.withCitizens(600)
        let kept = Recorder<Int>()
        let configuration = file.configuration([CitizenNamed.self], version: 1) { migration, _ in
            var seen: [WeakObject] = []
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                new!["fullName"] = old!["first"]
                seen += [WeakObject(object: old), WeakObject(object: new)]
                kept.add(seen.count { $0.object != nil })
            }
            kept.add(seen.count { $0.object != nil })
        }
        try file.open(configuration)
        #expect(kept.values.max() == 2 && kept.values.last == 0)
    }

    /// The block may retain its objects. Others are reused for the next objects.
    @Test func objectsThatTheBlockKeepsStayTheirOwn() throws {
        let file = try MigratingFile.withCitizens(600)
        let configuration = file.configuration([CitizenNamed.self], version: 1) { migration, _ in
            var kept: [(old: DynamicObject, new: DynamicObject, first: String)] = []
            var others: Set<ObjectIdentifier> = []
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                let first = old!["first"] as? String ?? ""
                new!["fullName"] = first + "!"
                if first.hasSuffix("7") {
                    kept.append((old!, new!, first))
                } else {
                    others.insert(ObjectIdentifier(old!))
                }
            }
            #expect(kept.count == 60 && others.count < 300)
            for one in kept {
                #expect(one.old["first"] as? String == one.first)
                #expect(one.new["fullName"] as? String == one.first + "!")
            }
        }
        try file.open(configuration) { realm in
            for (index, citizen) in realm.objects(CitizenNamed.self).enumerated() {
                #expect(citizen.fullName == "f\(index)!")
            }
        }
    }

    private struct WeakObject {
        weak var object: DynamicObject?
    }

    @Test func objectsOfAMigrationAreInvalidAfterIt() throws {
        let file = try MigratingFile.withCitizens(1)
        nonisolated(unsafe) var kept: [DynamicObject] = []
        let configuration = file.configuration([Citizen0.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in kept += [old!, new!] }
        }
        try file.open(configuration) { realm in
            #expect(kept.map(\.isInvalidated) == [true, true])
            #expect(kept[0]["first"] as? String == "" && kept[1]["id"] as? Int == 0)
            try realm.write { realm.deleteAll() }
        }
    }

    @Test func createdObjectsHaveTheDefaultsOfTheirClass() throws {
        let file = try MigratingFile.withCitizens(0)
        let configuration = file.configuration([CitizenGrown.self], version: 1) { migration, _ in
            let object = migration.create("Citizen", value: [5, "a"])
            object["last"] = "b"
        }
        try file.open(configuration) { realm in
            let object = try #require(realm.objects(CitizenGrown.self).first)
            #expect(object.id == 5 && object.first == "a" && object.last == "b")
            #expect(object.town == "Berlin" && object.points == 7)
        }
    }

    @Test(.behaviour("B-210")) func dataAreDeletedInsteadOfMigrated() throws {
        let file = try MigratingFile.withCitizens(100)
        var configuration = file.configuration([CitizenGrown.self])
        configuration.deleteRealmIfMigrationNeeded = true
        try file.open(configuration) { realm in
            #expect(realm.isEmpty)
            try realm.write { _ = realm.create(CitizenGrown.self) }
        }
        // No change is needed, so nothing is deleted.
        try file.open(configuration) { #expect($0.objects(CitizenGrown.self).count == 1) }
        configuration.schemaVersion = 1
        try file.open(configuration) { #expect($0.isEmpty) }
        configuration.schemaVersion = 0
        configuration.objectTypes = [Home0.self]
        try file.open(configuration) { realm in
            #expect(realm.instance.reading(nil) { try realm.instance.source?.table(named: "class_Citizen") } == nil)
        }
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        // Calls that would hang, or end the transaction of the migration, are rejected.
        Trap("Can't commit or cancel the write transaction of a migration") {
            migrateCitizens { migration, _ in
                migration.enumerateObjects(ofType: "Citizen") { _, new in new!.realm?.cancelWrite() }
            }
        },
        Trap("Can't perform transactions on read-only Realms.") {
            migrateCitizens { migration, _ in
                migration.enumerateObjects(ofType: "Citizen") { old, _ in old!.realm?.beginWrite() }
            }
        },
        Trap("while it is being migrated on the same thread") {
            let file = try MigratingFile.withCitizens(1)
            let url = file.url
            try file.open(
                file.configuration([Citizen0.self], version: 1) { _, _ in
                    _ = try? Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Citizen0.self]))
                })
        },
        Trap(
            "Cannot rename property 'Citizen.first' to 'weight' because it would change from type 'string' to 'int'."
        ) {
            migrateCitizens([CitizenNamed.self, Home0.self]) { migration, _ in
                migration.renameProperty(onType: "Citizen", from: "first", to: "weight")
            }
        },
        Trap("Renamed property 'Citizen.nothing' does not exist.") {
            migrateCitizens([CitizenNamed.self]) { migration, _ in
                migration.renameProperty(onType: "Citizen", from: "first", to: "nothing")
            }
        },
        Trap("Cannot rename properties for type 'Citizen' because it has been removed from the Realm.") {
            migrateCitizens([Home0.self]) { migration, _ in
                migration.renameProperty(onType: "Citizen", from: "first", to: "given")
            }
        },
        Trap("Cannot rename properties for type 'Nobody' because it does not exist.") {
            migrateCitizens { migration, _ in
                migration.renameProperty(onType: "Nobody", from: "first", to: "given")
            }
        },
    ]
}
