// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class InsideItem: TestObject {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var any: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    @Persisted var items: List<InsideItem>
}

private final class OutsideItem: TestObject {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
}

private final class OutsideView: Projection<OutsideItem> {
    @Projected(\OutsideItem.name) var name
}

/// Classes that the schema of a Realm lacks.
@Suite struct ClassOutsideTests {
    private static let calls: [String: @Sendable (Realm, InsideItem) throws -> Void] = [
        "objects": { realm, _ in _ = realm.objects(OutsideItem.self) },
        "projections": { realm, _ in _ = realm.objects(OutsideView.self) },
        "object": { realm, _ in _ = realm.object(ofType: OutsideItem.self, forPrimaryKey: 1) },
        "create": { realm, _ in realm.create(OutsideItem.self) },
        "create or update": { realm, _ in realm.create(OutsideItem.self, value: ["id": 1], update: .modified) },
        "add": { realm, _ in realm.add(OutsideItem()) },
        "add several": { realm, _ in realm.add([OutsideItem()], update: .all) },
        "dynamic objects": { realm, _ in _ = realm.dynamicObjects("OutsideItem") },
        "dynamic object": { realm, _ in _ = realm.dynamicObject(ofType: "OutsideItem", forPrimaryKey: 1) },
        "dynamic create": { realm, _ in realm.dynamicCreate("OutsideItem") },
        "mixed value": { _, item in item.any = .object(OutsideItem()) },
        "mixed value by key": { _, item in item["any"] = OutsideItem() },
        "element": { _, item in item.list.append(.object(OutsideItem())) },
        "member": { _, item in item.set.insert(.object(OutsideItem())) },
        "value of a map": { _, item in item.map["a"] = .object(OutsideItem()) },
        "nested element": { _, item in item.any = .fromArray([.object(OutsideItem())]) },
        "value of an object": { realm, _ in
            realm.create(InsideItem.self, value: ["id": 2, "any": OutsideItem()] as [String: Any])
        },
        "unmanaged object": { realm, _ in
            let item = InsideItem(value: ["id": 3])
            item.list.append(.object(OutsideItem()))
            realm.add(item)
        },
    ]

    @Test(.behaviour("T05"), arguments: ClassOutsideTests.calls.keys.sorted())
    func aClassMissingFromTheSchemaIsNamedWithARemedy(_ name: String) async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [name = name as String] in
            inWrite([InsideItem.self]) { realm in
                try ClassOutsideTests.calls[name]?(realm, realm.create(InsideItem.self, value: ["id": 1]))
            }
        }.expectText(
            """
            Object type 'OutsideItem' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` \
            array in your configuration, add `OutsideItem` to the list of `objectClasses` / `objectTypes`.
            """)
    }

    @Test(.behaviour("T05")) func aMigrationNamesAClassMissingFromTheModels() async throws {
        let file = try TemporaryFolderURL()
        try file.open([InsideItem.self]) { _ in }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [url = file.url as URL] in
            let configuration = Realm.Configuration(
                fileURL: url, schemaVersion: 1,
                migrationBlock: { migration, _ in migration.create("OutsideItem") }, objectTypes: [InsideItem.self])
            _ = try Realm(configuration: configuration)
        }.expectText(
            """
            Object type 'OutsideItem' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` \
            array in your configuration, add `OutsideItem` to the list of `objectClasses` / `objectTypes`.
            """)
    }
}
