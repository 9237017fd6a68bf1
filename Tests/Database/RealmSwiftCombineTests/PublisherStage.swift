// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    import RealmSwift
    import RealmSwiftCombine
    import Testing

    #if canImport(Darwin)
        import Combine
    #else
        import OpenCombine
        import OpenCombineDispatch
    #endif

    /// A kennel of two dogs, the first a friend of the second, and one way to publish its objects and collections.
    struct PublisherStage {
        enum Way: CaseIterable {
            case plain, saved, subscribed, received, referenced, frozen, subscribedAndReceived, subscribedAndReferenced
            case subscribedAndFrozen
        }

        final class Tokens {
            var all: [NotificationToken] = []
            var last: NotificationToken? {
                get { all.last }
                set { all += newValue.map { [$0] } ?? [] }
            }
        }

        let way: Way
        let kennel: Kennel
        let tokens = Tokens()
        private let other = DispatchQueue(label: "test.other")
        private let third = DispatchQueue(label: "test.third")

        init(_ way: Way = .plain) throws {
            self.way = way
            kennel = try Kennel(dogs: 0..<2)
            try kennel.write { realm in
                let (first, second) = (try Kennel.dog(0, realm), try Kennel.dog(1, realm))
                first.friends.append(second)
                first.tricks.insert("sit")
                first.marks["sit"] = 1
                first.pals["best"] = second
            }
        }

        private var place: DispatchQueue {
            switch way {
            case .plain, .saved: kennel.queue
            case .subscribed, .received, .referenced, .frozen: other
            case .subscribedAndReceived, .subscribedAndReferenced, .subscribedAndFrozen: third
            }
        }

        private var isFrozen: Bool { way == .frozen || way == .subscribedAndFrozen }

        func settle() { kennel.settle(other, third) }

        func publish<Value>(
            _ publisher: RealmPublishers.Value<Value>, _ text: @escaping (Value) -> String
        ) where Value: ThreadConfined {
            let describe: (Value) -> String = { value in
                #expect(value.isFrozen == isFrozen)
                return text(value)
            }
            switch way {
            case .plain: record(publisher, describe)
            case .saved: record(publisher.saveToken(on: tokens, at: \.last), describe)
            case .subscribed: record(publisher.subscribe(on: other), describe)
            case .received: record(publisher.receive(on: other), describe)
            case .referenced: record(publisher.threadSafeReference().receive(on: other), describe)
            case .frozen: record(publisher.freeze().receive(on: other), describe)
            case .subscribedAndReceived: record(publisher.subscribe(on: other).receive(on: third), describe)
            case .subscribedAndReferenced:
                record(publisher.subscribe(on: other).threadSafeReference().receive(on: third), describe)
            case .subscribedAndFrozen: record(publisher.subscribe(on: other).freeze().receive(on: third), describe)
            }
        }

        /// Publishes changes. `freeze` applies that operator, which is overloaded for each kind of change.
        func publish<Change>(
            _ publisher: RealmPublishers.Changeset<Change>,
            freeze: (RealmPublishers.Changeset<Change>) -> some Publisher<Change, Never>,
            _ text: @escaping (Change) -> String
        ) {
            switch way {
            case .plain: record(publisher, text)
            case .saved: record(publisher.saveToken(on: tokens, at: \.last), text)
            case .subscribed: record(publisher.subscribe(on: other), text)
            case .received: record(publisher.receive(on: other), text)
            case .referenced: record(publisher.threadSafeReference().receive(on: other), text)
            case .frozen: record(freeze(publisher).receive(on: other), text)
            case .subscribedAndReceived: record(publisher.subscribe(on: other).receive(on: third), text)
            case .subscribedAndReferenced:
                record(publisher.subscribe(on: other).threadSafeReference().receive(on: third), text)
            case .subscribedAndFrozen: record(freeze(publisher.subscribe(on: other)).receive(on: third), text)
            }
        }

        func record<Published: Publisher>(_ publisher: Published, _ text: @escaping (Published.Output) -> String) {
            let place = place
            kennel.keep(
                publisher.record(kennel) { value in
                    dispatchPrecondition(condition: .onQueue(place))
                    return text(value)
                })
        }

        /// Expects the first values initially, and the second ones after a change. Expects nothing after a write
        /// excluded by the saved tokens, or after the end of the subscriptions.
        func expect(first: [String] = [], then second: [String], at place: SourceLocation = #_sourceLocation) throws {
            settle()
            #expect(kennel.take(first.count) == first.sorted(), sourceLocation: place)
            if way == .saved {
                #expect(!tokens.all.isEmpty)
                try kennel.on { realm in
                    try realm.write(withoutNotifying: tokens.all) { try changeQuietly(realm) }
                }
                settle()
                #expect(kennel.take() == [], "not to be published", sourceLocation: place)
            }
            try kennel.write(change)
            settle()
            #expect(kennel.take(second.count) == second.sorted(), sourceLocation: place)
            try kennel.on { _ in kennel.cancelAll() }
            try kennel.write(changeQuietly)
            settle()
            #expect(kennel.take() == [], "cancelled", sourceLocation: place)
        }

        private func change(_ realm: Realm) throws {
            let (first, second) = (try Kennel.dog(0, realm), try Kennel.dog(1, realm))
            let third = realm.create(PublishedDog.self, value: ["number": 2, "name": "2", "friends": [second]])
            first.name = "Rex"
            second.walks += 1
            first.friends.append(third)
            first.tricks.insert("roll")
            first.marks["roll"] = 2
        }

        private func changeQuietly(_ realm: Realm) throws {
            let dog = try Kennel.dog(0, realm)
            dog.walks += 1
            dog.marks["sit"] = dog.walks + 5
            dog.friends[0].walks += 1
        }
    }
#endif
