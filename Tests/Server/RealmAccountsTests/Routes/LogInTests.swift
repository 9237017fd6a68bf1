// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import Testing

    @Suite struct LogInTests {
        /// The exchange of the recording `http-login-anonymous`: log-in, profile.
        @Test func anAnonymousUser() async throws {
            let server = try await TestServer()
            let answer = await server.logIn("anon-user")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json")
            let user = try TestServer.User(answer)
            #expect(user.device.count == 24 && user.device != String(repeating: "0", count: 24))
            let profile = await server.send("GET", "/auth/profile", token: user.access)
            #expect(profile.status == 200)
            #expect(profile.text("user_id") == user.id)
            #expect(profile.text("type") == "normal")
            #expect(profile.text("domain_id")?.count == 24)
            #expect(profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == ["anon-user"])
            #expect(profile.json?["identities"]?.elements?.first?["id"]?.text?.count == 24)
            #expect(profile.json?["data"]?.members?.isEmpty == true)
            #expect(try await server.anonymous().id != user.id)
        }

        @Test func aDeviceKeepsItsId() async throws {
            let server = try await TestServer()
            let body: JSON = ["provider": "anon-user", "options": ["device": ["deviceId": "5f00000000000000000000aa"]]]
            let answer = await server.send("POST", "/app/judge/auth/providers/anon-user/login", body)
            #expect(answer.text("device_id") == "5f00000000000000000000aa")
        }

        /// The exchange of the recording `http-login-password`.
        @Test func aUserWithPassword() async throws {
            let server = try await TestServer()
            let registered = await server.register("ann@example.org", "secret1")
            #expect(registered.status == 201)
            #expect(registered.body.isEmpty)
            let wrong = await server.logInWithPassword("ann@example.org", "wrong")
            #expect(wrong.status == 401)
            #expect(wrong.body == #"{"error":"invalid username/password","error_code":"InvalidPassword"}"#)
            let first = try TestServer.User(await server.logInWithPassword("ann@example.org", "secret1"))
            let second = try TestServer.User(await server.logInWithPassword("ANN@Example.org", "secret1"))
            #expect(first.id == second.id)
            let profile = await server.send("GET", "/auth/profile", token: second.access)
            #expect(profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == ["local-userpass"])
            #expect(profile.json?["data"]?["email"]?.text == "ann@example.org")
        }

        @Test func anUnknownUserIsRefusedLikeAWrongPassword() async throws {
            let server = try await TestServer()
            _ = try await server.ann()
            let wrong = await server.logInWithPassword("ann@example.org", "wrong")
            let unknown = await server.logInWithPassword("bob@example.org", "wrong")
            #expect(wrong.status == unknown.status)
            #expect(wrong.body == unknown.body)
        }

        @Test func providersThatAreOffAreNotFound() async throws {
            let server = try await TestServer { _, app in
                app.allowsAnonymousUsers = false
                app.passwords = nil
                app.allowsKeys = false
            }
            for provider in [
                "anon-user", "local-userpass", "api-key", "custom-token", "custom-function", "oauth2-google",
                "oauth2-facebook",
                "x",
            ] {
                let answer = await server.logIn(provider, [.init("username", "a"), .init("password", "b")])
                #expect(answer.status == 404, "\(provider)")
                #expect(answer.code == "AuthProviderNotFound", "\(provider)")
            }
            #expect(await server.register("a@b.c", "secret1").code == "AuthProviderNotFound")
        }

        @Test func aCustomFunctionIdentifiesTheUser() async throws {
            let server = try await TestServer { _, app in
                app.hooks.authenticate = { credentials in
                    let json = try JSON(parsing: credentials)
                    guard let name = json["name"]?.text else { throw HookError("no name") }
                    #expect(json["options"] == nil)
                    return .init(id: name, profile: ["name": name + "!"])
                }
            }
            let path = "/app/judge/auth/providers/custom-function/login"
            let body: JSON = ["name": "ann", "n": .int(5), "options": TestServer.device]
            let first = try TestServer.User(await server.send("POST", path, body))
            let second = try TestServer.User(await server.send("POST", path, body))
            #expect(first.id == second.id)
            let profile = await server.send("GET", "/auth/profile", token: first.access)
            #expect(profile.json?["data"]?["name"]?.text == "ann!")
            let refused = await server.send("POST", path, ["options": [:]])
            #expect(refused.body == #"{"error":"no name","error_code":"FunctionExecutionError"}"#)
        }

        @Test func aHookIdentifiesTheUserOfAFacebookToken() async throws {
            let server = try await TestServer { _, app in
                app.hooks.authenticateFacebook = { token in
                    guard token == "good" else { throw HookError("the token is not good") }
                    return .init(id: "4711", profile: ["name": "Ann"])
                }
                app.hooks.authenticate = { _ in .init(id: "4711") }
            }
            let good = await server.logIn("oauth2-facebook", [.init("accessToken", "good")])
            let user = try TestServer.User(good)
            #expect(
                try TestServer.User(await server.logIn("oauth2-facebook", [.init("accessToken", "good")])).id == user.id
            )
            let profile = await server.send("GET", "/auth/profile", token: user.access)
            #expect(profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == ["oauth2-facebook"])
            #expect(profile.json?["data"]?["name"]?.text == "Ann")
            let bad = await server.logIn("oauth2-facebook", [.init("accessToken", "bad")])
            #expect(bad.body == #"{"error":"the token is not good","error_code":"FunctionExecutionError"}"#)
            #expect(await server.logIn("oauth2-facebook").code == "MissingParameter")
            #expect(try TestServer.User(await server.logIn("custom-function")).id != user.id)
        }

        @Test func anApplicationsUsersAreNotAnothers() async throws {
            let server = try await TestServer { configuration, _ in configuration.apps = [AppConfiguration(id: "other")]
            }
            let ann = try await server.ann()
            let elsewhere = await server.logIn(
                "local-userpass", [.init("username", "ann@example.org"), .init("password", "secret1")], app: "other")
            #expect(elsewhere.code == "InvalidPassword")
            #expect(
                await server.send("GET", "/app/other/auth/profile", token: ann.access).code == "UserAppDomainMismatch")
            #expect(await server.send("GET", "/app/judge/auth/profile", token: ann.access).status == 200)
            await #expect(throws: TokenError.wrongApp) {
                try await server.accounts.verify(accessToken: ann.access, app: "other")
            }
        }

        @Test func aDisabledUser() async throws {
            let server = try await TestServer()
            let ann = try await server.ann()
            try #require(await server.accounts.setDisabled(true, user: ann.id, app: "judge"))
            #expect(await server.logInWithPassword("ann@example.org", "secret1").code == "UserDisabled")
            #expect(await server.logInWithPassword("ann@example.org", "wrong").code == "InvalidPassword")
            #expect(await server.send("POST", "/auth/session", token: ann.refresh).status == 403)
            #expect(await server.send("GET", "/auth/profile", token: ann.access).code == "UserDisabled")
            await #expect(throws: TokenError.revoked) {
                try await server.accounts.verify(accessToken: ann.access, app: "judge")
            }
            try await server.accounts.setDisabled(false, user: ann.id, app: "judge")
            #expect(await server.send("GET", "/auth/profile", token: ann.access).status == 200)
            #expect(try await server.accounts.setDisabled(true, user: "nobody", app: "judge") == false)
        }

        // MARK: Linking

        @Test func anAnonymousUserGetsAPassword() async throws {
            let server = try await TestServer()
            let user = try await server.anonymous()
            #expect(await server.register("ann@example.org", "secret1").status == 201)
            let credentials: [JSON.Member] = [.init("username", "ann@example.org"), .init("password", "secret1")]
            let linked = await server.logIn("local-userpass", credentials, query: "link=true", token: user.access)
            #expect(linked.status == 200)
            let access = try #require(linked.text("access_token"))
            #expect(linked.text("user_id") == user.id)
            let profile = await server.send("GET", "/auth/profile", token: access)
            #expect(
                profile.json?["identities"]?.elements?.map { $0["provider_type"]?.text } == [
                    "anon-user", "local-userpass",
                ])
            #expect(try TestServer.User(await server.logIn("local-userpass", credentials)).id == user.id)
            let again = await server.logIn("local-userpass", credentials, query: "link=true", token: user.access)
            #expect(again.status == 200)
        }

        @Test func anotherUsersIdentityIsNotLinked() async throws {
            let server = try await TestServer { _, app in app.hooks.authenticate = { _ in .init(id: "x") } }
            _ = try await server.ann()
            let user = try await server.anonymous()
            let credentials: [JSON.Member] = [.init("username", "ann@example.org"), .init("password", "secret1")]
            let taken = await server.logIn("local-userpass", credentials, query: "link=true", token: user.access)
            #expect(taken.status == 409)
            #expect(taken.code == "AccountNameInUse")
            _ = try TestServer.User(await server.logIn("custom-function"))
            let function = await server.logIn("custom-function", query: "link=true", token: user.access)
            #expect(function.code == "AccountNameInUse")
            #expect(await server.logIn("anon-user", query: "link=true", token: user.access).code == "InvalidParameter")
            #expect(await server.logIn("anon-user", query: "link=true").code == "MissingAuthReq")
        }

        @Test func malformedBodiesAreRejected() async throws {
            let server = try await TestServer { configuration, _ in configuration.largestBody = 5000 }
            let path = "/app/judge/auth/providers/local-userpass/login"
            let text = await server.send("POST", path, "text")
            #expect(text.status == 400)
            #expect(text.code == "BadRequest")
            #expect(await server.send("POST", path, ["username": .int(5)]).code == "MissingParameter")
            let form = await server.send("POST", path, [:], headers: [("Content-Type", "text/plain")])
            #expect(form.status == 415)
            let large = await server.send("POST", path, ["username": .string(String(repeating: "a", count: 6000))])
            #expect(large.status == 413)
            let long = await server.send("POST", path, ["username": .string(String(repeating: "a", count: 2000))])
            #expect(long.code == "InvalidParameter")
        }
    }
#endif
