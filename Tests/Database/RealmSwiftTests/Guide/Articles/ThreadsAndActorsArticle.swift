// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article ThreadsAndActors.
@Suite struct ThreadsAndActorsArticle {
    class Parcel: Object {
        @Persisted(primaryKey: true) var number: Int
        @Persisted var isDelivered: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let folder: TemporaryFolder
    private let configuration: Realm.Configuration

    init() throws {
        folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("parcels.realm")
        configuration = Realm.Configuration(fileURL: url, objectTypes: [Parcel.self])
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for number in 1...5 { realm.create(Parcel.self, value: ["number": number]) }
        }
    }

    // begin ThreadsAndActors
    actor Depot {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func deliver(_ number: Int) async throws {
            guard let realm, let parcel = realm.object(ofType: Parcel.self, forPrimaryKey: number) else { return }
            try await realm.asyncWrite { parcel.isDelivered = true }
        }

        func waiting() -> Frozen<Results<Parcel>>? {
            guard let realm else { return nil }
            return Frozen(realm.objects(Parcel.self).where { !$0.isDelivered })
        }
    }
    // end

    @Test func actors() async throws {
        let configuration = configuration
        // begin ThreadsAndActors
        let depot = Depot()
        try await depot.open(configuration)
        try await depot.deliver(2)
        let waiting = await depot.waiting()
        print(waiting?.value.map(\.number) ?? [])  // [1, 3, 4, 5], on any thread
        // end
        #expect(waiting?.value.map(\.number) == [1, 3, 4, 5])
    }

    @Test func threads() async throws {
        let configuration = configuration
        try await withCheckedThrowingContinuation { done in
            // begin ThreadsAndActors
            DispatchQueue.global().async {
                let result = Result {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { realm.objects(Parcel.self).setValue(true, forKey: "isDelivered") }
                }
                done.resume(with: result)
            }
            // end
        }
        #expect(try Self.delivered(configuration) == 5)
    }

    private static func delivered(_ configuration: Realm.Configuration) throws -> Int {
        try Realm(configuration: configuration).objects(Parcel.self).where { $0.isDelivered }.count
    }

    @Test func references() async throws {
        let configuration = configuration
        let queue = DispatchQueue(label: "parcels")
        func reference() throws -> ThreadSafeReference<Parcel> {
            let realm = try Realm(configuration: configuration)
            // begin ThreadsAndActors
            let parcel = realm.objects(Parcel.self)[2]
            let reference = ThreadSafeReference(to: parcel)
            // end
            return reference
        }
        let reference = try reference()
        let number = try await withCheckedThrowingContinuation { done in
            queue.async {
                done.resume(
                    with: Result {
                        // begin ThreadsAndActors
                        let realm = try Realm(configuration: configuration, queue: queue)
                        let parcel = realm.resolve(reference)
                        // end
                        return parcel?.number
                    })
            }
        }
        #expect(number == 3)
    }

    @Test func freezing() throws {
        let realm = try Realm(configuration: configuration)
        // begin ThreadsAndActors
        let before = realm.objects(Parcel.self).where { $0.isDelivered }.freeze()
        try realm.write { realm.objects(Parcel.self)[0].isDelivered = true }
        print(before.count)  // 0
        print(before.thaw()?.count ?? 0)  // 1
        // end
        #expect(before.isEmpty && before.thaw()?.count == 1)
    }
}
