// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class ReportItem: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var `in`: Int
    @Persisted var any: AnyRealmValue
    @Persisted var link: ReportItem?
    @Persisted var items: List<ReportItem>
}

/// Public bug reports, and texts of errors (rows R35, R76, R105, S22, S24, and the rough edges).
@Suite struct ReportRowTests {
    private func withItems(_ body: (Realm) throws -> Void) throws {
        try withRealm([ReportItem.self]) { realm in
            try realm.write {
                for id in 1...5 {
                    realm.create(ReportItem.self, value: ["id": id, "name": "\(id)", "in": id, "any": id])
                }
            }
            try body(realm)
        }
    }

    @Test(.behaviour("R35")) func constantsOfAnyType() throws {
        try withItems { realm in
            let all = realm.objects(ReportItem.self)
            for name in ["id", "any"] {
                #expect(all.filter("\(name) IN %@", [1, 2] as [Any]).count == 2)
                #expect(all.filter("\(name) BETWEEN %@", [2, 4] as [Any]).count == 3)
                #expect(all.index(matching: "\(name) IN %@", [3, 4] as [Any]) == 2)
                #expect(all.filter(NSPredicate(format: "\(name) IN %@", [1, 2] as [Any])).count == 2)
                #expect(realm.dynamicObjects("ReportItem").filter("\(name) IN %@", [1, 2] as [Any]).count == 2)
            }
            #expect(all.filter("any IN %@", [1, "s"] as [Any]).count == 1)
            #expect(all.filter("any IN %@", [Any]()).isEmpty && all.filter("any IN %@", [3] as [Any]).count == 1)
            let objects: [Any] = [all[0], all[1]]
            try realm.write { all[4].link = all[0] }
            #expect(all.filter("link IN %@", objects).map(\.id) == [5])
            #expect(realm.dynamicObjects("ReportItem").filter("link IN %@", objects).count == 1)
        }
    }

    @Test(.behaviour("R105")) func anObjectWithManyIncomingLinksIsDeleted() throws {
        try withRealm([ReportItem.self]) { realm in
            try realm.write {
                let target = realm.create(ReportItem.self, value: ["id": 0])
                let list = realm.create(ReportItem.self, value: ["id": -1])
                for id in 1...20_000 {
                    realm.create(ReportItem.self, value: ["id": id, "link": target] as [String: Any])
                    list.items.append(target)
                }
            }
            try realm.write { realm.delete(realm.object(ofType: ReportItem.self, forPrimaryKey: 0)!) }
            #expect(realm.objects(ReportItem.self).where { $0.link != nil }.isEmpty)
            #expect(realm.object(ofType: ReportItem.self, forPrimaryKey: -1)?.items.isEmpty == true)
        }
    }

    @Test(.behaviour("S24")) func aPropertyNamedAsAFunctionOfQueries() throws {
        try withItems { realm in
            let all = realm.objects(ReportItem.self)
            #expect(all.where { $0[dynamicMember: \.in] == 2 }.count == 1 && all.filter("in == 2").count == 1)
        }
    }

    @Test(.behaviour("S24")) func unknownKeysAreFoundations() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ReportItem().value(forKey: "nothing")
        }
        expect("uncaught exception 'NSUnknownKeyException'", in: result)
    }

    @Test(.behaviour("S24")) func aThreadThatIsNotTheRealms() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: .init(inMemoryIdentifier: "S24", objectTypes: [ReportItem.self]))
            nonisolated(unsafe) let all = realm.objects(ReportItem.self)
            try onThread { _ = all.count }
        }
        expect("Realm accessed from incorrect thread. The Realm at in-memory Realm 'S24' belongs to", in: result)
    }

    @Test(.behaviour("S24")) func longPredicatesAreNotQuotedWhole() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm([ReportItem.self]) { realm in
                let text = (0..<5_000).map { "id == \($0)" }.joined(separator: " OR ") + " OR OR"
                _ = realm.objects(ReportItem.self).filter(text)
            }
        }
        expect("OR id == 4999 OR OR'", in: result)
        #expect((result?.standardErrorContent.count ?? .max) < 2_000)
    }

    @Test(.behaviour("S24")) func missingArguments() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm([ReportItem.self]) { _ = $0.objects(ReportItem.self).filter("id == %@") }
        }
        expect("an argument for each placeholder, but the number of arguments is 0", in: result)
    }

    @Test(.behaviour("S22")) func asyncWriteIsPerforming() async throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: "S22", objectTypes: [ReportItem.self])
        let states = try await performs(configuration)
        #expect(states == [false, true, false])
    }

    @MainActor private func performs(_ configuration: Realm.Configuration) async throws -> [Bool] {
        let realm = try await Realm(configuration: configuration)
        var states = [realm.isPerformingAsynchronousWriteOperations]
        try await realm.asyncWrite { states.append(realm.isPerformingAsynchronousWriteOperations) }
        return states + [realm.isPerformingAsynchronousWriteOperations]
    }

    @Test(.behaviour("S22")) func mixedPropertiesAreNotOptional() {
        #expect(ReportItem().objectSchema["any"]?.isOptional == false)
    }

    /// `thaw()` can't determine the actor. The actor's own Realm fetches the object, by key or reference.
    @Test(.behaviour("R76")) func anActorGetsAFrozenObjectFromItsOwnRealm() async throws {
        let folder = try TemporaryFolder()
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path + "/R76.realm"), objectTypes: [ReportItem.self])
        nonisolated(unsafe) let frozen = try frozenItem(configuration)
        let names = try await OpeningActor(configuration).names(frozen, ThreadSafeReference(to: frozen))
        #expect(names == ["seven!!", "seven!!"])
    }

    private func frozenItem(_ configuration: Realm.Configuration) throws -> ReportItem {
        let realm = try Realm(configuration: configuration)
        return try realm.write { realm.create(ReportItem.self, value: ["id": 7, "name": "seven"]) }.freeze()
    }

    @Test(.behaviour("R107")) func anActorOpensItsRealmInItsInitialiser() async throws {
        let count = try await OpeningActor(.init(inMemoryIdentifier: "R107", objectTypes: [ReportItem.self])).count()
        #expect(count == 1)
    }
}

private actor OpeningActor {
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func names(_ frozen: ReportItem, _ reference: ThreadSafeReference<ReportItem>) async throws -> [String] {
        let found = [realm.object(ofType: ReportItem.self, forPrimaryKey: frozen.id), realm.resolve(reference)]
        try await realm.asyncWrite { for item in found { item?.name += "!" } }
        return found.compactMap { $0 }.filter { $0.realm == realm && !$0.isFrozen }.map(\.name)
    }

    func count() async throws -> Int {
        try await realm.asyncWrite { realm.create(ReportItem.self, value: ["id": 1]) }
        return realm.objects(ReportItem.self).count
    }
}
