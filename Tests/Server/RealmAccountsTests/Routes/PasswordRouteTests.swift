// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import Testing

    @Suite struct PasswordRouteTests {
        @Test func anAddressIsRegisteredOnce() async throws {
            let server = try await TestServer()
            #expect(await server.register("ann@example.org", "secret1").status == 201)
            let again = await server.register("Ann@Example.org", "secret2")
            #expect(again.status == 409)
            #expect(again.body == #"{"error":"name already in use","error_code":"AccountNameInUse"}"#)
        }

        @Test(arguments: [
            ("a@b.c", "12345"), ("a@b.c", String(repeating: "x", count: 129)), ("", "secret1"), ("a b@c.d", "secret1"),
            ("a\u{0}@b.c", "secret1"), (String(repeating: "a", count: 255), "secret1"),
        ]) func invalidAddressesAndPasswordsAreRejected(_ address: String, _ password: String) async throws {
            let server = try await TestServer()
            let answer = await server.register(address, password)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidParameter")
        }

        // MARK: Confirmation and reset by mail

        private func mailServer() async throws -> TestServer {
            try await TestServer { _, app in
                app.passwords?.confirmation = .byMail
                app.passwords?.reset = .byMail
            }
        }

        private func body(_ mail: AppHooks.Mail, password: String? = nil) -> JSON {
            var members: [JSON.Member] = [
                .init("token", .string(mail.token)), .init("tokenId", .string(mail.tokenId)),
            ]
            if let password { members.append(.init("password", .string(password))) }
            return .object(members)
        }

        @Test func anAddressIsConfirmedByMail() async throws {
            let server = try await mailServer()
            #expect(await server.register("ann@example.org", "secret1").status == 201)
            let mail = await server.mails.next()
            #expect(mail.purpose == .confirmation)
            #expect(mail.address == "ann@example.org")
            let early = await server.logInWithPassword("ann@example.org", "secret1")
            #expect(early.status == 401)
            #expect(early.body == #"{"error":"confirmation required","error_code":"AuthError"}"#)
            #expect(await server.logInWithPassword("ann@example.org", "wrong").code == "InvalidPassword")
            let forged: JSON = ["token": "x", "tokenId": .string(mail.tokenId)]
            #expect(await server.passwords("confirm", forged).code == "UserpassTokenInvalid")
            #expect(await server.passwords("confirm", body(mail)).status == 200)
            #expect(await server.logInWithPassword("ann@example.org", "secret1").status == 200)
            #expect(await server.passwords("confirm", body(mail)).code == "UserpassTokenInvalid", "it is for one use")
        }

        @Test func aMailedTokenExpires() async throws {
            let server = try await mailServer()
            await server.register("ann@example.org", "secret1")
            let mail = await server.mails.next()
            server.time.pass(seconds: 30 * 60)
            #expect(await server.passwords("confirm", body(mail)).code == "UserpassTokenInvalid")
            #expect(await server.passwords("confirm/send", ["email": "ann@example.org"]).status == 200)
            #expect(await server.passwords("confirm", body(await server.mails.next())).status == 200)
        }

        /// The response doesn't depend on whether the address has an account. The owner of the address is notified.
        @Test func responsesDoNotRevealWhetherAnAddressIsRegistered() async throws {
            let server = try await mailServer()
            await server.register("ann@example.org", "secret1")
            await server.passwords("confirm", body(await server.mails.next()))
            let known = await server.register("ann@example.org", "secret2")
            let mail = await server.mails.next()
            #expect(mail.purpose == .alreadyRegistered)
            #expect(mail.token.isEmpty && mail.tokenId.isEmpty)
            let unknown = await server.register("bob@example.org", "secret2")
            #expect(known.status == unknown.status && known.body == unknown.body)
            for operation in ["confirm/send", "reset/send"] {
                let known = await server.passwords(operation, ["email": "ann@example.org"])
                let unknown = await server.passwords(operation, ["email": "eve@example.org"])
                #expect(known.status == 200 && known.status == unknown.status && known.body == unknown.body)
            }
        }

        /// If someone registers another person's address first, the mail doesn't confirm that password.
        @Test func theMailConfirmsThePasswordOfItsRegistration() async throws {
            let server = try await mailServer()
            await server.register("ann@example.org", "of-another")
            _ = await server.mails.next()
            await server.register("ann@example.org", "of-ann")
            await server.passwords("confirm", body(await server.mails.next()))
            #expect(await server.logInWithPassword("ann@example.org", "of-another").code == "InvalidPassword")
            #expect(await server.logInWithPassword("ann@example.org", "of-ann").status == 200)
        }

        @Test func aPasswordIsResetByMail() async throws {
            let server = try await TestServer { _, app in app.passwords?.reset = .byMail }
            let ann = try await server.ann()
            await server.passwords("reset/send", ["email": "ANN@example.org"])
            let mail = await server.mails.next()
            #expect(mail.purpose == .reset)
            #expect(mail.address == "ann@example.org")
            #expect(await server.passwords("confirm", body(mail)).code == "UserpassTokenInvalid", "it is for a reset")
            #expect(await server.passwords("reset", body(mail, password: "short")).code == "InvalidParameter")
            #expect(await server.passwords("reset", body(mail, password: "secret2")).status == 200)
            #expect(await server.passwords("reset", body(mail, password: "secret3")).code == "UserpassTokenInvalid")
            #expect(await server.logInWithPassword("ann@example.org", "secret1").code == "InvalidPassword")
            #expect(await server.logInWithPassword("ann@example.org", "secret2").status == 200)
            #expect(await server.send("POST", "/auth/session", token: ann.refresh).code == "InvalidSession")
            #expect(await server.send("GET", "/auth/profile", token: ann.access).code == "InvalidSession")
        }

        @Test func mailsAreNotSentWhereTheyAreOff() async throws {
            let server = try await TestServer()
            for operation in ["confirm/send", "confirm/call", "reset/send"] {
                #expect(await server.passwords(operation, ["email": "a@b.c"]).code == "BadRequest", "\(operation)")
            }
            let call: JSON = ["email": "a@b.c", "password": "secret1", "arguments": .array([])]
            #expect(await server.passwords("reset/call", call).code == "BadRequest")
        }

        // MARK: Confirmation and reset by functions

        @Test func aFunctionDecidesAboutRegistrations() async throws {
            let kept = Mails()
            let server = try await TestServer { _, app in
                app.passwords?.confirmation = .byFunction
                app.hooks.confirm = { question in
                    kept.add(.init(question))
                    if question.address.hasPrefix("good") { return .success }
                    return question.address.hasPrefix("wait") ? .pending : .failure
                }
            }
            #expect(await server.register("good@b.c", "secret1").status == 201)
            _ = await kept.next()
            #expect(await server.logInWithPassword("good@b.c", "secret1").status == 200)
            #expect(await server.register("good@b.c", "secret1").code == "AccountNameInUse")
            _ = await kept.next()
            #expect(await server.register("bad@b.c", "secret1").code == "BadRequest")
            _ = await kept.next()
            #expect(await server.logInWithPassword("bad@b.c", "secret1").code == "InvalidPassword")
            #expect(await server.register("wait@b.c", "secret1").status == 201)
            _ = await kept.next()
            #expect(await server.logInWithPassword("wait@b.c", "secret1").code == "AuthError")
            #expect(await server.passwords("confirm/call", ["email": "wait@b.c"]).status == 200)
            #expect(await server.passwords("confirm", body(await kept.next())).status == 200)
            #expect(await server.logInWithPassword("wait@b.c", "secret1").status == 200)
            #expect(await server.register("wait@b.c", "secret1").status == 201, "as if it were not known")
        }

        @Test func aFunctionResetsPasswords() async throws {
            let kept = Mails()
            let server = try await TestServer { _, app in
                app.passwords?.reset = .byFunction
                app.hooks.resetPassword = { question in
                    kept.add(.init(question))
                    switch try JSON(parsing: question.arguments) {
                    case .array(["now"]): return .success
                    case .array(["later"]): return .pending
                    default: return .failure
                    }
                }
            }
            _ = try await server.ann()
            func call(_ argument: JSON, _ password: String, _ address: String = "ann@example.org") async -> Int {
                let body: JSON = [
                    "email": .string(address), "password": .string(password), "arguments": .array([argument]),
                ]
                return await server.passwords("reset/call", body).status
            }
            #expect(await call("never", "secret2") == 400)
            #expect(await call("now", "secret2") == 200)
            #expect(await server.logInWithPassword("ann@example.org", "secret2").status == 200)
            #expect(await call("now", "secret2", "nobody@example.org") == 200)
            for _ in 0..<3 { _ = await kept.next() }
            #expect(await call("later", "secret3") == 200)
            #expect(await server.logInWithPassword("ann@example.org", "secret3").code == "InvalidPassword")
            #expect(await server.passwords("reset", body(await kept.next(), password: "secret3")).status == 200)
            #expect(await server.logInWithPassword("ann@example.org", "secret3").status == 200)
        }
    }
    extension AppHooks.Mail {
        fileprivate init(_ question: AppHooks.Confirmation) {
            self.init(
                purpose: .confirmation, address: question.address, token: question.token, tokenId: question.tokenId)
        }

        fileprivate init(_ question: AppHooks.PasswordReset) {
            self.init(purpose: .reset, address: question.address, token: question.token, tokenId: question.tokenId)
        }
    }
#endif
