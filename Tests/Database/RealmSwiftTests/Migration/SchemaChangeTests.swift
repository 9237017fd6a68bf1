// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Schemas over time (realm 9).
@Suite struct SchemaChangeTests: TrapSuite {
    /// `MigratingFile` without a mapping, then `CitizenMapped`, whose public names differ from those in the file.
    @Test(.behaviour("B-037")) func oldObjectsHaveTheNamesOfTheFile() throws {
        let file = try MigratingFile.withCitizens(2)
        try file.open(file.configuration([CitizenMapped.self], version: 1))
        let names = Recorder<[String?]>()
        let configuration = file.configuration([CitizenMapped.self], version: 2) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                let properties = old?.objectSchema.properties.map(\.name) ?? []
                names.add([
                    old?["first"] as? String, new?["firstName"] as? String,
                    properties.contains("first") ? "first" : nil, properties.contains("firstName") ? "firstName" : nil,
                ])
            }
        }
        try file.open(configuration)
        #expect(names.values == [["f0", "f0", "first", nil], ["f1", "f1", "first", nil]])
    }

    @Test(.behaviour("B-545")) func anAddedOptionalPropertyIsNilInExistingObjects() throws {
        let file = try MigratingFile.withCitizens(3)
        try file.open(file.configuration([CitizenGrown.self], version: 1)) { realm in
            #expect(realm.objects(CitizenGrown.self).map(\.town) == [nil, nil, nil])
            #expect(realm.objects(CitizenGrown.self).map(\.last) == ["l0", "l1", "l2"])
        }
    }

    @Test(.behaviour("B-546")) func anAddedRequiredPropertyHasTheZeroValueUnlessSet() throws {
        let file = try MigratingFile.withCitizens(3)
        try file.open(file.configuration([CitizenGrown.self], version: 1)) { realm in
            #expect(realm.objects(CitizenGrown.self).map(\.points) == [0, 0, 0])
        }
        let other = try MigratingFile.withCitizens(3)
        let configuration = other.configuration([CitizenGrown.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in new!["points"] = old!["weight"] }
        }
        try other.open(configuration) { realm in
            #expect(realm.objects(CitizenGrown.self).map(\.points) == [0, 10, 20])
        }
    }

    @Test(.behaviour("B-547")) func theDataOfARemovedPropertyAreDeleted() throws {
        let file = try MigratingFile.withCitizens(3)
        try file.open(file.configuration([CitizenNamed.self], version: 1))
        try file.open(file.configuration([Citizen0.self], version: 2)) { realm in
            #expect(realm.objects(Citizen0.self).map(\.first) == ["", "", ""])
            #expect(realm.objects(Citizen0.self).map(\.weight) == [0, 10, 20])
        }
    }

    @Test(.behaviour("B-548")) func aChangedSchemaOfTheSameVersionIsRefused() throws {
        let file = try MigratingFile.withCitizens(1)
        let configuration = file.configuration([CitizenGrown.self])
        let text = file.error(configuration)
        #expect(text.hasPrefix("Migration is required due to the following errors:"))
        #expect(text.contains("\n- Property 'Citizen.points' has been added."))
        #expect(throws: Realm.Error(.schemaMismatch)) { try file.open(configuration) }
    }

    @Test(.behaviour("B-549")) func aLowerVersionIsRefused() throws {
        let file = try MigratingFile.withCitizens(1)
        try file.open(file.configuration([Citizen0.self], version: 2))
        let text = file.error(file.configuration([Citizen0.self], version: 1))
        #expect(text == "Provided schema version 1 is less than last set version 2.")
    }

    @Test(.behaviour("B-550", "B-551")) func classesAndIndexesNeedNoMigration() throws {
        let file = try MigratingFile()
        try file.open(file.configuration([Home0.self])) { realm in
            try realm.write { _ = realm.create(Home0.self, value: ["street": "a"]) }
        }
        try file.open(file.configuration([Home0.self, Dweller0.self])) { realm in
            #expect(realm.objects(Dweller0.self).isEmpty && realm.objects(Home0.self).count == 1)
        }
        let indexed = try MigratingFile.withCitizens(2)
        try indexed.open(indexed.configuration([CitizenIndexed.self])) { realm in
            #expect(realm.objects(CitizenIndexed.self).where { $0.first == "f1" }.count == 1)
            let managed = realm.instance.requireManaged(CitizenIndexed.self)
            #expect(realm.instance.table(managed.tableKey)?.hasIndex(managed.columns[1]) == true)
        }
    }

    @Test(.behaviour("B-552")) func theBlockRunsOnceWithTheOldVersion() throws {
        let file = try MigratingFile.withCitizens(1)
        try file.open(file.configuration([Citizen0.self], version: 1))
        let versions = Recorder<UInt64>()
        let configuration = file.configuration([Citizen0.self], version: 2) { _, old in versions.add(old) }
        try file.open(configuration)
        try file.open(configuration)
        #expect(versions.values == [1])
    }

    @Test(.behaviour("B-553")) func aNewFileRunsNoBlock() throws {
        let file = try MigratingFile()
        let versions = Recorder<UInt64>()
        try file.open(file.configuration([Citizen0.self], version: 5) { _, old in versions.add(old) })
        #expect(versions.values.isEmpty)
        #expect(
            file.error(file.configuration([Citizen0.self], version: 4))
                == "Provided schema version 4 is less than last set version 5.")
    }

    @Test(.behaviour("B-554")) func eachObjectIsSeenOnce() throws {
        let file = try MigratingFile.withCitizens(600)
        let seen = Recorder<Int>()
        let others = Recorder<Int>()
        let configuration = file.configuration([CitizenGrown.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                guard let old, let new, old["id"] as? Int == new["id"] as? Int else { return }
                seen.add(old["id"] as? Int ?? -1)
            }
            migration.enumerateObjects(ofType: "Nobody") { _, _ in others.add(1) }
        }
        try file.open(configuration)
        #expect(seen.values == Array(0..<600))
        #expect(others.values.isEmpty)
    }

    @Test(.behaviour("B-555")) func newValuesAreStored() throws {
        let file = try MigratingFile.withCitizens(3)
        let configuration = file.configuration([CitizenNamed.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                new!["fullName"] = "\(old!["first"] as? String ?? "") \(old!.last as? String ?? "")"
            }
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(CitizenNamed.self).map(\.fullName) == ["f0 l0", "f1 l1", "f2 l2"])
        }
    }

    @Test(.behaviour("B-556")) func aRenamedPropertyKeepsItsValues() throws {
        let file = try MigratingFile.withCitizens(3)
        let configuration = file.configuration([CitizenRenamed.self], version: 1) { migration, _ in
            migration.renameProperty(onType: "Citizen", from: "first", to: "given")
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                new!["given"] = (new!["given"] as? String ?? "") + "!"
            }
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(CitizenRenamed.self).map(\.given) == ["f0!", "f1!", "f2!"])
            let managed = realm.instance.requireManaged(CitizenRenamed.self)
            let table = try #require(realm.instance.table(managed.tableKey))
            #expect(table.hasIndex(managed.columns[1]) && table.column(named: "first") == nil)
        }
    }

    @Test(.behaviour("B-556", "B-558", "B-566", "B-567"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Cannot rename property 'Citizen.nothing' because it does not exist.") {
            migrateCitizens([CitizenRenamed.self]) { migration, _ in
                migration.renameProperty(onType: "Citizen", from: "nothing", to: "given")
            }
        },
        Trap("Cannot rename property 'Citizen.last' to 'given' because the source property still exists.") {
            migrateCitizens([CitizenRenamed.self]) { migration, _ in
                migration.renameProperty(onType: "Citizen", from: "last", to: "given")
            }
        },
        Trap("Object type 'NoSuchObject' is not managed by the Realm") {
            migrateCitizens { migration, _ in migration.create("NoSuchObject") }
        },
        Trap("Attempting to modify object outside of a write transaction") {
            migrateCitizens { migration, _ in
                migration.enumerateObjects(ofType: "Citizen") { old, _ in old!["first"] = "x" }
            }
        },
        Trap("Invalid property name 'fullName' for class 'Citizen'.") {
            migrateCitizens([CitizenNamed.self]) { migration, _ in
                migration.enumerateObjects(ofType: "Citizen") { old, _ in _ = old!["fullName"] }
            }
        },
        Trap("Invalid property name 'first' for class 'Citizen'.") {
            migrateCitizens([CitizenNamed.self]) { migration, _ in
                migration.enumerateObjects(ofType: "Citizen") { _, new in new!["first"] = "x" }
            }
        },
    ]

    @Test(.behaviour("B-557")) func objectsMayBeDeletedDuringEnumeration() throws {
        let file = try MigratingFile.withCitizens(10)
        let seen = Recorder<Int>()
        let configuration = file.configuration([Citizen0.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                guard let old, let new, let id = old["id"] as? Int else { return }
                seen.add(id)
                if id.isMultiple(of: 3) { migration.delete(new) }
            }
            migration.enumerateObjects(ofType: "Citizen") { old, _ in seen.add(old!["id"] as? Int ?? -1) }
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(Citizen0.self).map(\.id) == [1, 2, 4, 5, 7, 8])
        }
        #expect(seen.values == Array(0..<10) + [1, 2, 4, 5, 7, 8])
    }

    @Test(.behaviour("B-559", "U12")) func dataOfAClassAreDeleted() throws {
        let file = try MigratingFile()
        try file.open(file.configuration([Home0.self, Dweller0.self])) { realm in
            try realm.write { _ = realm.create(Dweller0.self, value: ["name": "a", "home": ["street": "s"]]) }
        }
        let answers = Recorder<Bool>()
        let configuration = file.configuration([Home0.self], version: 1) { migration, _ in
            answers.add(migration.deleteData(forType: "Dweller"))
            answers.add(migration.deleteData(forType: "Nobody"))
            // The class doesn't exist any more (row U12). A class that stays is only emptied.
            answers.add(migration.deleteData(forType: "Dweller"))
            answers.add(migration.deleteData(forType: "Home"))
            answers.add(migration.deleteData(forType: "Home"))
        }
        try file.open(configuration) { realm in
            #expect(realm.objects(Home0.self).isEmpty)
            #expect(realm.instance.reading(nil) { try realm.instance.source?.table(named: "class_Dweller") } == nil)
        }
        #expect(answers.values == [true, false, false, true, true])
    }

    @Test(.behaviour("B-560")) func aNewPrimaryKeyMustBeUnique() throws {
        let file = try MigratingFile.withCitizens(3)
        let same: MigrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { _, new in new!["id"] = 1 }
        }
        let text = file.error(file.configuration([CitizenKeyed.self], version: 1, same))
        #expect(text.contains("Primary key property 'Citizen.id' has duplicate values after migration."))
        try file.open(file.configuration([CitizenKeyed.self], version: 1)) { realm in
            #expect(realm.object(ofType: CitizenKeyed.self, forPrimaryKey: 2)?.last == "l2")
        }
    }

    private func dwellers(_ homes: [Int?], count: Int) throws -> MigratingFile {
        let file = try MigratingFile()
        try file.open(file.configuration([Home0.self, Dweller0.self])) { realm in
            try realm.write {
                let all = (0..<count).map { realm.create(Home0.self, value: ["street": "s\($0)"]) }
                for home in homes {
                    realm.create(Dweller0.self, value: ["name": "d", "home": home.map { all[$0] } as Any])
                }
            }
        }
        return file
    }

    @Test(.behaviour("B-561")) func objectsBecomeEmbeddedIfEachHasOneParent() throws {
        let types: [ObjectBase.Type] = [HomeEmbedded.self, DwellerEmbedding.self]
        let orphans = try dwellers([0, nil], count: 2)
        // An object without a parent after the block is deleted, and a shared one is copied (row R88).
        let shared = try dwellers([0, 0], count: 2)
        try shared.open(shared.configuration(types, version: 1)) { realm in
            #expect(realm.objects(DwellerEmbedding.self).map { $0.home?.street } == ["s0", "s0"])
            #expect(realm.dynamicObjects("HomeEmbedded").count == 2)
        }
        let good = try dwellers([1, 0], count: 2)
        try good.open(good.configuration(types, version: 1)) { realm in
            #expect(realm.objects(DwellerEmbedding.self).map { $0.home?.street } == ["s1", "s0"])
        }
        try orphans.open(
            orphans.configuration(types, version: 1) { migration, _ in
                migration.enumerateObjects(ofType: "Home") { _, new in
                    if new!["street"] as? String == "s1" { migration.delete(new!) }
                }
            })
    }

    @Test(.behaviour("B-562")) func anOpenFileIsNotMigrated() async throws {
        let file = try MigratingFile.withCitizens(2)
        try Realm.performMigration(for: file.configuration([CitizenGrown.self], version: 1))
        try file.open(file.configuration([CitizenGrown.self], version: 1)) { #expect(!$0.isEmpty) }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let file = try MigratingFile.withCitizens(1)
            try file.open(file.configuration([Citizen0.self])) { realm in
                try Realm.performMigration(for: realm.configuration)
            }
        }.expectText("Cannot migrate Realms that are already open.")
    }

    @Test(.behaviour("B-563")) func optionalAndRequired() throws {
        let file = try MigratingFile.withCitizens(3)
        try file.open(file.configuration([CitizenSwapped.self], version: 1)) { realm in
            #expect(realm.objects(CitizenSwapped.self).map(\.nick) == ["", "n1", ""])
            #expect(realm.objects(CitizenSwapped.self).map(\.weight) == [0, 10, 20])
        }
    }

    @Test(.behaviour("B-564")) func anotherTypeBeginsAtZero() throws {
        let file = try MigratingFile.withCitizens(3)
        try file.open(file.configuration([CitizenRetyped.self], version: 1)) { realm in
            #expect(realm.objects(CitizenRetyped.self).map(\.weight) == ["", "", ""])
        }
        let other = try MigratingFile.withCitizens(3)
        let configuration = other.configuration([CitizenRetyped.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, new in
                new!["weight"] = "\(old!["weight"] as? Int ?? -1) kg"
            }
        }
        try other.open(configuration) { realm in
            #expect(realm.objects(CitizenRetyped.self).map(\.weight) == ["0 kg", "10 kg", "20 kg"])
        }
    }

    /// The process ends in the block, and the file is unchanged.
    @Test(.behaviour("B-565")) func aBlockThatFailsLeavesTheFile() async throws {
        let path = NSTemporaryDirectory() + "regnum-B565-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let url = URL(fileURLWithPath: path + "/a.realm")
        try autoclosing { try makeCitizens(url) }
        let before = try Data(contentsOf: url)
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [path = path as String] in
            let url = URL(fileURLWithPath: path + "/a.realm")
            let block: MigrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Citizen") { old, new in
                    new!["fullName"] = "x"
                    if old!["id"] as? Int == 2 { new!["fullName"] = 5 }
                }
            }
            _ = try Realm(
                configuration: Realm.Configuration(
                    fileURL: url, schemaVersion: 1, migrationBlock: block, objectTypes: [CitizenNamed.self]))
        }.expectText("Invalid value '5' of type 'Int' for 'string' property 'Citizen.fullName'.")
        #expect(try Data(contentsOf: url) == before)
        try autoclosing {
            let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Citizen0.self]))
            #expect(realm.objects(Citizen0.self).map(\.first) == ["f0", "f1", "f2"])
        }
    }

    @inline(never) private func autoclosing(_ body: () throws -> Void) rethrows { try body() }

    private func makeCitizens(_ url: URL) throws {
        let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Citizen0.self]))
        try realm.write {
            for index in 0..<3 { realm.create(Citizen0.self, value: ["id": index, "first": "f\(index)"]) }
        }
    }

    @Test(.behaviour("B-568")) func bothSchemasAreDescribed() throws {
        let file = try MigratingFile.withCitizens(1)
        let names = Recorder<[String]>()
        let configuration = file.configuration([CitizenNamed.self], version: 1) { migration, _ in
            names.add(migration.oldSchema["Citizen"]?.properties.map(\.name) ?? [])
            names.add(migration.newSchema["Citizen"]?.properties.map(\.name) ?? [])
        }
        try file.open(configuration)
        #expect(
            names.values == [["id", "first", "last", "nick", "weight"], ["id", "fullName", "nick", "weight"]])
    }

    @Test(.behaviour("S18")) func createdObjectsAreNotEnumerated() throws {
        let file = try MigratingFile.withCitizens(1)
        let seen = Recorder<String>()
        let configuration = file.configuration([Citizen0.self], version: 1) { migration, _ in
            migration.enumerateObjects(ofType: "Citizen") { old, _ in seen.add(old!["first"] as! String) }
            migration.deleteData(forType: "Citizen")
            migration.create("Citizen", value: ["first": "new"])
            migration.enumerateObjects(ofType: "Citizen") { _, new in seen.add(new!["first"] as! String) }
        }
        try file.open(configuration) { #expect($0.objects(Citizen0.self).map(\.first) == ["new"]) }
        #expect(seen.values == ["f0"])
    }
}
