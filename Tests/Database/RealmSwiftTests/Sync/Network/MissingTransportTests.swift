// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Requests of programs built without the trait `Sync`.
@Suite struct MissingTransportTests {
    @Test func aRequestNamesTheTrait() async throws {
        let folder = try TemporaryFolder()
        let configuration = AppConfiguration(baseURL: "http://127.0.0.1:1", transport: MissingTransport())
        configuration.rootDirectory = URL(fileURLWithPath: folder.path)
        let app = App(id: "app-" + UUID().uuidString, configuration: configuration)
        do {
            _ = try await app.login(credentials: .anonymous)
            Issue.record("the login succeeded")
        } catch let error as AppError {
            #expect(error.code == .httpRequestFailed && error.message.contains("trait \"Sync\""))
        }
    }
}
