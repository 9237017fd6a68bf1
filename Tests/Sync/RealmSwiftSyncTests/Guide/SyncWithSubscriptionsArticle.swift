// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// The code of the article SyncWithSubscriptions. That of the views is in DoggoAppTests.
    @MainActor @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SyncWithSubscriptionsArticle {
        // begin SyncWithSubscriptions
        class Task: Object {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var title: String
            @Persisted var team: String
            @Persisted var priority: Int
            @Persisted var isDone: Bool
            override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
        }

        class ScreenView: AsymmetricObject {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var screen: String
            @Persisted var seconds: Double
            override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
        }
        // end

        private func opened(
            _ server: SyncedServer, _ folder: TemporaryFolder
        ) async throws -> (app: App, realm: Realm) {
            // The first configuration of an app is the effective one.
            let settings = AppConfiguration(baseURL: "http://127.0.0.1:\(server.port)")
            settings.rootDirectory = URL(fileURLWithPath: folder.path)
            App.forgetInstance("tasks")
            _ = App(id: "tasks", configuration: settings)
            // begin SyncWithSubscriptions
            let app = App(id: "tasks", configuration: AppConfiguration(baseURL: "http://127.0.0.1:9090"))
            let user = try await app.login(credentials: .anonymous)
            var configuration = user.flexibleSyncConfiguration(initialSubscriptions: { subscriptions in
                subscriptions.append(QuerySubscription<Task>(name: "open") { !$0.isDone })
            })
            configuration.objectTypes = [Task.self, ScreenView.self]
            let realm = try await Realm(configuration: configuration, downloadBeforeOpen: .once)
            // end
            return (app, realm)
        }

        @Test func subscriptions() async throws {
            let (server, folder, otherFolder) = (
                try await SyncedServer.flexible("tasks"), try TemporaryFolder(), try TemporaryFolder()
            )
            let (_, other) = try await opened(server, otherFolder)
            try other.write { other.add(Task(value: ["title": "Old", "team": "blue", "priority": 9])) }
            try await other.syncSession?.wait(for: .upload)
            let (app, realm) = try await opened(server, folder)
            #expect(realm.objects(Task.self).map(\.title) == ["Old"])

            // begin SyncWithSubscriptions
            let subscriptions = realm.subscriptions
            try await subscriptions.update {
                subscriptions.append(QuerySubscription<Task>(name: "urgent") { $0.priority > 5 })
                subscriptions.remove(named: "open")
            }
            // end
            #expect(realm.subscriptions.map(\.name) == ["urgent"])

            // begin SyncWithSubscriptions
            let blue = try await realm.objects(Task.self).where { $0.team == "blue" }.subscribe(name: "blue")
            for task in blue.sorted(by: \.title) { print(task.title) }
            blue.unsubscribe()
            // end
            try await subscriptions.update {
                subscriptions.append(QuerySubscription<Task>(name: "blue") { $0.team == "blue" })
            }

            let errors = Collected<String>()
            // begin SyncWithSubscriptions
            app.syncManager.errorHandler = { error, _ in
                guard let error = error as? SyncError, error.code == .writeRejected else { return }
                for write in error.compensatingWriteInfo ?? [] {
                    print(write.objectType, write.primaryKey, write.reason)
                    errors.append("\(write.objectType) \(write.reason)")  // not shown
                }
            }
            try realm.write { realm.add(Task(value: ["title": "Elsewhere", "team": "red"])) }
            // end
            let first = try await errors.first()
            #expect(first.contains("Task") && first.contains("outside of the current query view"))
            try await eventually("the reversal") {
                realm.refresh()
                return realm.objects(Task.self).map(\.title) == ["Old"]
            }

            // begin SyncWithSubscriptions
            do {
                try await subscriptions.update {
                    subscriptions.append(QuerySubscription<Task>(where: "@links.@count > 0"))
                }
            } catch {
                print(error)  // the server's reason
            }
            // end
            guard case .error = subscriptions.state else { throw Failure("the set is \(subscriptions.state)") }

            // begin SyncWithSubscriptions
            try realm.write {
                realm.create(ScreenView.self, value: ["_id": ObjectId.generate(), "screen": "tasks", "seconds": 2.5])
            }
            // end
            try await realm.syncSession?.wait(for: .upload)
            #expect(errors.all.count == 1)
        }
    }
#endif
