// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import HTTPServing
    import Testing

    @Suite struct RouteTests {
        @Test(arguments: [
            ("app/a/location", Route.location(app: "a")),
            ("app/a/auth/providers/anon-user/login", .login(app: "a", provider: "anon-user")),
            ("app/a/auth/providers/local-userpass/login", .login(app: "a", provider: "local-userpass")),
            ("app/a/auth/providers/local-userpass/register", .password(app: "a", .register)),
            ("app/a/auth/providers/local-userpass/confirm", .password(app: "a", .confirm)),
            ("app/a/auth/providers/local-userpass/confirm/send", .password(app: "a", .sendConfirmation)),
            ("app/a/auth/providers/local-userpass/confirm/call", .password(app: "a", .callConfirmation)),
            ("app/a/auth/providers/local-userpass/reset", .password(app: "a", .reset)),
            ("app/a/auth/providers/local-userpass/reset/send", .password(app: "a", .sendReset)),
            ("app/a/auth/providers/local-userpass/reset/call", .password(app: "a", .callReset)),
            ("app/a/functions/call", .functions(app: "a")),
            ("auth/profile", .profile(app: nil)), ("app/a/auth/profile", .profile(app: "a")),
            ("auth/session", .session(app: nil)), ("auth/delete", .deletion(app: nil)),
            ("auth/api_keys", .keys(app: nil)), ("auth/api_keys/5f", .key(app: nil, id: "5f")),
            ("auth/api_keys/5f/enable", .keyState(app: nil, id: "5f", isDisabled: false)),
            ("app/a/auth/api_keys/5f/disable", .keyState(app: "a", id: "5f", isDisabled: true)),
            ("app/%61/location", .location(app: "a")), ("app//a/location/", .location(app: "a")),
        ]) func aRoute(_ path: String, _ route: Route) {
            #expect(Route(path: "/api/client/v2.0/" + path) == route)
        }

        @Test(arguments: [
            "", "app", "app/a", "app/a/x", "auth", "auth/x", "auth/profile/x", "app/a/auth/providers",
            "app/a/auth/providers/local-userpass", "app/a/auth/providers/local-userpass/confirm/x",
            "app/a/auth/providers/a/b/login", "auth/api_keys/a/b", "app/%/location", "app/%+1/location",
            "app/%ff/location",
        ]) func noRoute(_ path: String) { #expect(Route(path: "/api/client/v2.0/" + path) == nil) }

        @Test func tokensOfHeaders() throws {
            let request = HTTPRequest(method: "GET", path: "/", headers: [("AUTHORIZATION", "bearer x")], peer: "p")
            #expect(try request.bearerToken() == "x")
            for header in ["", "Bearer", "Bearer ", "Basic x", "Bearer a b"] {
                let request = HTTPRequest(method: "GET", path: "/", headers: [("Authorization", header)], peer: "p")
                #expect(throws: ServiceError.missingAuthorization) { try request.bearerToken() }
            }
        }
    }
#endif
