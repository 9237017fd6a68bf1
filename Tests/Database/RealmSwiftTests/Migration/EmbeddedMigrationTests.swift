// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

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

/// Classes that become embedded in a migration.
@Suite struct EmbeddedMigrationTests {
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
            try Realm.check(fileAt: file.url).requireClean()
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
