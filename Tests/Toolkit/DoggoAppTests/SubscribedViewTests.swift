// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmTestSupport
    import RegnumUITesting
    import ServerTestSupport
    import SwiftUI
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// The views of the article SyncWithSubscriptions.
    @MainActor private enum Guide {
        final class Task: Object, ObjectKeyIdentifiable {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var title: String
            @Persisted var team: String
            @Persisted var priority: Int
            @Persisted var isDone: Bool
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        // begin SyncWithSubscriptions
        struct TeamTasks: View {
            let team: String
            @Environment(\.realm) private var realm
            @ObservedResults(Task.self) private var tasks
            @State private var isSubscribed = false

            init(team: String) {
                self.team = team
                _tasks = ObservedResults(Task.self, where: { $0.team == team })
            }

            var body: some View {
                List {
                    ForEach(tasks) { task in Text(task.title) }
                        .onDelete(perform: $tasks.remove)
                    if !isSubscribed { ProgressView() }
                }
                .task {
                    _ = try? await realm.objects(Task.self).where { $0.team == team }.subscribe(name: team)
                    isSubscribed = true
                }
            }
        }
        // end
    }

    /// `@ObservedResults` over a query to which its view subscribes.
    @MainActor @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SubscribedViewTests {
        private func realm(
            _ server: SyncedServer, _ folder: TemporaryFolder, _ id: String = "tasks"
        ) async throws -> Realm {
            let settings = AppConfiguration(baseURL: "http://127.0.0.1:\(server.port)")
            settings.rootDirectory = URL(fileURLWithPath: folder.path)
            let app = App(id: id, settings: settings.settings)
            let user = try await app.login(credentials: .anonymous)
            var configuration = user.flexibleSyncConfiguration()
            configuration.objectTypes = [Guide.Task.self]
            return try await Realm(configuration: configuration)
        }

        private func eventually(_ host: UIHost, _ what: String, _ holds: () throws -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(1200)
            while try !holds() {
                try require(ContinuousClock.now < end, "\(what) did not come")
                await host.settle()
                try await _Concurrency.Task.sleep(for: .milliseconds(20))
            }
        }

        private struct OpenedTasks: View {
            let name: String
            let state: AsyncOpenState

            var body: some View {
                if case .open(let realm) = state {
                    Text("\(name): " + realm.objects(Guide.Task.self).map(\.title).joined(separator: " "))
                } else {
                    ProgressView()
                }
            }
        }

        private struct OpeningTasks: View {
            @AsyncOpen private var asynchronous: AsyncOpenState
            @AutoOpen private var automatic: AsyncOpenState

            init(_ id: String, _ configuration: Realm.Configuration) {
                _asynchronous = AsyncOpen(appId: id, configuration: configuration)
                _automatic = AutoOpen(appId: id, configuration: configuration)
            }

            var body: some View {
                List {
                    OpenedTasks(name: "async", state: asynchronous)
                    OpenedTasks(name: "auto", state: automatic)
                }
            }
        }

        /// Both download the objects of the initial subscriptions.
        @Test func asyncOpenAndAutoOpenShowTheSubscribedObjects() async throws {
            let id = "opening-" + UUID().uuidString
            let server = try await SyncedServer.flexible(id)
            let folders = [try TemporaryFolder(), try TemporaryFolder()]
            let other = try await realm(server, folders[0], id)
            let subscriptions = other.subscriptions
            try await subscriptions.update { subscriptions.append(QuerySubscription<Guide.Task>()) }
            try other.write {
                for (title, team) in [("Paint", "blue"), ("Dig", "red")] {
                    other.add(Guide.Task(value: ["title": title, "team": team]))
                }
            }
            try await other.syncSession?.wait(for: .upload)

            let settings = AppConfiguration(baseURL: "http://127.0.0.1:\(server.port)")
            settings.rootDirectory = URL(fileURLWithPath: folders[1].path)
            let app = App(id: id, configuration: settings)
            let user = try await app.login(credentials: .anonymous)
            var configuration = user.flexibleSyncConfiguration(initialSubscriptions: { set in
                set.append(QuerySubscription<Guide.Task> { $0.team == "blue" })
            })
            configuration.objectTypes = [Guide.Task.self]
            let host = UIHost(OpeningTasks(id, configuration))
            for text in ["async: Paint", "auto: Paint"] {
                try await eventually(host, text) { host.exists(.row(containing: text)) }
            }
        }

        @Test func aViewShowsTheObjectsOfItsSubscription() async throws {
            let server = try await SyncedServer.flexible("tasks")
            let folders = [try TemporaryFolder(), try TemporaryFolder()]
            let other = try await realm(server, folders[0])
            let subscriptions = other.subscriptions
            try await subscriptions.update { subscriptions.append(QuerySubscription<Guide.Task>()) }
            func add(_ title: String, _ team: String) throws {
                try other.write { other.add(Guide.Task(value: ["title": title, "team": team])) }
            }
            for (title, team) in [("Paint", "blue"), ("Dig", "red")] { try add(title, team) }
            try await other.syncSession?.wait(for: .upload)

            let here = try await realm(server, folders[1])
            #expect(here.objects(Guide.Task.self).isEmpty)
            let host = UIHost(Guide.TeamTasks(team: "blue").environment(\.realm, here))
            try await eventually(host, "the task of the team") { host.exists(.row(containing: "Paint")) }
            #expect(!host.exists(.row(containing: "Dig")))
            #expect(here.objects(Guide.Task.self).map(\.title) == ["Paint"])
            try add("Sing", "blue")
            try await eventually(host, "a new task") { host.exists(.row(containing: "Sing")) }
            // An object that leaves the query leaves the view.
            try other.write { other.objects(Guide.Task.self).where { $0.title == "Paint" }.first?.team = "red" }
            try await eventually(host, "the end of a task") { !host.exists(.row(containing: "Paint")) }
            try await host.delete(.row(containing: "Sing"))
            try await eventually(host, "the deletion on the other device") {
                other.refresh()
                return other.objects(Guide.Task.self).where { $0.team == "blue" }.isEmpty
            }
        }
    }
#endif
