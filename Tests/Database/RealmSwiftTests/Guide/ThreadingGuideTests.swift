// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for freezing, threads, and actors, as clients write it.

class GuideParcel: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var isDelivered: Bool
    @Persisted var stops: List<String>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct ThreadingGuideTests {
    private let folder: TemporaryFolder
    private let configuration: Realm.Configuration

    init() throws {
        folder = try TemporaryFolder()
        configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path).appendingPathComponent("parcels.realm"),
            objectTypes: [GuideParcel.self])
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for number in 1...5 { realm.create(GuideParcel.self, value: ["number": number, "stops": ["Depot"]]) }
        }
    }

    private func elsewhere<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { done in
            DispatchQueue.global().async { done.resume(with: Swift.Result { try work() }) }
        }
    }

    @Test func frozenObjectsMayCrossThreads() async throws {
        func parcels() throws -> Frozen<Results<GuideParcel>> {
            try Realm(configuration: configuration).objects(GuideParcel.self).where { !$0.isDelivered }.frozen()
        }
        let frozen = try parcels()
        let numbers = await Task.detached { frozen.value.map(\.number).reduce(0, +) }.value
        #expect(numbers == 15 && frozen.count == 5)
    }

    @Test func frozenObjectsDoNotChange() throws {
        let realm = try Realm(configuration: configuration)
        let parcel = try #require(realm.object(ofType: GuideParcel.self, forPrimaryKey: 1))
        let before = parcel.freeze()
        try realm.write { parcel.stops.append("Harbour") }
        #expect(before.stops.count == 1 && parcel.stops.count == 2 && before.isFrozen)
        let live = try #require(before.thaw())
        try realm.write { live.isDelivered = true }
        #expect(parcel.isDelivered && !before.isDelivered)
    }

    @Test func eachThreadOpensTheRealmItself() async throws {
        let configuration = configuration
        try await elsewhere {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.objects(GuideParcel.self).setValue(true, forKey: "isDelivered") }
        }
        func delivered() throws -> Int {
            let realm = try Realm(configuration: configuration)
            realm.refresh()
            return realm.objects(GuideParcel.self).where { $0.isDelivered }.count
        }
        #expect(try delivered() == 5)
    }

    @Test func aReferenceCarriesALiveObject() async throws {
        let configuration = configuration
        func makeReference() throws -> ThreadSafeReference<GuideParcel> {
            let realm = try Realm(configuration: configuration)
            return ThreadSafeReference(to: realm.objects(GuideParcel.self)[2])
        }
        let reference = try makeReference()
        let number = try await elsewhere { try Realm(configuration: configuration).resolve(reference)?.number }
        #expect(number == 3)
    }

    actor Depot {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func deliver(_ number: Int) async throws {
            guard let realm, let parcel = realm.object(ofType: GuideParcel.self, forPrimaryKey: number) else { return }
            try await realm.asyncWrite { parcel.isDelivered = true }
        }

        func waiting() -> [Int] {
            realm?.objects(GuideParcel.self).where { !$0.isDelivered }.map(\.number) ?? []
        }
    }

    @Test func anActorHasARealmOfItsOwn() async throws {
        let depot = Depot()
        try await depot.open(configuration)
        try await depot.deliver(2)
        try await depot.deliver(4)
        #expect(await depot.waiting() == [1, 3, 5])
    }

    @Test func aRealmListsTheHoldersOfOldVersions() throws {
        let realm = try Realm(configuration: configuration)
        let frozen = realm.freeze()
        try realm.write { realm.deleteAll() }
        #expect(frozen.objects(GuideParcel.self).count == 5 && realm.isEmpty)
        #expect(try realm.pins().count > 1)
    }
}
