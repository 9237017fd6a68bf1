// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import SwiftUI
import Testing

final class UINote: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var text: String
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private struct AsyncOpenedNotes: View {
    private let record: ViewRecord
    @AsyncOpen private var opening: AsyncOpenState

    init(_ record: ViewRecord, _ opening: AsyncOpen) { (self.record, _opening) = (record, opening) }

    var body: some View { Text(record.show(opening.shown)) }
}

private struct AutoOpenedNotes: View {
    private let record: ViewRecord
    @AutoOpen private var opening: AsyncOpenState

    init(_ record: ViewRecord, _ opening: AutoOpen) { (self.record, _opening) = (record, opening) }

    var body: some View { Text(record.show(opening.shown)) }
}

extension AsyncOpenState {
    fileprivate var shown: String {
        switch self {
        case .connecting: "connecting"
        case .waitingForUser: "waiting for a user"
        case .open(let realm): "open: " + realm.subscriptions.map { $0.name ?? "-" }.joined(separator: " ")
        case .progress: "progress"
        case .error: "error"
        }
    }
}

extension WrapperTests {
    /// The wrappers that open synchronised Realms.
    @MainActor @Suite struct HostedOpeningTests {
        /// Answers logins. Nothing listens at the address of the synchronisation.
        private struct Server: RLMNetworkTransport {
            func sendRequest(
                toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock
            ) {
                let claims = Data(#"{"exp":4102444800,"iat":1}"#.utf8).base64EncodedString()
                let token = "a." + claims.filter { $0 != "=" } + ".b"
                let body =
                    switch request.url.split(separator: "/").last {
                    case "location": #"{"hostname":"http://127.0.0.1:1","ws_hostname":"ws://127.0.0.1:1"}"#
                    case "login": #"{"user_id":"u","access_token":"\#(token)","refresh_token":"\#(token)"}"#
                    default: #"{"identities":[],"data":{}}"#
                    }
                completion(
                    RLMResponse(body: body, headers: ["Content-Type": "application/json"], httpStatusCode: 200))
            }
        }

        /// Without a server, `AsyncOpen` fails and `AutoOpen` opens the local file. Both add the initial subscriptions.
        @Test func aRealmWithSubscriptionsOpensWithoutAServer() async throws {
            let folder = try TemporaryFolder()
            let settings = AppConfiguration(baseURL: "http://127.0.0.1:1", transport: Server())
            settings.rootDirectory = URL(fileURLWithPath: folder.path)
            let app = RealmSwift.App(id: "opening-" + UUID().uuidString, configuration: settings)
            let user = try await app.login(credentials: .anonymous)
            var configuration = user.flexibleSyncConfiguration(initialSubscriptions: { set in
                set.append(QuerySubscription<UINote>(name: "all"))
            })
            configuration.objectTypes = [UINote.self]
            let strict = ViewRecord()
            let strictHost = ViewHost(
                AsyncOpenedNotes(strict, AsyncOpen(appId: app.appId, configuration: configuration)))
            try await strictHost.wait { strict.text == "error" }
            let lenient = ViewRecord()
            let lenientHost = ViewHost(
                AutoOpenedNotes(lenient, AutoOpen(appId: app.appId, configuration: configuration)))
            try await lenientHost.wait { lenient.text == "open: all" }
        }
    }
}
