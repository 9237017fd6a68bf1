// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmRuntime
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Realms with subscriptions, at a scripted server and at ours.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SubscribedRealmTests {
        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func anUpdateDownloadsTheObjects(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let subscriptions = realm.subscriptions
            #expect(subscriptions.count == 0 && subscriptions.first == nil)
            try await subscriptions.update {
                subscriptions.append(
                    QuerySubscription<SubscribedPet>(name: "old") { $0.age >= 9 },
                    QuerySubscription<SubscribedPet>(where: "name BEGINSWITH %@", "A"))
                subscriptions.append(QuerySubscription<SubscribedPet>(where: "name BEGINSWITH %@", "A"))
            }
            #expect(subscriptions.state == .complete)
            #expect(subscriptions.map(\.name) == ["old", nil])
            #expect(client.sent.queries == [#"{"SubscribedPet":"(age > 8) OR (name BEGINSWITH \"A\")"}"#])
            realm.refresh()
            #expect(realm.objects(SubscribedPet.self).sorted(by: \.age).map(\.age) == [10, 20])
            let found = subscriptions.first(ofType: SubscribedPet.self) { $0.age >= 9 }
            #expect(found?.name == "old" && subscriptions.first(named: "old")?.name == "old")
            #expect(subscriptions[1]?.name == nil && subscriptions[2] == nil && subscriptions.last?.name == nil)
            let before = realm.subscriptions
            try await subscriptions.update {
                subscriptions.first(named: "old")?.updateQuery(toType: SubscribedPet.self) { $0.age < 3 }
                subscriptions.remove(ofType: SubscribedPet.self, where: "name BEGINSWITH 'A'")
            }
            #expect(client.sent.queries.last == #"{"SubscribedPet":"(age < 3)"}"#)
            #expect(before.state == .superseded)
            try await subscriptions.update { subscriptions.removeAll() }
            #expect(client.sent.queries.last == "{}")
            realm.refresh()
            #expect(realm.objects(SubscribedPet.self).isEmpty)
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func subscriptionsAreChangedAndRemovedInEachForm(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            var configuration = client.configuration
            configuration.objectTypes = (configuration.objectTypes ?? []) + [Note.self, Place.self]
            let realm = try await Realm(configuration: configuration)
            let subscriptions = realm.subscriptions
            try await subscriptions.update {
                subscriptions.append(
                    QuerySubscription<SubscribedPet>(name: "a") { $0.age > 5 },
                    QuerySubscription<SubscribedPet>(name: "b") { $0.age > 6 },
                    QuerySubscription<SubscribedPet> { $0.age > 7 })
                subscriptions.append(QuerySubscription<Note>(name: "notes"))
            }
            try await subscriptions.update {
                subscriptions.first(named: "a")?.updateQuery(to: "age > %@", 15)
                subscriptions.first(named: "b")?.updateQuery(to: NSPredicate(format: "age == %@", 10))
            }
            let notes = #""Note":"(TRUEPREDICATE)""#
            let pets = #""SubscribedPet":"(age == 10) OR (age > 15) OR (age > 7)""#
            #expect(client.sent.queries.last == "{\(notes),\(pets)}")
            if server == .real {
                realm.refresh()
                #expect(realm.objects(SubscribedPet.self).sorted(by: \.age).map(\.age) == [10, 20])
            }
            let (first, last) = (try #require(subscriptions.first), try #require(subscriptions[2]))
            try await subscriptions.update { subscriptions.remove(first, last) }
            #expect(client.sent.queries.last == "{\(notes),\(#""SubscribedPet":"(age == 10)""#)}")
            #expect(subscriptions.map(\.name) == ["b", "notes"])
            if server == .real {
                realm.refresh()
                #expect(realm.objects(SubscribedPet.self).map(\.age) == [10])
            }
            try await subscriptions.update { subscriptions.removeAll(ofType: SubscribedPet.self) }
            #expect(client.sent.queries.last == "{\(notes)}" && subscriptions.map(\.name) == ["notes"])
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func theModeDecidesWhetherASubscriptionWaits(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            client.sent.withholdQueries(with: "silence")
            let silent = realm.objects(SubscribedPet.self).where { $0.name == "silence" }
            _ = try await silent.subscribe(waitForSync: .never)
            #expect(realm.subscriptions.count == 1 && realm.subscriptions.state == .pending)
            // Its subscription isn't new.
            _ = try await silent.subscribe(waitForSync: .onCreation)
            #expect(realm.subscriptions.count == 1 && realm.subscriptions.state == .pending)
            await #expect(throws: (any Error).self) {
                _ = try await silent.subscribe(waitForSync: .always, timeout: 0.1)
            }
            silent.unsubscribe()
            let all = realm.objects(SubscribedPet.self)
            _ = try await all.subscribe(waitForSync: .always)
            #expect(realm.subscriptions.state == .complete)
            realm.refresh()
            #expect(all.count == 2)
            _ = try await all.subscribe(waitForSync: .always)
            #expect(realm.subscriptions.count == 1)
        }

        /// A write of this thread that has the lock, or a group of commits, must not block an update.
        @Test(arguments: SubscribedClient.Server.allCases, [false, true]) @MainActor
        func anUpdateFollowsAsynchronousWrites(
            _ server: SubscribedClient.Server, _ allowsGrouping: Bool
        ) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let subscriptions = realm.subscriptions
            try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet>(name: "all")) }
            func writeAndUpdate() {
                if allowsGrouping {
                    realm.beginWrite()
                    realm.create(SubscribedPet.self, value: ["_id": 50])
                    realm.commitAsyncWrite(allowGrouping: true)
                } else {
                    realm.writeAsync { realm.create(SubscribedPet.self, value: ["_id": 50]) }
                }
                subscriptions.update {
                    subscriptions.append(QuerySubscription<SubscribedPet>(name: "young") { $0.age < 3 })
                }
            }
            writeAndUpdate()
            #expect(subscriptions.count == 2)
            try await eventually("the condition") { realm.object(ofType: SubscribedPet.self, forPrimaryKey: 50) != nil }
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func aRejectedSetHasTheReasonOfTheServer(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let subscriptions = realm.subscriptions
            await #expect(throws: SyncError.self) {
                try await subscriptions.update {
                    subscriptions.append(QuerySubscription<SubscribedPet>(where: "friend.age > 3"))
                }
            }
            guard case .error(let error) = subscriptions.state else {
                Issue.record("the state is \(subscriptions.state)")
                return
            }
            #expect((error as? SyncError)?.code == .invalidFlexibleSyncSubscriptions)
            #expect("\(error)".contains("friend"))
            let completed = Locked<[String]>([])
            subscriptions.update {
                subscriptions.removeAll(unnamedOnly: true)
            } onComplete: { error in
                completed.withLock { $0.append("\(error.map { "\($0)" } ?? "complete")") }
            }
            try await eventually("the condition") { completed.withLock { $0 } == ["complete"] }
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func resultsSubscribeAndUnsubscribe(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let old = realm.objects(SubscribedPet.self).where { $0.age > 5 }
            let results = try await old.subscribe(name: "old")
            realm.refresh()
            #expect(results.count == 2)
            _ = try await old.subscribe(name: "old")
            #expect(client.sent.queries.count == 1)
            _ = try await realm.objects(SubscribedPet.self).where { $0.age > 6 }.subscribe(name: "old")
            #expect(client.sent.queries.last == #"{"SubscribedPet":"(age > 6)"}"#)
            #expect(realm.subscriptions.count == 1)
            realm.objects(SubscribedPet.self).where { $0.age > 6 }.unsubscribe()
            #expect(realm.subscriptions.count == 0)
            try await eventually("the condition") { client.sent.queries.last == "{}" }
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func aTimeoutEndsTheWait(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            client.sent.withholdQueries(with: "silence")
            let results = realm.objects(SubscribedPet.self).where { $0.name == "silence" }
            do {
                _ = try await results.subscribe(timeout: 0.1)
                Issue.record("the wait ended without an error")
            } catch {
                #expect((error as NSError).code == Int(ETIMEDOUT))
                #expect(error.localizedDescription == "Waiting for update timed out after 0.1 seconds.")
            }
            #expect(realm.subscriptions.state == .pending)
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func initialSubscriptionsPrecedeTheFirstDownload(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let calls = Locked(0)
            func configuration(_ rerun: Bool) -> Realm.Configuration {
                SubscribedClient.configuration(
                    client.user.flexibleSyncConfiguration(
                        initialSubscriptions: { set in
                            calls.withLock { $0 += 1 }
                            if set.first(named: "all") == nil {
                                set.append(QuerySubscription<SubscribedPet>(name: "all"))
                            }
                        }, rerunOnOpen: rerun))
            }
            do {
                let realm = try await Realm(configuration: configuration(false), downloadBeforeOpen: .always)
                #expect(realm.objects(SubscribedPet.self).count == 2)
                #expect(realm.subscriptions.state == .complete)
                #expect(client.sent.queries == [#"{"SubscribedPet":"(TRUEPREDICATE)"}"#])
            }
            try await eventually("the condition") { client.user.allSessions.isEmpty }
            _ = try await Realm(configuration: configuration(false), downloadBeforeOpen: .always)
            #expect(calls.withLock { $0 } == 1)
            try await eventually("the condition") { client.user.allSessions.isEmpty }
            _ = try await Realm(configuration: configuration(true))
            #expect(calls.withLock { $0 } == 2)
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func anAsynchronousOpeningWaitsForTheInitialSubscriptions(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let configuration = SubscribedClient.configuration(
                client.user.flexibleSyncConfiguration(initialSubscriptions: { set in
                    set.append(QuerySubscription<SubscribedPet>(name: "all"))
                }))
            let ages = try await withCheckedThrowingContinuation { continuation in
                let task = Realm.asyncOpen(configuration: configuration) { result in
                    continuation.resume(
                        with: Result {
                            let realm = try result.get()
                            #expect(realm.subscriptions.state == .complete)
                            return Array(realm.objects(SubscribedPet.self).sorted(by: \.age).map(\.age))
                        })
                }
                task.addProgressNotification { _ in }
            }
            #expect(ages == [10, 20])
        }

        /// The set stays pending until the next login, and later waits fail as well.
        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func aLogOutEndsTheWaitForASet(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let subscriptions = realm.subscriptions
            let completed = Locked<[String]>([])
            client.sent.withholdQueries(with: "silence")
            subscriptions.update {
                subscriptions.append(QuerySubscription<SubscribedPet>(where: "name == 'silence'"))
            } onComplete: { error in
                completed.withLock { $0.append(error == nil ? "complete" : "failed") }
            }
            try await client.user.logOut()
            try await eventually("the condition") { completed.withLock { $0 } == ["failed"] }
            await #expect(throws: SyncError(.clientUserError)) {
                try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet>(name: "all")) }
            }
            #expect(subscriptions.state == .pending)
        }

        /// A server accepts queries of 256 KiB.
        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func theQueriesOfASetAreLimited(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let subscriptions = realm.subscriptions
            try await subscriptions.update {
                subscriptions.append(
                    QuerySubscription<SubscribedPet>(where: "name == %@", String(repeating: "x", count: 250_000)))
            }
            #expect(client.sent.queries.last?.utf8.count ?? 0 > 250_000)
            do {
                try await subscriptions.update {
                    subscriptions.append(
                        QuerySubscription<SubscribedPet>(where: "name == %@", String(repeating: "y", count: 20_000)))
                }
                Issue.record("the set has more than 256 KiB")
            } catch {
                #expect((error as? SyncError)?.code == .invalidFlexibleSyncSubscriptions)
                #expect("\(error)".contains("more than the 262144 that a server accepts"))
            }
            #expect(subscriptions.count == 1 && subscriptions.state == .complete)
            #expect(client.sent.queries.count == 1)
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func compensatingWritesAreReported(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            let subscriptions = realm.subscriptions
            try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet> { $0.age > 5 }) }
            let reason = "object is outside of the current query view"
            client.scripted?.rejectNextUpload(of: ObjectReference("SubscribedPet", .int(70)), because: reason)
            try realm.write { realm.add(SubscribedPet(70, age: 1)) }
            try await eventually("the condition") { !client.errors.isEmpty }
            let error = try #require(client.errors.first)
            #expect(error.code == .writeRejected)
            let info = try #require(error.compensatingWriteInfo?.first)
            #expect(info.objectType == "SubscribedPet" && info.reason.hasSuffix(reason))
            #expect(info.primaryKey == .int(70))
            realm.refresh()
            #expect(realm.object(ofType: SubscribedPet.self, forPrimaryKey: 70) == nil)
        }

        @Test(arguments: SubscribedClient.Server.allCases) @MainActor
        func asymmetricObjectsAreSentAndNotKept(_ server: SubscribedClient.Server) async throws {
            let client = try await SubscribedClient(server)
            let realm = try await Realm(configuration: client.configuration)
            try realm.write { realm.create(SubscribedEvent.self, value: [1, "start", ["Graz"]]) }
            let object = ObjectReference("SubscribedEvent", .int(1))
            let city = Instruction.change(
                RealmSyncCore.Place(object, "place", .one(.key("city"))), .update(.string("Graz"), isDefault: false))
            try await eventually("the condition") {
                client.sent.uploads.contains {
                    $0.instructions.contains(.createObject(object)) && $0.instructions.contains(city)
                }
            }
            try await realm.syncSession?.wait(for: .upload)
            for name in ["class_SubscribedEvent", "class_SubscribedPlace"] {
                let table = try #require(try realm.instance.coordinator.database.snapshot().table(named: name))
                #expect(try table.count() == 0, "\(name)")
            }
        }
    }
#endif
