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

private final class ChildBefore: TestObject {
    @Persisted var n: Int
    @Persisted var tags: List<String>
    override class func _realmObjectName() -> String? { "RowChild" }
}

private final class ParentBefore: TestObject {
    @Persisted var k: Int
    @Persisted var child: ChildBefore?
    @Persisted var list: List<ChildBefore>
    override class func _realmObjectName() -> String? { "RowParent" }
}

private final class ChildAfter: TestEmbedded {
    @Persisted var n: Int
    @Persisted var tags: List<String>
    override class func _realmObjectName() -> String? { "RowChild" }
}

private final class ParentAfter: TestObject {
    @Persisted var k: Int
    @Persisted var child: ChildAfter?
    @Persisted var list: List<ChildAfter>
    override class func _realmObjectName() -> String? { "RowParent" }
}

/// The names of classes, and migrations of them (rows S3, R88, R102).
@Suite struct SchemaRowTests {
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

    // MARK: Classes that become embedded

    private func migrated(_ block: MigrationBlock? = nil, _ body: (Realm) throws -> Void) throws {
        let file = try TemporaryFolderURL()
        try file.open([ChildBefore.self, ParentBefore.self]) { realm in
            try realm.write {
                let first = realm.create(
                    ParentBefore.self,
                    value: ["k": 1, "child": ["n": 1, "tags": ["a"]], "list": [["n": 2], ["n": 3]]] as [String: Any])
                let second = realm.create(ParentBefore.self, value: ["k": 2])
                second.child = first.child
                second.list.append(objectsIn: [first.list[0], first.list[0]])
                realm.create(ChildBefore.self, value: ["n": 9])
            }
        }
        let configuration = Realm.Configuration(
            fileURL: file.url, schemaVersion: 1, migrationBlock: block,
            objectTypes: [ChildAfter.self, ParentAfter.self])
        try withExtendedLifetime(file) {
            try onOpened(configuration, body)
            try Realm.check(fileAt: file.url)
        }
    }

    @inline(never)
    private func onOpened(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
        try body(try Realm(configuration: configuration))
    }

    @Test(.behaviour("R88")) func orphansAreDeletedAndSharedChildrenAreCopied() throws {
        try migrated { realm in
            let parents = realm.objects(ParentAfter.self).sorted(byKeyPath: "k")
            #expect(parents.map { $0.child?.n } == [1, 1] && parents.map { Array($0.child!.tags) } == [["a"], ["a"]])
            #expect(parents.map { $0.list.map(\.n) } == [[2, 3], [2, 2]])
            try realm.write { parents[1].list[0].n = 5 }
            #expect(parents.map { $0.list.map(\.n) } == [[2, 3], [5, 2]])
            #expect(realm.dynamicObjects("ChildAfter").count == 6)
        }
    }

    @Test(.behaviour("R88"), arguments: ["dictionary", "object", "create"])
    func embeddedObjectsAreMadeInAMigration(way: String) throws {
        let block: MigrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "RowParent") { old, new in
                guard old!["k"] as? Int == 2, let new else { return }
                switch way {
                case "dictionary":
                    new["child"] = ["n": 7]
                    new["list"] = [["n": 8]]
                case "object":
                    new["child"] = ChildAfter(value: ["n": 7])
                    new["list"] = [ChildAfter(value: ["n": 8])]
                default:
                    new["child"] = migration.create("RowChild", value: ["n": 7])
                    let list = new["list"] as! List<DynamicObject>
                    list.removeAll()
                    list.append(migration.create("RowChild", value: ["n": 8]))
                }
            }
        }
        try migrated(block) { realm in
            let second = realm.objects(ParentAfter.self).where { $0.k == 2 }.first
            #expect(second?.child?.n == 7 && second?.list.map(\.n) == [8])
            #expect(realm.objects(ParentAfter.self).where { $0.k == 1 }.first?.list.map(\.n) == [2, 3])
        }
    }
}
