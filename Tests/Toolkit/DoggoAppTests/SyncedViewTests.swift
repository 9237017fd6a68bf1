// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmAccounts
    import RealmTestSupport
    import RegnumUITesting
    import ServerTestSupport
    import SwiftUI
    import TestTraits
    import Testing

    @testable import RealmSwift
    @testable import doggo_app

    /// The register on a server, with two devices.
    @MainActor @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SyncedViewTests {
        private func settings(_ port: Int, _ folder: TemporaryFolder) -> RealmSwift.AppConfiguration {
            let configuration = RealmSwift.AppConfiguration(baseURL: "http://127.0.0.1:\(port)")
            configuration.rootDirectory = URL(fileURLWithPath: folder.path)
            return configuration
        }

        private func eventually(_ host: UIHost, _ what: String, _ holds: () throws -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(1200)
            while try !holds() {
                try require(ContinuousClock.now < end, "\(what) did not come")
                await host.settle()
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        private func other<Result: Sendable>(
            _ configuration: Realm.Configuration, _ body: @Sendable (Realm) throws -> Result
        ) throws -> Result {
            let queue = DispatchQueue(label: "other device")
            return try queue.sync {
                try autoreleasepool { try body(try Realm(configuration: configuration, queue: queue)) }
            }
        }

        @Test func writesOfAnotherDeviceAreShown() async throws {
            let server = try await SyncedServer { _, accounts in
                accounts.apps = [RealmAccounts.AppConfiguration(id: Register.appId)]
            }
            let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
            // The first configuration of an app is the effective one; `synchronise` reuses the app.
            _ = App(id: Register.appId, configuration: settings(server.port, here))
            defer { App.forgetInstance(Register.appId) }
            Register.synchronise("http://127.0.0.1:\(server.port)")
            let host = UIHost(SyncedView())
            try await eventually(host, "the register") { host.exists(.text("0 dogs")) }
            let app = App(id: Register.appId, settings: settings(server.port, there).settings)
            let user = try await app.login(credentials: .anonymous)
            var configuration = user.configuration(partitionValue: "doggo")
            configuration.objectTypes = Register.classes
            try other(configuration) { realm in
                try realm.write { realm.add(Dog(value: ["_id": UUID(), "name": "Far", "weight": 12])) }
            }
            try await eventually(host, "the dog from elsewhere") {
                host.exists(.text("1 dog")) || host.exists(.text("1 dogs"))
            }
            #expect(host.exists(.row(containing: "Far")))
            try await host.tap(.id("addDogButton"))
            let given = configuration
            try await eventually(host, "the dog from here") {
                try other(given) { $0.objects(Dog.self).count } == 2
            }
        }
    }
#endif
