// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    import Foundation
    import RealmRuntime
    import RealmSwiftCombine
    import RealmTestSupport
    import Testing

    @testable import RealmSwift

    #if canImport(Darwin)
        import Combine
    #else
        import OpenCombine
        import OpenCombineDispatch
    #endif

    final class PublishedDog: Object, ObjectKeyIdentifiable {
        @Persisted(primaryKey: true) var number: Int
        @Persisted var name: String
        @Persisted var friends: List<PublishedDog>
        @Persisted var tricks: MutableSet<String>
        @Persisted var marks: Map<String, Int>
        @Persisted var pals: Map<String, PublishedDog?>
        @Persisted var walks: Int
        @Persisted var collar: PublishedCollar?
        @Persisted(originProperty: "friends") var fans: LinkingObjects<PublishedDog>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class PublishedCollar: EmbeddedObject {
        @Persisted var colour: String

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class PublishedName: Projection<PublishedDog> {
        @Projected(\PublishedDog.name) var title
        @Projected(\PublishedDog.walks) var walks
    }

    /// A Realm of a queue, with the given dogs, and the values of its publishers.
    ///
    /// The Realm and the subscriptions are used only on the queue; `published` is guarded by `lock`.
    final class Kennel: @unchecked Sendable {
        let folder: TemporaryFolder
        let configuration: Realm.Configuration
        let queue = DispatchQueue(label: "test.kennel")
        var token: NotificationToken?
        private var realm: Realm?
        private var subscriptions: [AnyCancellable] = []
        private let lock = NSLock()
        private var published: [String] = []

        init(dogs: Range<Int>) throws {
            folder = try TemporaryFolder()
            configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: folder.path + "/kennel.realm"),
                objectTypes: [PublishedDog.self, PublishedCollar.self])
            try on { realm in
                try realm.write {
                    for number in dogs {
                        realm.create(PublishedDog.self, value: ["number": number, "name": "\(number)"])
                    }
                }
            }
        }

        @discardableResult
        func on<Result>(_ body: (Realm) throws -> Result) throws -> Result {
            try queue.sync {
                if realm == nil { realm = try Realm(configuration: configuration, queue: queue) }
                return try body(try #require(realm))
            }
        }

        /// Writes on the queue, and waits until all subscribers have been notified.
        func write(_ body: (Realm) throws -> Void) throws {
            try on { realm in try realm.write { try body(realm) } }
            settle()
        }

        func keep(_ subscription: AnyCancellable) { subscriptions.append(subscription) }

        func cancelAll() { subscriptions = [] }

        /// Waits until all pending notifications are delivered, on the queue or on others.
        func settle(_ others: DispatchQueue...) {
            for _ in 0..<6 {
                for queue in [queue] + others { queue.sync {} }
                Observers.background.sync(flags: .barrier) {}
            }
            for queue in [queue] + others { queue.sync {} }
        }

        func record(_ text: String) { lock.withLock { published.append(text) } }

        /// Returns the values published since the last call, sorted. Waits for `count` of them, because queries may run
        /// in the background.
        func take(_ count: Int = 0) -> [String] {
            let end = Date(timeIntervalSinceNow: 1200)
            while lock.withLock({ published.count }) < count, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
            return lock.withLock {
                defer { published = [] }
                return published.sorted()
            }
        }

        static func dog(_ number: Int, _ realm: Realm) throws -> PublishedDog {
            try #require(realm.object(ofType: PublishedDog.self, forPrimaryKey: number))
        }
    }

    extension Publisher {
        func record(_ kennel: Kennel, _ text: @escaping (Output) -> String) -> AnyCancellable {
            sink(
                receiveCompletion: { completion in
                    if case .finished = completion { kennel.record("finished") } else { kennel.record("failed") }
                }, receiveValue: { kennel.record(text($0)) })
        }
    }
#endif
