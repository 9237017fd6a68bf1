// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class RenamedItem: TestObject {
    @Persisted var x: Int
    @Persisted var next: RenamedItem?
    override class func _realmObjectName() -> String? { "FileItem" }
}

private final class SharingA: TestObject {
    @Persisted var x: Int
    override class func _realmObjectName() -> String? { "SharedItem" }
    override class func propertiesMapping() -> [String: String] { ["x": "column x"] }
}

private final class SharingB: TestObject {
    @Persisted var y: Int
    override class func _realmObjectName() -> String? { "SharedItem" }
    override class func propertiesMapping() -> [String: String] { ["y": "column x"] }
}

private final class OtherItem: TestObject {
    @Persisted var name: String
}

private final class FirstTarget: TestObject {
    @Persisted var number = 0
    @Persisted(originProperty: "firstLink") var origins: LinkingObjects<FirstOrigin>
    override static func _realmObjectName() -> String? { "SharedTarget" }
    override static func propertiesMapping() -> [String: String] { ["number": "value"] }
}

private final class SecondTarget: TestObject {
    @Persisted var count = 0
    @Persisted(originProperty: "secondLink") var origins: LinkingObjects<SecondOrigin>
    override static func _realmObjectName() -> String? { "SharedTarget" }
    override static func propertiesMapping() -> [String: String] { ["count": "value"] }
}

private final class FirstOrigin: TestObject {
    @Persisted var firstLink: FirstTarget?
    override static func _realmObjectName() -> String? { "SharedOrigin" }
    override static func propertiesMapping() -> [String: String] { ["firstLink": "link"] }
}

private final class SecondOrigin: TestObject {
    @Persisted var secondLink: SecondTarget?
    override static func _realmObjectName() -> String? { "SharedOrigin" }
    override static func propertiesMapping() -> [String: String] { ["secondLink": "link"] }
}

/// The names of classes in code and in files, and several classes of one table.
@Suite struct ClassNameTests {
    @Test(.behaviour("S03")) func theNameInTheFileNamesTheTableAlone() throws {
        #expect(RenamedItem.className() == "RenamedItem")
        #expect(RenamedItem().description.hasPrefix("RenamedItem {"))
        try withRealm([RenamedItem.self]) { realm in
            #expect(realm.schema.objectSchema.map(\.className) == ["RenamedItem"])
            #expect(realm.schema["RenamedItem"]?["next"]?.objectClassName == "RenamedItem")
            #expect(realm.schema["FileItem"] != nil)
            try realm.write { realm.create(RenamedItem.self, value: ["x": 5, "next": ["x": 6]] as [String: Any]) }
            #expect(realm.dynamicObjects("RenamedItem").count == 2 && realm.dynamicObjects("FileItem").count == 2)
            #expect(realm.objects(RenamedItem.self).where { $0.next.x == 6 }.count == 1)
            #expect(realm.dynamicObjects("RenamedItem")[0].description.hasPrefix("RenamedItem {"))
        }
    }

    @Test(.behaviour("S03")) func twoClassesOfOneTable() throws {
        try withRealm([SharingA.self, SharingB.self]) { realm in
            #expect(realm.schema.objectSchema.map(\.className).sorted() == ["SharingA", "SharingB"])
            try realm.write {
                realm.create(SharingA.self, value: ["x": 1])
                realm.create(SharingB.self, value: ["y": 2])
            }
            #expect(
                realm.objects(SharingA.self).map(\.x) == [1, 2] && realm.objects(SharingB.self).map(\.y) == [1, 2])
            #expect(realm.objects(SharingA.self).where { $0.x > 1 }.count == 1)
            #expect(realm.objects(SharingB.self).where { $0.y > 1 }.count == 1)
        }
    }

    @Test(.behaviour("S03")) func migrationsTakeBothNames() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/S03.realm")
        try onThread {
            let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [RenamedItem.self]))
            try realm.write { realm.create(RenamedItem.self, value: ["x": 5]) }
        }
        let seen = Locked<[Int]>([])
        let configuration = Realm.Configuration(
            fileURL: url, schemaVersion: 1,
            migrationBlock: { migration, _ in
                for name in ["RenamedItem", "FileItem"] {
                    migration.enumerateObjects(ofType: name) { old, new in
                        seen.withLock { $0.append(old!["x"] as! Int) }
                        new!["x"] = 7
                    }
                }
            }, objectTypes: [RenamedItem.self])
        try onThread {
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(RenamedItem.self).map(\.x) == [7])
        }
        #expect(seen.withLock { $0 } == [5, 5])
    }

    @Test(.behaviour("R102")) func aSecondOpeningAddsItsClasses() throws {
        try withRealm([RenamedItem.self]) { realm in
            var configuration = realm.configuration
            configuration.objectTypes = [OtherItem.self]
            let second = try Realm(configuration: configuration)
            try second.write { second.create(OtherItem.self, value: ["name": "a"]) }
            #expect(second.objects(OtherItem.self).map(\.name) == ["a"])
            try realm.write { realm.create(RenamedItem.self, value: ["x": 1]) }
            #expect(realm.objects(RenamedItem.self).count == 1)
        }
    }

    @Test(.behaviour("T05")) func theInverseIsOfTheClassThatThePropertyNames() throws {
        let types: [ObjectBase.Type] = [FirstTarget.self, SecondTarget.self, FirstOrigin.self, SecondOrigin.self]
        try withRealm(types) { realm in
            try realm.write { realm.add(FirstOrigin(value: ["firstLink": ["number": 5]] as [String: Any])) }
            let (first, second) = (realm.objects(FirstTarget.self).first, realm.objects(SecondTarget.self).first)
            #expect(first?.origins.count == 1 && second?.origins.first?.secondLink?.count == 5)
            #expect(realm.objects(SecondTarget.self).filter("origins.@count == 1").count == 1)
        }
    }

    @Test(.behaviour("T16")) func descriptionsOfLinks() {
        let properties = ObjectSchema(FirstTarget().classInfo)
        let origins = properties["origins"]?.description ?? ""
        #expect(
            origins.hasPrefix(
                """
                origins {
                \ttype = linking objects;
                \tobjectClassName = FirstOrigin;
                \tlinkOriginPropertyName = firstLink;
                \tcolumnName = 
                """), "\(origins)")
        let link = ObjectSchema(RenamedItem().classInfo)["next"]?.description ?? ""
        #expect(link.contains("\tobjectClassName = RenamedItem;\n\tlinkOriginPropertyName = (null);\n\tcolumnName"))
    }
}
