// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import SyncTestSupport
import Testing

@testable import RealmSwift

/// The effects of the end of a connection on its user (§2.3).
@Suite struct SyncConnectionTests {
    private func open(_ connection: SyncConnection, _ session: TestSession) {
        let file = ScriptedClientFile(ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1))
        _ = connection.queue.sync { connection.open(file, path: "\"p1\"", session) }
    }

    /// The recordings `upgrade-403` and `close-4002`.
    @Test(arguments: [WebSocketEnd.refused(status: 403), .closed(code: 4002)])
    func aRejectedUserIsLoggedOut(_ end: WebSocketEnd) async throws {
        let test = try TestApp()
        let user = try await test.login()
        let (sockets, session) = (TestSockets(), TestSession())
        let connection = SyncConnection(user, sockets)
        open(connection, session)
        _ = await sockets.next()
        sockets.deliver(.closed(end))
        connection.queue.sync {}
        #expect(user.state == .loggedOut && user.accessToken == nil && user.refreshToken == nil)
        #expect(connection.queue.sync { session.failures.map(\.action) } == [.logOutUser])

        test.server.script("POST app/\(test.id)/auth/providers/local-userpass/login", 200, login(of: user))
        #expect(try await test.login() === user)
        open(connection, session)
        let token = try #require(user.accessToken)
        #expect(await sockets.next()?.url.hasSuffix("baas_at=" + token) == true)
    }

    private func login(of user: User) -> String {
        let (access, refresh) = (TestAppServer.token("access", number: 7), TestAppServer.token("refresh", number: 8))
        return #"{"user_id":"\#(user.id)","access_token":"\#(access)","refresh_token":"\#(refresh)"}"#
    }
}
