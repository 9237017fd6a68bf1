// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmSwift

/// Logging in (§1.3, §1.4, §1.6): the exact requests, and the effects of the responses.
@Suite struct LoginTests {
    private func parts(_ body: String) throws -> (own: String, device: [String: String]) {
        let separator = try #require(body.range(of: "\"options\":{\"device\":"))
        let own = String(body[..<separator.lowerBound])
        let device = String(body[separator.upperBound...].dropLast(2))
        return (own, try JSONDecoder().decode([String: String].self, from: Data(device.utf8)))
    }

    @Test func theFirstRequestsAreLocationLoginAndProfile() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let sent = test.server.sent
        #expect(
            sent.map(\.line) == [
                "GET app/\(test.id)/location", "POST app/\(test.id)/auth/providers/local-userpass/login",
                "GET auth/profile",
            ])
        #expect(sent[0].headers.isEmpty && sent[0].body.isEmpty)
        #expect(sent[1].headers == ["Content-Type": "application/json;charset=utf-8", "Accept": "application/json"])
        #expect(sent[2].token == user.accessToken)
        #expect(sent[2].headers["Authorization"] == "Bearer " + (try #require(user.accessToken)))
        #expect(user.id == "user-1" && user.state == .loggedIn && user.isLoggedIn)
        #expect(user.identities == [UserIdentity(providerType: "local-userpass", identifier: "identity-1")])
        #expect(user.profile.name == "Ann" && user.profile.email == "ann@example.org" && user.profile.gender == nil)
        #expect(user.customData == ["color": "c1"])
        #expect(test.app.currentUser === user && test.app.allUsers.keys.sorted() == ["user-1"])
    }

    static let bodies: [(Credentials, path: String, own: String)] = [
        (.anonymous, "anon-user", #"{"provider":"anon-user","#),
        (
            .emailPassword(email: "a@b", password: "p"), "local-userpass",
            #"{"provider":"local-userpass","username":"a@b","password":"p","#
        ),
        (.userAPIKey("dummy-key"), "api-key", #"{"provider":"api-key","key":"dummy-key","#),
        (.serverAPIKey("dummy-key"), "api-key", #"{"provider":"api-key","key":"dummy-key","#),
        (.jwt(token: "t"), "custom-token", #"{"provider":"custom-token","token":"t","#),
        (
            .function(payload: ["name": "ann", "n": 5]), "custom-function",
            #"{"n":{"$numberLong":"5"},"name":"ann","#
        ),
        (.apple(idToken: "t"), "oauth2-apple", #"{"provider":"oauth2-apple","id_token":"t","#),
        (.google(serverAuthCode: "c"), "oauth2-google", #"{"provider":"oauth2-google","authCode":"c","#),
        (.googleId(token: "t"), "oauth2-google", #"{"provider":"oauth2-google","id_token":"t","#),
        (.facebook(accessToken: "t"), "oauth2-facebook", #"{"provider":"oauth2-facebook","accessToken":"t","#),
    ]

    @Test(arguments: bodies.indices) func eachProviderHasItsBody(_ index: Int) async throws {
        let (credentials, path, own) = Self.bodies[index]
        let test = try TestApp()
        _ = try await test.app.login(credentials: credentials)
        let sent = test.server.sent[1]
        #expect(sent.line == "POST app/\(test.id)/auth/providers/\(path)/login")
        let parts = try parts(sent.body)
        #expect(parts.own == own)
        #expect(
            Set(parts.device.keys) == [
                "appId", "platform", "platformVersion", "sdk", "sdkVersion", "cpuArch", "deviceName", "deviceVersion",
                "frameworkName", "frameworkVersion", "coreVersion", "bundleId",
            ])
        #expect(parts.device["appId"] == test.id && parts.device["sdk"] == "Realm Swift")
    }

    @Test func aWrongPasswordHasItsOwnError() async throws {
        let test = try TestApp()
        test.server.script(
            "POST app/\(test.id)/auth/providers/local-userpass/login", 401,
            #"{"error":"wrong","error_code":"InvalidPassword","link":"http://log/1"}"#)
        do {
            _ = try await test.login()
            Issue.record("the login succeeded")
        } catch AppError.invalidPassword {
        }
        #expect(test.app.currentUser == nil && test.app.allUsers.isEmpty)
    }

    @Test func aProfileThatFailsFailsTheLogin() async throws {
        let test = try TestApp()
        test.server.script("GET auth/profile", 500, "{}")
        await #expect(throws: AppError(.httpRequestFailed)) { try await test.login() }
        #expect(test.app.allUsers.isEmpty && test.app.currentUser == nil)
        #expect(test.restart().allUsers.isEmpty)
    }

    @Test func aFailedLocationRequestIsRepeated() async throws {
        let test = try TestApp()
        test.server.script("GET app/\(test.id)/location", 500, "")
        await #expect(throws: AppError(.httpRequestFailed)) { try await test.login() }
        _ = try await test.login()
        #expect(test.server.lines.filter { $0.hasSuffix("location") }.count == 2)
    }

    @Test(arguments: [
        #"{"user_id":"u","access_token":"a.b","refresh_token":"x"}"#, "{}", "no JSON",
        #"{"user_id":"","access_token":"","refresh_token":""}"#,
    ]) func anAnswerWithoutTokensIsAnError(_ body: String) async throws {
        let test = try TestApp()
        test.server.script("POST app/\(test.id)/auth/providers/local-userpass/login", 200, body)
        await #expect(throws: AppError(.unknown)) { try await test.login() }
        #expect(test.app.allUsers.isEmpty)
    }

    @Test func anAnonymousLoginReusesTheAnonymousUser() async throws {
        let test = try TestApp()
        let first = try await test.app.login(credentials: .anonymous)
        let other = try await test.login()
        #expect(test.app.currentUser === other)
        test.server.forgetSent()
        #expect(try await test.app.login(credentials: .anonymous) === first)
        #expect(test.server.sent.isEmpty && test.app.currentUser === first)
    }

    @Test func completionHandlersAreCalled() async throws {
        let test = try TestApp()
        let user = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<User, any Error>) in
            test.app.login(credentials: .anonymous) { continuation.resume(with: $0) }
        }
        #expect(user === test.app.currentUser)
    }

    @Test func anAppIsOneInstanceForEachId() async throws {
        let (first, second) = (try TestApp(), try TestApp())
        #expect(first.app === App(id: first.id) && first.app !== second.app)
        let user = try await first.login()
        #expect(second.app.allUsers.isEmpty && second.app.currentUser == nil)
        #expect(first.app.allUsers == ["user-1": user])
    }

    @Test func switchingMakesAnotherUserCurrent() async throws {
        let test = try TestApp()
        let (first, second) = (try await test.login(), try await test.login())
        #expect(test.app.currentUser === second)
        #expect(test.app.switch(to: first) === first)
        #expect(test.app.currentUser === first)
        #expect(test.restart().currentUser?.id == first.id)
    }

    @Test func linkingGetsATokenAndTheIdentities() async throws {
        let test = try TestApp()
        let user = try await test.app.login(credentials: .anonymous)
        let old = user.accessToken
        test.server.forgetSent()
        test.server.script(
            "GET auth/profile", 200,
            """
            {"identities":[{"id":"1","provider_type":"anon-user"},{"id":"2","provider_type":"local-userpass"}],"data":{}}
            """)
        #expect(try await user.linkUser(credentials: .emailPassword(email: "a@b", password: "p")) === user)
        #expect(
            test.server.lines == [
                "POST app/\(test.id)/auth/providers/local-userpass/login?link=true", "GET auth/profile",
            ])
        #expect(test.server.sent[0].token == old && test.server.sent[1].token == user.accessToken)
        #expect(user.accessToken != old)
        #expect(user.identities.map(\.providerType) == ["anon-user", "local-userpass"])
        try await user.logOut()
        #expect(user.state == .loggedOut, "it is no anonymous user any more")
    }

    @Test func theConfigurationIsReadOnce() async throws {
        let test = try TestApp()
        let configuration = test.app.configuration
        #expect(configuration.baseURL == TestAppServer.address && configuration.defaultRequestTimeoutMS == 60_000)
        configuration.baseURL = "http://elsewhere"
        _ = try await test.login()
        #expect(test.app.configuration.baseURL == TestAppServer.address)
    }
}
