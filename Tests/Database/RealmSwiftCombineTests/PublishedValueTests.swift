// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    import Foundation
    import RealmSwift
    import RealmSwiftCombine
    import RealmTestSupport
    import TestTraits
    import Testing

    #if canImport(Darwin)
        import Combine
    #else
        import OpenCombine
        import OpenCombineDispatch
    #endif

    /// The numbered behaviours of publishers.
    @Suite struct PublishedValueTests: TrapSuite {
        @Test(.behaviour("B-513", "S26")) func aCollectionIsPublishedAtFirstAndWhenItChanges() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                kennel.keep(realm.objects(PublishedDog.self).collectionPublisher.record(kennel) { "\($0.count)" })
            }
            kennel.settle()
            #expect(kennel.take(1) == ["2"])
            try kennel.write { $0.create(PublishedDog.self, value: ["number": 7]) }
            #expect(kennel.take(1) == ["3"])
            try kennel.write { try Kennel.dog(7, $0).name = "Rex" }
            #expect(kennel.take(1) == ["3"])
            try kennel.on { _ in kennel.cancelAll() }
            try kennel.write { $0.deleteAll() }
            #expect(kennel.take() == [])
        }

        @Test(.behaviour("B-514", "S26")) func changesetsBeginWithTheInitialOne() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                kennel.keep(
                    realm.objects(PublishedDog.self).changesetPublisher.record(kennel) { change in
                        switch change {
                        case .initial(let dogs): "initial \(dogs.count)"
                        case .update(let dogs, let deletions, let insertions, let modifications):
                            "\(dogs.count) -\(deletions) +\(insertions) ~\(modifications)"
                        case .error(let error): "\(error)"
                        }
                    })
            }
            kennel.settle()
            #expect(kennel.take(1) == ["initial 2"])
            try kennel.write { realm in
                realm.create(PublishedDog.self, value: ["number": 7])
                try Kennel.dog(0, realm).name = "Rex"
            }
            #expect(kennel.take(1) == ["3 -[] +[2] ~[0]"])
        }

        @Test(.behaviour("B-515", "S15")) func theValuesOfAnObjectEndWithIt() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                kennel.keep(valuePublisher(try Kennel.dog(0, realm)).record(kennel) { $0.name })
                kennel.keep(
                    changesetPublisher(try Kennel.dog(0, realm), keyPaths: ["name"]).record(kennel) { change in
                        if case .change(_, let properties) = change {
                            "changed \(properties.map(\.name))"
                        } else {
                            "gone"
                        }
                    })
            }
            kennel.settle()
            #expect(kennel.take() == [])
            try kennel.write { try Kennel.dog(0, $0).name = "Rex" }
            #expect(kennel.take(2) == ["Rex", "changed [\"name\"]"])
            try kennel.write { $0.delete(try Kennel.dog(0, $0)) }
            // A completion isn't a change (row S15).
            #expect(kennel.take(2) == ["finished", "finished"])
        }

        @Test(.behaviour("B-516", "S26"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
            await trap.expect(in: Self.self)
        }

        static let traps = [
            Trap("Only managed objects can be published") { _ = valuePublisher(PublishedDog()) },
            Trap("Only managed objects can be published") { _ = changesetPublisher(PublishedDog()) },
            Trap("Only managed collections can be published") { _ = valuePublisher(PublishedDog().friends) },
            Trap("Object is invalidated or deleted") {
                let kennel = try Kennel(dogs: 0..<1)
                try kennel.on { realm in
                    let dog = try Kennel.dog(0, realm)
                    try realm.write { realm.delete(dog) }
                    _ = valuePublisher(dog)
                }
            },
        ]

        @Test(.behaviour("S26", "T18")) func aPublisherOfAnUnmanagedObjectStaysSilent() throws {
            let kennel = try Kennel(dogs: 0..<1)
            try kennel.on { realm in
                let dog = PublishedDog()
                dog.number = 7
                kennel.keep(dog.objectWillChange.record(kennel) { "will change" })
                dog.name = "unmanaged"
                try realm.write { realm.add(dog) }
                kennel.keep(dog.objectWillChange.record(kennel) { "managed" })
            }
            kennel.settle()
            #expect(kennel.take() == [])
            try kennel.write { try Kennel.dog(7, $0).name = "Rex" }
            #expect(kennel.take(1) == ["managed"])
        }

        #if !canImport(Darwin)
            @Test(.behaviour("T18")) func aPrefixFinishesWithTheValueAfterIt() {
                var seen: [String] = []
                func record<P: Publisher>(_ name: String, _ publisher: P) -> AnyCancellable {
                    publisher.sink(receiveCompletion: { _ in seen.append("\(name) finished") }, receiveValue: { _ in })
                }
                let numbers = PassthroughSubject<Int, Never>()
                let held = [
                    record("prefix", numbers.prefix(2)), record("output", numbers.output(in: 0..<2)),
                    record("collect", numbers.collect(2).first()),
                ]
                for number in 0..<2 { numbers.send(number) }
                #expect(seen == ["collect finished"])
                numbers.send(2)
                #expect(seen.sorted() == ["collect finished", "output finished", "prefix finished"])
                withExtendedLifetime(held) {}
            }
        #endif

        @Test(.behaviour("B-517", "S26")) func onlySerialQueuesAreSubscribedOn() async throws {
            let text = "only serial dispatch queues are currently implemented."
            await #expect(processExitsWith: .failure, observing: .errorText) {
                let kennel = try Kennel(dogs: 0..<1)
                try kennel.on {
                    _ = $0.objects(PublishedDog.self).collectionPublisher.subscribe(on: DispatchQueue.global())
                }
            }.expectText(text)
            await #expect(processExitsWith: .failure, observing: .errorText) {
                let kennel = try Kennel(dogs: 0..<1)
                try kennel.on {
                    _ = $0.objects(PublishedDog.self).changesetPublisher.subscribe(on: ImmediateScheduler.shared)
                }
            }.expectText(text)
            // A serial queue receives its own values.
            let kennel = try Kennel(dogs: 0..<2)
            let other = DispatchQueue(label: "test.other")
            try kennel.on { realm in
                kennel.keep(
                    realm.objects(PublishedDog.self).collectionPublisher.subscribe(on: other).record(kennel) { dogs in
                        dispatchPrecondition(condition: .onQueue(other))
                        return "\(dogs.count) \(dogs.isFrozen) \(dogs[0].name)"
                    })
            }
            kennel.settle(other)
            #expect(kennel.take(1) == ["2 false 0"])
        }

        @Test(.behaviour("B-518", "S26")) func frozenAndLiveValuesReachAnotherQueue() throws {
            let kennel = try Kennel(dogs: 0..<2)
            let other = DispatchQueue(label: "test.other")
            try kennel.on { realm in
                let dogs = realm.objects(PublishedDog.self)
                func text(_ name: String) -> (Results<PublishedDog>) -> String {
                    { dogs in
                        dispatchPrecondition(condition: .onQueue(other))
                        return "\(name) \(dogs.isFrozen) \(dogs.count)"
                    }
                }
                kennel.keep(dogs.collectionPublisher.freeze().receive(on: other).record(kennel, text("frozen")))
                kennel.keep(
                    dogs.collectionPublisher.threadSafeReference().receive(on: other).record(kennel, text("live")))
                kennel.keep(dogs.collectionPublisher.receive(on: other).record(kennel, text("by itself")))
            }
            kennel.settle(other)
            #expect(kennel.take(3) == ["by itself false 2", "frozen true 2", "live false 2"])
            try kennel.write { $0.create(PublishedDog.self, value: ["number": 7]) }
            kennel.settle(other)
            #expect(kennel.take(3) == ["by itself false 3", "frozen true 3", "live false 3"])
        }

        @Test(.behaviour("B-519", "S26")) func aSavedTokenKeepsAWriteFromBeingPublished() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                kennel.keep(
                    realm.objects(PublishedDog.self).changesetPublisher.saveToken(on: kennel, at: \.token)
                        .record(kennel) { change in
                            if case .initial = change { "initial" } else { "update" }
                        })
            }
            kennel.settle()
            #expect(kennel.take(1) == ["initial"])
            try kennel.on { realm in
                let token = try #require(kennel.token)
                try realm.write(withoutNotifying: [token]) { try Kennel.dog(0, realm).name = "quiet" }
            }
            kennel.settle()
            #expect(kennel.take() == [])
            try kennel.write { try Kennel.dog(0, $0).name = "loud" }
            #expect(kennel.take(1) == ["update"])
        }

        @Test(.behaviour("B-520", "S26")) func accessorsOfOneRowHaveOneIdentity() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                let (first, again, other) = (
                    try Kennel.dog(0, realm), try Kennel.dog(0, realm), try Kennel.dog(1, realm)
                )
                #expect(first !== again && first.id == again.id && first.id != other.id)
                #expect(first.freeze().id == first.id)
            }
        }
    }
#endif
