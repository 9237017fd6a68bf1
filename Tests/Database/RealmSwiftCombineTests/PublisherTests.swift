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

    /// Publishers of all observable types, and the queues on which they publish.
    @Suite struct PublisherTests {
        @Test(.behaviour("S26")) func allObservableTypesPublishTheirChanges() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                try realm.write {
                    dog.friends.append(dog)
                    dog.collar = PublishedCollar(value: ["colour": "red"])
                }
                func keep(_ name: String, _ publisher: some Publisher<Void, Never>) {
                    kennel.keep(publisher.sink { kennel.record(name) })
                }
                keep("realm", realm.objectWillChange)
                keep("object", dog.objectWillChange)
                keep("embedded", try #require(dog.collar).objectWillChange)
                keep("projection", PublishedName(projecting: dog).objectWillChange)
                keep("results", realm.objects(PublishedDog.self).objectWillChange)
                keep("list", dog.friends.objectWillChange)
                keep("set", dog.tricks.objectWillChange)
                keep("map", dog.marks.objectWillChange)
                keep("inverse", dog.fans.objectWillChange)
                keep("any", AnyRealmCollection(dog.friends).objectWillChange)
                keep(
                    "sections", realm.objects(PublishedDog.self).sectioned(by: \.name, ascending: true).objectWillChange
                )
                // Immutable and unmanaged values publish nothing.
                keep("unmanaged", PublishedDog().objectWillChange)
                keep("unmanaged list", PublishedDog().friends.objectWillChange)
                keep("frozen", dog.freeze().objectWillChange)
            }
            kennel.settle()
            #expect(kennel.take() == [])
            try kennel.write { realm in
                let dog = try Kennel.dog(0, realm)
                dog.name = "Rex"
                dog.friends.append(try Kennel.dog(1, realm))
                dog.tricks.insert("sit")
                dog.marks["sit"] = 1
                dog.collar?.colour = "blue"
            }
            #expect(
                Set(kennel.take(11)) == [
                    "realm", "object", "embedded", "projection", "results", "list", "set", "map", "inverse", "any",
                    "sections",
                ])
        }

        @Test(.behaviour("S26")) func changesReachAnotherQueue() throws {
            let kennel = try Kennel(dogs: 0..<3)
            let other = DispatchQueue(label: "test.other")
            try kennel.on { realm in
                let dog = try Kennel.dog(0, realm)
                try realm.write { dog.marks["a"] = 1 }
                let dogs = realm.objects(PublishedDog.self)
                kennel.keep(
                    changesetPublisher(dog).threadSafeReference().receive(on: other).record(kennel) { change in
                        guard case .change(let dog, let properties) = change else { return "object gone" }
                        return "object \(dog.name) \(dog.isFrozen) \(properties.map(\.name))"
                    })
                kennel.keep(
                    changesetPublisher(PublishedName(projecting: dog)).receive(on: other).record(kennel) { change in
                        guard case .change(let name, _) = change else { return "projection gone" }
                        return "projection \(name.title)"
                    })
                kennel.keep(
                    dogs.changesetPublisher.threadSafeReference().receive(on: other).record(kennel) { change in
                        guard case .update(let dogs, _, _, let modified) = change else { return "results initial" }
                        return "results \(dogs.count) \(modified)"
                    })
                kennel.keep(
                    dog.marks.changesetPublisher.threadSafeReference().receive(on: other).record(kennel) { change in
                        guard case .update(let map, _, let inserted, _) = change else { return "map initial" }
                        return "map \(map.count) \(inserted)"
                    })
                kennel.keep(
                    dogs.sectioned(by: \.name, ascending: true).changesetPublisher.freeze().receive(on: other)
                        .record(kennel) { change in
                            guard case .update(let sections, _, _, _, _, _) = change else { return "sections initial" }
                            return "sections \(sections.count) \(sections.isFrozen)"
                        })
            }
            kennel.settle(other)
            #expect(kennel.take(3) == ["map initial", "results initial", "sections initial"])
            try kennel.write { realm in
                let dog = try Kennel.dog(0, realm)
                dog.name = "Rex"
                dog.marks["b"] = 2
            }
            kennel.settle(other)
            #expect(
                kennel.take(5) == [
                    "map 2 [\"b\"]", "object Rex false [\"name\", \"marks\"]", "projection Rex", "results 3 [0]",
                    "sections 3 true",
                ])
            try kennel.write { $0.delete(try Kennel.dog(0, $0)) }
            kennel.settle(other)
            let last = kennel.take(4)
            #expect(last.count(where: { $0 == "finished" }) == 2 && !last.contains { $0.hasSuffix("gone") })
        }

        @Test(.behaviour("S26")) func keyPathsFilterChanges() throws {
            let kennel = try Kennel(dogs: 0..<2)
            try kennel.on { realm in
                kennel.keep(
                    realm.objects(PublishedDog.self).collectionPublisher(keyPaths: ["marks"])
                        .record(kennel) { "\($0.count)" })
                kennel.keep(valuePublisher(try Kennel.dog(0, realm), keyPaths: ["marks"]).record(kennel) { $0.name })
            }
            kennel.settle()
            #expect(kennel.take(1) == ["2"])
            try kennel.write { try Kennel.dog(0, $0).name = "Rex" }
            #expect(kennel.take() == [])
            try kennel.write { try Kennel.dog(0, $0).marks["x"] = 1 }
            #expect(kennel.take(2) == ["2", "Rex"])
        }

        @Test(.behaviour("S26")) func aRealmIsPublishedWhenItIsOpen() throws {
            let kennel = try Kennel(dogs: 0..<2)
            let other = DispatchQueue(label: "test.other")
            let done = DispatchSemaphore(value: 0)
            kennel.keep(
                Realm.asyncOpen(configuration: kennel.configuration).receive(on: other).sink(
                    receiveCompletion: { completion in
                        if case .finished = completion { kennel.record("finished") }
                        done.signal()
                    },
                    receiveValue: { realm in
                        dispatchPrecondition(condition: .onQueue(other))
                        kennel.record("\(realm.objects(PublishedDog.self).count)")
                    }))
            done.wait()
            #expect(kennel.take(2) == ["2", "finished"])
            var wrong = kennel.configuration
            wrong.fileURL = URL(fileURLWithPath: kennel.folder.path)
            kennel.keep(
                Realm.asyncOpen(configuration: wrong).receive(on: other).sink(
                    receiveCompletion: { completion in
                        if case .failure = completion { kennel.record("failed") }
                        done.signal()
                    }, receiveValue: { _ in kennel.record("opened") }))
            done.wait()
            #expect(kennel.take(1) == ["failed"])
        }
    }
#endif
