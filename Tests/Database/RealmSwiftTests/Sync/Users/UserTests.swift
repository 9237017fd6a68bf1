// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import TestTraits
import Testing

@testable import RealmSwift

/// Tokens, log-out and custom data (§1.2, §1.7).
@Suite struct UserTests {
    private let call = "functions/call"

    @Test func anExpiredTokenIsRenewedAndTheRequestRepeated() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let old = user.accessToken
        test.server.expire(old)
        test.server.forgetSent()
        _ = try await user.functions.work()
        let sent = test.server.sent
        #expect(
            sent.map(\.line) == ["POST app/\(test.id)/\(call)", "POST auth/session", "POST app/\(test.id)/\(call)"])
        #expect(sent[0].token == old && sent[1].token == user.refreshToken && sent[2].token == user.accessToken)
        #expect(sent[1].body.isEmpty && sent[0].body == sent[2].body && user.accessToken != old)
        #expect(test.restart().currentUser?.accessToken == user.accessToken)
    }

    @Test func manyRequestsRenewATokenOnce() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.expire(user.accessToken)
        test.server.slowDown(milliseconds: 20)
        try await withThrowingTaskGroup(of: AnyBSON.self) { group in
            for _ in 0..<10 { group.addTask { try await user.functions.work() } }
            try await group.waitForAll()
        }
        #expect(test.server.lines.filter { $0 == "POST auth/session" }.count == 1)
        #expect(test.server.lines.filter { $0.hasSuffix(call) }.count <= 20)
    }

    @Test func aRequestIsRepeatedOnce() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let refusal = #"{"error":"no","error_code":"InvalidSession"}"#
        for _ in 0..<2 { test.server.script("POST app/\(test.id)/\(call)", 401, refusal) }
        test.server.forgetSent()
        await #expect(throws: AppError(.invalidSession)) { try await user.functions.work() }
        #expect(test.server.lines.count == 3 && user.isLoggedIn)
    }

    @Test(arguments: [401, 403]) func aRefusedRenewalLogsTheUserOut(_ status: Int) async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.expire(user.accessToken)
        test.server.script("POST auth/session", status, #"{"error":"no","error_code":"InvalidSession"}"#)
        await #expect(throws: AppError(.invalidSession)) { try await user.functions.work() }
        #expect(user.state == .loggedOut && user.accessToken == nil && user.refreshToken == nil)
        #expect(test.app.currentUser == nil && test.app.allUsers["user-1"] === user)
        #expect(test.restart().allUsers["user-1"]?.state == .loggedOut)
    }

    @Test func aFailedRenewalLeavesTheUserLoggedIn() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.expire(user.accessToken)
        test.server.script("POST auth/session", 503, "")
        await #expect(throws: AppError(.httpRequestFailed)) { try await user.functions.work() }
        #expect(user.isLoggedIn)
        _ = try await user.functions.work()
    }

    @Test func aRefusedRefreshTokenLogsTheUserOut() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.script("GET auth/api_keys", 401, "")
        await #expect(throws: AppError(.httpRequestFailed)) { try await user.apiKeysAuth.fetchAPIKeys() }
        #expect(user.state == .loggedOut)
    }

    @Test func loggingOutRemovesTheTokens() async throws {
        let test = try TestApp()
        let (first, second) = (try await test.login(), try await test.login())
        let token = second.refreshToken
        test.server.forgetSent()
        try await second.logOut()
        #expect(test.server.sent.map(\.line) == ["DELETE auth/session"] && test.server.sent[0].token == token)
        #expect(second.state == .loggedOut && second.accessToken == nil && second.refreshToken == nil)
        #expect(test.app.currentUser === first && test.app.allUsers.count == 2)
        await #expect(throws: AppError(.invalidSession)) { try await second.functions.work() }
        test.server.forgetSent()
        try await second.logOut()
        #expect(test.server.sent.isEmpty)
    }

    @Test func loggingOutSucceedsHereThoughTheServerFails() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.script("DELETE auth/session", 500, "")
        await #expect(throws: AppError(.httpRequestFailed)) { try await user.logOut() }
        #expect(user.state == .loggedOut && test.restart().allUsers["user-1"]?.state == .loggedOut)
    }

    @Test func anAnonymousUserThatLogsOutIsRemoved() async throws {
        let test = try TestApp()
        let user = try await test.app.login(credentials: .anonymous)
        try await user.logOut()
        #expect(user.state == .removed && test.app.allUsers.isEmpty && test.restart().allUsers.isEmpty)
    }

    @Test func removingForgetsTheUser() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.forgetSent()
        try await user.remove()
        #expect(test.server.lines == ["DELETE auth/session"])
        #expect(user.state == .removed && test.app.allUsers.isEmpty && test.app.currentUser == nil)
        #expect(test.restart().allUsers.isEmpty)
    }

    @Test func deletingNeedsTheServer() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let token = user.accessToken
        test.server.script("DELETE auth/delete", 500, "")
        await #expect(throws: AppError(.httpRequestFailed)) { try await user.delete() }
        #expect(user.isLoggedIn)
        test.server.forgetSent()
        try await user.delete()
        #expect(test.server.sent.map(\.line) == ["DELETE auth/delete"] && test.server.sent[0].token == token)
        #expect(user.state == .removed && test.app.allUsers.isEmpty)
    }

    @Test func customDataAreReadFromANewToken() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.forgetSent()
        #expect(try await user.refreshCustomData() as Document == ["color": "c3"])
        #expect(test.server.sent.map(\.line) == ["POST auth/session"])
        #expect(test.server.sent[0].token == user.refreshToken && user.customData == ["color": "c3"])
        let values = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<String?, any Error>) in
            user.refreshCustomData { result in
                continuation.resume(with: result.map { $0["color"] as? String })
            }
        }
        #expect(values == "c4")
    }

    @Test(.behaviour("T17")) func numbersOfCustomDataCastAsNSNumberDoes() {
        let data: Document = [
            "n": .int64(5), "d": .double(2.5), "in": .document(["b": true]), "of": .array([.int32(7)]),
        ]
        let values = data.plainValues
        #expect(values["n"] as? Int == 5 && values["n"] as? Double == 5 && values["n"] as? Int32 == 5)
        #expect(values["n"] is NSNumber && values["d"] as? NSNumber == 2.5)
        #expect((values["in"] as? [String: Any])?["b"] as? Bool == true)
        #expect((values["of"] as? [Any])?.first as? Int == 7)
    }

    @Test(.behaviour("T17", "W08")) func smallMembersOfAppsAndUsers() async throws {
        let test = try TestApp()
        let user = try await test.login()
        #expect("\(user)".contains(user.id) && user.description == "\(user)")
        #expect(test.app.baseURL == test.app.configuration.baseURL)
        #expect(UserProfile().metadata.isEmpty && UserProfile().name == nil)
        let configuration = AppConfiguration(baseURL: "http://h")
        configuration.baseURL = nil
        #expect(configuration.baseURL == AppConfiguration().baseURL && configuration.baseURL.hasPrefix("https://"))
    }

    @Test func refusedCustomDataAreOnlyReported() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let token = user.accessToken
        test.server.script("POST auth/session", 401, "")
        await #expect(throws: AppError(.httpRequestFailed)) { try await user.refreshCustomData() as Document }
        #expect(user.isLoggedIn && user.accessToken == token && user.customData == ["color": "c1"])
    }

    @Test func subscribersAreNotifiedOfChanges() async throws {
        let test = try TestApp()
        let calls = Locked<[String]>([])
        let endApp = test.app.subscribe { app in calls.withLock { $0.append("app \(app.currentUser?.id ?? "none")") } }
        let user = try await test.login()
        #expect(calls.withLock { $0 }.last == "app user-1")
        let endUser = user.subscribe { user in calls.withLock { $0.append("user \(user.state)") } }
        try await user.logOut()
        #expect(calls.withLock { $0 }.suffix(2) == ["user loggedOut", "app none"])
        endApp()
        endUser()
        let count = calls.withLock { $0.count }
        _ = try await test.login()
        #expect(calls.withLock { $0.count } == count)
    }

    // MARK: Functions

    @Test func functionsTakeAndGiveExtendedJSON() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.forgetSent()
        test.server.script("POST app/\(test.id)/\(call)", 200, #"{"$numberLong":"42"}"#)
        #expect(try await user.functions.sum(1, 2.5, "x", true, ["a": nil]) == 42)
        #expect(
            test.server.sent[0].body == #"{"arguments":[{"$numberLong":"1"},{"$numberDouble":"2.5"},"x",true,"#
                + #"{"a":null}],"name":"sum"}"#)
        #expect(test.server.sent[0].token == user.accessToken)
        test.server.script("POST app/\(test.id)/\(call)", 200, "null")
        typealias Answer = CheckedContinuation<Result<AnyBSON, any Error>, Never>
        let result = await withCheckedContinuation { (continuation: Answer) in
            user.functions.nothing([]) { (result: Result<AnyBSON, any Error>) in continuation.resume(returning: result)
            }
        }
        #expect(try result.get() == .null)
        test.server.script("POST app/\(test.id)/\(call)", 400, #"{"error":"no","error_code":"FunctionNotFound"}"#)
        typealias Both = CheckedContinuation<(AnyBSON?, (any Error)?), Never>
        let (value, error) = await withCheckedContinuation { (continuation: Both) in
            user.functions.missing([1]) { (value: AnyBSON?, error: (any Error)?) in
                continuation.resume(returning: (value, error))
            }
        }
        #expect(value == nil && (error as? AppError)?.code == .functionNotFound)
    }

    @Test func aResultThatIsNotExtendedJSONIsAnError() async throws {
        let test = try TestApp()
        let user = try await test.login()
        for body in ["", "no", #"{"$oid":"5"}"#] {
            test.server.script("POST app/\(test.id)/\(call)", 200, body)
            await #expect(throws: AppError(.unknown)) { try await user.functions.work() }
        }
    }

    // MARK: Other calls

    @Test func passwordsAreAdministered() async throws {
        let test = try TestApp()
        let auth = test.app.emailPasswordAuth
        try await auth.registerUser(email: "ann@example.org", password: "secret1")
        try await auth.confirmUser("t", tokenId: "i")
        try await auth.resendConfirmationEmail("a@b")
        try await auth.retryCustomConfirmation("a@b")
        try await auth.sendResetPasswordEmail("a@b")
        try await auth.resetPassword(to: "p", token: "t", tokenId: "i")
        try await auth.callResetPasswordFunction(email: "a@b", password: "p", args: [1, "x"])
        let base = "POST app/\(test.id)/auth/providers/local-userpass/"
        let expected = [
            ("register", #"{"email":"ann@example.org","password":"secret1"}"#),
            ("confirm", #"{"token":"t","tokenId":"i"}"#), ("confirm/send", #"{"email":"a@b"}"#),
            ("confirm/call", #"{"email":"a@b"}"#), ("reset/send", #"{"email":"a@b"}"#),
            ("reset", #"{"password":"p","token":"t","tokenId":"i"}"#),
            ("reset/call", #"{"email":"a@b","password":"p","arguments":[{"$numberLong":"1"},"x"]}"#),
        ]
        let sent = test.server.sent.dropFirst()
        #expect(sent.map(\.line) == expected.map { base + $0.0 })
        #expect(sent.map(\.body) == expected.map(\.1) && sent.allSatisfy { $0.token == nil })
    }

    @Test func anErrorReachesTheCompletion() async throws {
        let test = try TestApp()
        test.server.script(
            "POST app/\(test.id)/auth/providers/local-userpass/register", 409,
            #"{"error":"name already in use","error_code":"AccountNameInUse"}"#)
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            test.app.emailPasswordAuth.registerUser(email: "a@b", password: "p") { continuation.resume(returning: $0) }
        }
        #expect((error as? AppError)?.code == .accountNameInUse)
        #expect((error as? AppError)?.httpStatusCode == 409 && error?.localizedDescription == "name already in use")
    }

    @Test func keysAreAdministered() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let id = ObjectId("0123456789abcdef01234567")
        let key = #"{"_id":"0123456789abcdef01234567","name":"k","disabled":true"#
        test.server.forgetSent()
        test.server.script("POST auth/api_keys", 201, key + #","key":"secret"}"#)
        test.server.script("GET auth/api_keys", 200, "[" + key + "}]")
        test.server.script("GET auth/api_keys/0123456789abcdef01234567", 200, key + "}")
        let keys = user.apiKeysAuth
        let created = try await keys.createAPIKey(named: "k")
        #expect(created.key == "secret" && created.name == "k" && created.disabled && created.objectId == id)
        let all = try await keys.fetchAPIKeys()
        #expect(all.count == 1 && all[0].key == nil)
        #expect(try await keys.fetchAPIKey(id).objectId == id)
        try await keys.disableAPIKey(id)
        try await keys.enableAPIKey(id)
        try await keys.deleteAPIKey(id)
        let path = "auth/api_keys/0123456789abcdef01234567"
        #expect(
            test.server.lines == [
                "POST auth/api_keys", "GET auth/api_keys", "GET " + path, "PUT \(path)/disable", "PUT \(path)/enable",
                "DELETE " + path,
            ])
        #expect(test.server.sent[0].body == #"{"name":"k"}"#)
        #expect(test.server.sent.allSatisfy { $0.token == user.refreshToken })
    }

    @Test func devicesAreRegistered() async throws {
        let test = try TestApp()
        let user = try await test.login()
        test.server.forgetSent()
        let client = test.app.pushClient(serviceName: "gcm")
        try await client.registerDevice(token: "device", user: user)
        try await client.deregisterDevice(user: user)
        let path = "app/\(test.id)/push/providers/gcm/registration"
        #expect(test.server.lines == ["PUT " + path, "DELETE " + path])
        #expect(test.server.sent.map(\.body) == [#"{"registrationToken":"device"}"#, ""])
    }
}
