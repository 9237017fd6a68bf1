// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
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

    /// Every publisher of every observable type, in every way of publishing (row S26).
    @Suite struct PublisherFormTests {
        private typealias Way = PublisherStage.Way

        // MARK: Collections

        @Test(.behaviour("S26"), arguments: Way.allCases) func collectionPublisher(_ way: PublisherStage.Way) throws {
            let stage = try PublisherStage(way)
            func publish<C: RealmCollection & RealmSubscribable>(_ name: String, _ collection: C) {
                stage.publish(collection.collectionPublisher) { "\(name) \($0.count)" }
            }
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                publish("results", realm.objects(PublishedDog.self))
                publish("query", realm.objects(PublishedDog.self).filter("name != '1'").sorted(byKeyPath: "name"))
                publish("list", dog.friends)
                publish("set", dog.tricks)
                publish("inverse", dog.friends[0].fans)
                publish("any", AnyRealmCollection(dog.friends))
            }
            try stage.expect(
                first: ["results 2", "query 1", "list 1", "set 1", "inverse 1", "any 1"],
                then: ["results 3", "query 2", "list 2", "set 2", "inverse 2", "any 2"])
        }

        @Test(.behaviour("S26"), arguments: Way.allCases) func valuePublisherOfCollections(_ way: PublisherStage.Way)
            throws
        {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                stage.publish(valuePublisher(realm.objects(PublishedDog.self))) { "results \($0.count)" }
                stage.publish(valuePublisher(dog.friends)) { "list \($0.count)" }
                stage.publish(valuePublisher(dog.tricks)) { "set \($0.count)" }
            }
            try stage.expect(
                first: ["results 2", "list 1", "set 1"], then: ["results 3", "list 2", "set 2"])
        }

        private static func text<C>(_ name: String) -> (RealmCollectionChange<C>) -> String where C: RealmCollection {
            { change in
                switch change {
                case .initial(let collection): "\(name) \(collection.count)"
                case .update(let collection, let deletions, let insertions, let modifications):
                    "\(name) \(collection.count) -\(deletions.count) +\(insertions.count) ~\(modifications.count)"
                case .error(let error): "\(error)"
                }
            }
        }

        @Test(.behaviour("S26"), arguments: Way.allCases) func changesetPublisherOfCollections(
            _ way: PublisherStage.Way
        ) throws {
            let stage = try PublisherStage(way)
            func publish<C: RealmCollection & RealmSubscribable>(_ name: String, _ collection: C) {
                stage.publish(collection.changesetPublisher, freeze: { $0.freeze() }, Self.text(name))
            }
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                publish("results", realm.objects(PublishedDog.self))
                publish("list", dog.friends)
                publish("set", dog.tricks)
                publish("inverse", dog.friends[0].fans)
                publish("any", AnyRealmCollection(dog.friends))
                stage.publish(changesetPublisher(dog.friends), freeze: { $0.freeze() }, Self.text("function"))
            }
            try stage.expect(
                first: ["results 2", "list 1", "set 1", "inverse 1", "any 1", "function 1"],
                then: [
                    "results 3 -0 +1 ~2", "list 2 -0 +1 ~1", "set 2 -0 +1 ~0", "inverse 2 -0 +1 ~1", "any 2 -0 +1 ~1",
                    "function 2 -0 +1 ~1",
                ])
        }

        // MARK: Maps

        @Test(.behaviour("S26"), arguments: Way.allCases) func publishersOfMaps(_ way: PublisherStage.Way) throws {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                stage.publish(dog.marks.collectionPublisher) { "map \($0.count)" }
                stage.publish(dog.marks.changesetPublisher, freeze: { $0.freeze() }) { change in
                    switch change {
                    case .initial(let map): "changes \(map.count)"
                    case .update(let map, let deletions, let insertions, let modifications):
                        "changes \(map.count) -\(deletions) +\(insertions) ~\(modifications)"
                    case .error(let error): "\(error)"
                    }
                }
            }
            try stage.expect(
                first: ["map 1", "changes 1"], then: ["map 2", "changes 2 -[] +[\"roll\"] ~[]"])
        }

        // MARK: Sections

        @Test(.behaviour("S26"), arguments: Way.allCases) func publishersOfSections(_ way: PublisherStage.Way) throws {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let sections = realm.objects(PublishedDog.self).sectioned(by: \.name, ascending: true)
                stage.publish(sections.collectionPublisher) { "sections \($0.count)" }
                stage.publish(sections.changesetPublisher, freeze: { $0.freeze() }) { change in
                    switch change {
                    case .initial(let sections): "changes \(sections.count)"
                    case .update(let sections, _, _, _, let inserted, let deleted):
                        "changes \(sections.count) +\(Array(inserted)) -\(Array(deleted))"
                    }
                }
            }
            try stage.expect(
                first: ["sections 2", "changes 2"], then: ["sections 3", "changes 3 +[1, 2] -[0]"])
        }

        @Test(.behaviour("S26"), arguments: Way.allCases) func publishersOfOneSection(_ way: PublisherStage.Way) throws
        {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let section = realm.objects(PublishedDog.self).sectioned(by: \.name, ascending: true)[1]
                stage.publish(section.collectionPublisher) { "section \($0.key) \($0.count)" }
                stage.publish(section.changesetPublisher, freeze: { $0.freeze() }) { change in
                    switch change {
                    case .initial(let section): "changes \(section.key)"
                    case .update(let section, let deletions, let insertions, let modifications, _, _):
                        "changes \(section.key) -\(deletions.count) +\(insertions.count) ~\(modifications.count)"
                    }
                }
            }
            try stage.expect(
                first: ["section 1 1", "changes 1"], then: ["section 1 1", "changes 1 -1 +1 ~0"])
        }

        // MARK: Objects

        private static func text<T>(_ name: String) -> (ObjectChange<T>) -> String {
            { change in
                guard case .change(_, let properties) = change else { return "\(name) gone" }
                return "\(name) \(properties.map(\.name).sorted().joined(separator: " "))"
            }
        }

        @Test(.behaviour("S26"), arguments: Way.allCases) func publishersOfObjects(_ way: PublisherStage.Way) throws {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                stage.publish(valuePublisher(dog)) { "dog \($0.name)" }
                stage.publish(changesetPublisher(dog), freeze: { $0.freeze() }, Self.text("changes"))
            }
            try stage.expect(then: ["dog Rex", "changes friends marks name tricks"])
        }

        @Test(.behaviour("S26"), arguments: Way.allCases) func publishersOfProjections(_ way: PublisherStage.Way) throws
        {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let name = PublishedName(projecting: try Kennel.dog(0, realm))
                stage.publish(valuePublisher(name)) { "projection \($0.title)" }
                stage.publish(changesetPublisher(name), freeze: { $0.freeze() }, Self.text("changes"))
            }
            try stage.expect(then: ["projection Rex", "changes title"])
        }

        @Test(.behaviour("S26"), arguments: Way.allCases) func theDeletionOfAnObjectIsTheEnd(_ way: PublisherStage.Way)
            throws
        {
            let stage = try PublisherStage(way)
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                let name = PublishedName(projecting: dog)
                stage.publish(valuePublisher(dog)) { _ in "a value" }
                stage.publish(changesetPublisher(dog), freeze: { $0.freeze() }, Self.text("changes"))
                stage.publish(valuePublisher(name)) { _ in "a value" }
                stage.publish(changesetPublisher(name), freeze: { $0.freeze() }, Self.text("changes"))
            }
            stage.settle()
            try stage.kennel.write { $0.delete(try Kennel.dog(0, $0)) }
            stage.settle()
            #expect(stage.kennel.take(4) == Array(repeating: "finished", count: 4))
        }

        // MARK: Key paths

        @Test(.behaviour("S26")) func keyPathsOfValues() throws {
            let stage = try PublisherStage()
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                let name = PublishedName(projecting: dog)
                let sections = realm.objects(PublishedDog.self).sectioned(by: \.number, ascending: true)
                stage.publish(realm.objects(PublishedDog.self).collectionPublisher(keyPaths: ["name"])) { _ in "results"
                }
                stage.publish(valuePublisher(dog.friends, keyPaths: ["name"])) { _ in "list" }
                stage.publish(dog.pals.collectionPublisher(keyPaths: ["name"])) { _ in "map" }
                stage.publish(sections.collectionPublisher(keyPaths: ["name"])) { _ in "sections" }
                stage.publish(sections[0].collectionPublisher(keyPaths: ["name"])) { _ in "section" }
                stage.publish(valuePublisher(dog, keyPaths: ["name"])) { _ in "object" }
                stage.publish(valuePublisher(name, keyPaths: ["name"])) { _ in "projection" }
            }
            try expectOnlyNames(stage, ["results", "list", "map", "sections", "section"], ["object", "projection"])
        }

        @Test(.behaviour("S26")) func keyPathsOfChangesets() throws {
            let stage = try PublisherStage()
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                let name = PublishedName(projecting: dog)
                let (all, titles) = (realm.objects(PublishedDog.self), ["name"])
                let sections = all.sectioned(by: \.number, ascending: true)
                stage.record(all.changesetPublisher(keyPaths: titles)) { _ in "results" }
                stage.record(changesetPublisher(dog.friends, keyPaths: titles)) { _ in "list" }
                stage.record(dog.pals.changesetPublisher(keyPaths: titles)) { _ in "map" }
                stage.record(sections.changesetPublisher(keyPaths: titles)) { _ in "sections" }
                stage.record(sections[0].changesetPublisher(keyPaths: titles)) { _ in "section" }
                stage.record(changesetPublisher(dog, keyPaths: titles)) { _ in "object" }
                stage.record(changesetPublisher(name, keyPaths: ["name"])) { _ in "projection" }
            }
            try expectOnlyNames(stage, ["results", "list", "map", "sections", "section"], ["object", "projection"])
        }

        private func expectOnlyNames(_ stage: PublisherStage, _ collections: [String], _ objects: [String]) throws {
            stage.settle()
            #expect(stage.kennel.take(collections.count) == collections.sorted())
            try stage.kennel.write { realm in
                for number in 0..<2 { try Kennel.dog(number, realm).walks += 1 }
            }
            #expect(stage.kennel.take() == [])
            try stage.kennel.write { realm in
                for number in 0..<2 { try Kennel.dog(number, realm).name += "!" }
            }
            #expect(stage.kennel.take(collections.count + objects.count) == (collections + objects).sorted())
        }

        // MARK: Publishers without values

        @Test(.behaviour("S26")) func objectWillChangeWithSavedTokens() throws {
            let stage = try PublisherStage(.saved)
            func publish<Value>(_ name: String, _ publisher: RealmPublishers.WillChange<Value>) {
                stage.record(publisher.saveToken(on: stage.tokens, at: \.last)) { name }
            }
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                try realm.write { dog.collar = PublishedCollar() }
                stage.record(realm.objectWillChange.saveToken(on: stage.tokens, for: \.last)) { "realm" }
                publish("results", realm.objects(PublishedDog.self).objectWillChange)
                publish("list", dog.friends.objectWillChange)
                publish("set", dog.tricks.objectWillChange)
                publish("map", dog.marks.objectWillChange)
                publish("inverse", dog.friends[0].fans.objectWillChange)
                publish("any", AnyRealmCollection(dog.friends).objectWillChange)
                publish("object", dog.objectWillChange)
                publish("projection", PublishedName(projecting: dog).objectWillChange)
                let sections = realm.objects(PublishedDog.self).sectioned(by: \.number, ascending: true)
                publish("sections", sections.objectWillChange)
                publish("section", sections[0].objectWillChange)
            }
            try stage.expect(then: [
                "realm", "results", "list", "set", "map", "inverse", "any", "object", "projection", "sections",
                "section",
            ])
        }

        @Test(.behaviour("S26")) func objectWillChangeOfEmbeddedObjects() throws {
            let stage = try PublisherStage()
            try stage.kennel.write { try Kennel.dog(0, $0).collar = PublishedCollar() }
            try stage.kennel.on { realm in
                let collar = try #require(try Kennel.dog(0, realm).collar)
                stage.record(collar.objectWillChange.saveToken(on: stage.tokens, at: \.last)) { "collar" }
            }
            stage.settle()
            #expect(stage.tokens.all.count == 1)
            try stage.kennel.write { try Kennel.dog(0, $0).collar?.colour = "red" }
            #expect(stage.kennel.take(1) == ["collar"])
            try stage.kennel.write { try Kennel.dog(0, $0).collar = nil }
            #expect(stage.kennel.take(2) == ["collar", "finished"])
        }

        // MARK: Subscriptions

        @Test(.behaviour("S26")) func publishersStopAfterTheRequestedValues() throws {
            let stage = try PublisherStage()
            try stage.kennel.on { realm in
                let all = realm.objects(PublishedDog.self)
                stage.record(all.collectionPublisher.first()) { "value \($0.count)" }
                stage.record(all.changesetPublisher.dropFirst().prefix(1)) { _ in "change" }
            }
            stage.settle()
            #expect(stage.kennel.take(2) == ["finished", "value 2"])
            for number in 5..<7 { try stage.kennel.write { $0.create(PublishedDog.self, value: ["number": number]) } }
            #expect(stage.kennel.take(2) == ["change", "finished"])
        }

        @Test(.behaviour("S26")) func aSubscriptionCancelledBeforeItsFirstValueReceivesNone() throws {
            let stage = try PublisherStage()
            try stage.kennel.on { realm in
                let all = realm.objects(PublishedDog.self)
                stage.record(all.collectionPublisher) { _ in "value" }
                stage.record(all.changesetPublisher) { _ in "change" }
                stage.record(all.objectWillChange) { "will change" }
                stage.record(realm.objectWillChange) { "realm" }
                stage.kennel.cancelAll()
            }
            stage.settle()
            try stage.kennel.write { $0.deleteAll() }
            #expect(stage.kennel.take() == [])
        }

        @Test(.behaviour("S26")) func aSubscriptionIsCancelledOnAnyThread() throws {
            let stage = try PublisherStage(.subscribed)
            try stage.kennel.on { realm in
                stage.publish(realm.objects(PublishedDog.self).collectionPublisher) { "\($0.count)" }
            }
            stage.settle()
            #expect(stage.kennel.take(1) == ["2"])
            stage.kennel.cancelAll()
            try stage.kennel.write { $0.deleteAll() }
            stage.settle()
            #expect(stage.kennel.take() == [])
        }

        private final class Modest<Input, Failure: Error>: Subscriber {
            var subscription: (any Subscription)?
            var count = 0

            func receive(subscription: any Subscription) { self.subscription = subscription }

            func receive(_ input: Input) -> Subscribers.Demand {
                count += 1
                return .none
            }

            func receive(completion: Subscribers.Completion<Failure>) {}
        }

        @Test(.behaviour("S26")) func demandIsIgnoredAndEachSubscriptionHasItsIdentity() throws {
            let stage = try PublisherStage()
            let first = Modest<Results<PublishedDog>, any Error>()
            let second = Modest<RealmCollectionChange<Results<PublishedDog>>, Never>()
            try stage.kennel.on { realm in
                let all = realm.objects(PublishedDog.self)
                all.collectionPublisher.subscribe(first)
                all.changesetPublisher.subscribe(second)
            }
            stage.settle()
            try stage.kennel.write { $0.create(PublishedDog.self, value: ["number": 5]) }
            try stage.kennel.on { _ in
                #expect(first.count == 2 && second.count == 2)
                let one = try #require(first.subscription)
                one.request(.unlimited)
                #expect(one.combineIdentifier == one.combineIdentifier)
                #expect(one.combineIdentifier != second.subscription?.combineIdentifier)
                one.cancel()
                one.cancel()
                second.subscription?.cancel()
            }
            try stage.kennel.write { $0.create(PublishedDog.self, value: ["number": 6]) }
            try stage.kennel.on { _ in #expect(first.count == 2 && second.count == 2) }
        }

        /// Row T1.
        @Test(.behaviour("S26")) func objectsDeletedDuringTheHandoverKeepTheirVersion() throws {
            let stage = try PublisherStage()
            let other = DispatchQueue(label: "test.later")
            try stage.kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                stage.kennel.keep(
                    valuePublisher(dog).threadSafeReference().receive(on: other).record(stage.kennel) { $0.name })
            }
            stage.settle()
            other.suspend()
            try stage.kennel.write { try Kennel.dog(0, $0).name = "Rex" }
            try stage.kennel.write { $0.delete(try Kennel.dog(0, $0)) }
            other.resume()
            stage.kennel.settle(other)
            #expect(stage.kennel.take(2) == ["Rex", "finished"])
        }
    }
#endif
