// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import TestTraits
    import Testing

    @testable import RealmAccounts

    @Suite struct AccountsConfigurationTests {
        private func read(_ text: String) throws -> AccountsConfiguration {
            try AccountsConfiguration(json: Array(text.utf8))
        }

        @Test(.behaviour("Y03")) func limitsAndProxies() throws {
            let configuration = try read(
                #"""
                {"apps": [{"id": "a"}], "trustedProxies": ["10.0.0.0/8", "::1"],
                 "limits": {"credentials": {"burst": 500, "perMinute": 600}, "account": {"burst": 3, "perMinute": 1}}}
                """#)
            var limits = AccountsConfiguration.RateLimits()
            limits.credentials = .init(burst: 500, perMinute: 600)
            limits.account = .init(burst: 3, perMinute: 1)
            #expect(configuration.limits == limits)
            #expect(configuration.trustedProxies == ["10.0.0.0/8", "::1"].compactMap { AddressRange($0) })
            for (text, error) in [
                (#""limits": {"logins": {}}"#, "'limits' has no member 'logins'"),
                (#""limits": {"account": {"burst": 1}}"#, "'account' of 'limits' has both 'burst' and 'perMinute'"),
                (
                    #""limits": {"account": {"burst": 0, "perMinute": 1}}"#,
                    "'account' of 'limits': 'burst' is not a whole number above 0"
                ),
                (
                    #""trustedProxies": ["proxy"]"#,
                    "'trustedProxies': 'proxy' isn't an address or a range such as 10.0.0.0/8"
                ),
            ] {
                let thrown = #expect(throws: ConfigurationError.self) { try read("{\"apps\": [], \(text)}") }
                #expect(thrown?.description.hasPrefix(error) == true)
            }
        }

        @Test func aDocument() throws {
            let configuration = try read(
                #"""
                {"publicURL": "https://sync.example.org", "allowedOrigins": ["https://a.example"], "apps": [
                  {"id": "chat", "anonymous": false, "keys": false, "accessLifetime": 60, "refreshLifetime": 600,
                   "hookTimeLimit": 5, "appleClients": ["a"], "googleClients": ["g", "h"],
                   "passwords": {"confirmation": "byMail", "reset": "byFunction", "shortestPassword": 10,
                                 "mailTokenLifetime": 5},
                   "customTokens": {"secrets": ["s"], "publicKeys": ["PEM"], "keySets": [{"keys": []}],
                                    "keySetURLs": ["https://issuer.example"], "audiences": ["x"], "issuers": ["i"],
                                    "profile": {"full": "name"}}},
                  {"id": "plain"}, {"id": "closed", "passwords": false}]}
                """#)
            #expect(configuration.publicURL == "https://sync.example.org")
            #expect(configuration.allowedOrigins == ["https://a.example"])
            let chat = try #require(configuration.apps.first)
            #expect(!chat.allowsAnonymousUsers && !chat.allowsKeys)
            #expect(chat.accessLifetime == .seconds(60) && chat.refreshLifetime == .seconds(600))
            #expect(chat.passwords?.confirmation == .byMail && chat.passwords?.reset == .byFunction)
            #expect(chat.passwords?.shortestPassword == 10 && chat.passwords?.mailTokenLifetime == .seconds(5))
            #expect(chat.hookTimeLimit == .seconds(5))
            #expect(chat.appleClients == ["a"] && chat.googleClients == ["g", "h"])
            #expect(chat.customTokens?.keys.count == 4 && chat.customTokens?.issuers == ["i"])
            #expect(chat.customTokens?.audiences == ["x"] && chat.customTokens?.profile == ["full": "name"])
            #expect(configuration.apps.map(\.id) == ["chat", "plain", "closed"])
            #expect(configuration.apps[1].allowsAnonymousUsers && configuration.apps[1].passwords != nil)
            #expect(configuration.apps[2].passwords == nil)
        }

        @Test(arguments: [
            ("{", "the configuration isn't JSON at byte 1"), ("[]", "the configuration isn't an object"),
            ("{}", "'apps' isn't an array"), (#"{"apps": [{}]}"#, "an app has no 'id'"),
            (#"{"apps": [], "app": 1}"#, "the configuration has no member 'app'"),
            (#"{"apps": [{"id": "a", "keys": 1}]}"#, "app 'a': 'keys' is not true or false"),
            (
                #"{"apps": [{"id": "a", "accessLifetime": 0}]}"#,
                "app 'a': 'accessLifetime' is not a whole number above 0"
            ),
            (
                #"{"apps": [{"id": "a", "passwords": {"reset": "x"}}]}"#,
                "'passwords' of app 'a': 'reset' is 'none', 'byMail' or 'byFunction'"
            ), (#"{"apps": [{"id": "a", "customTokens": {}}]}"#, "'customTokens' of app 'a' has no key"),
        ]) func errorsOfAFileNameTheSetting(_ text: String, _ message: String) {
            let thrown = #expect(throws: ConfigurationError.self) { try self.read(text) }
            #expect(thrown?.description.hasPrefix(message) == true, "\(String(describing: thrown))")
        }

        @Test func invalidConfigurationsAreRejected() throws {
            func message(_ change: (inout AccountsConfiguration) -> Void) -> String? {
                var configuration = AccountsConfiguration(apps: [AppConfiguration(id: "a")])
                change(&configuration)
                do {
                    try configuration.validate()
                    return nil
                } catch {
                    return "\(error)"
                }
            }
            #expect(message { _ in } == nil)
            #expect(message { $0.apps = [] } == "'apps' is empty")
            #expect(message { $0.apps += $0.apps } == "two apps have one id")
            #expect(message { $0.apps[0].id = "a/b" }?.contains("letters, digits") == true)
            #expect(message { $0.apps[0].refreshLifetime = .seconds(1) }?.contains("no longer") == true)
            #expect(message { $0.apps[0].passwords?.reset = .byMail }?.contains("'sendMail'") == true)
            #expect(message { $0.apps[0].passwords?.reset = .byFunction }?.contains("'resetPassword'") == true)
            #expect(message { $0.apps[0].passwords?.confirmation = .byFunction }?.contains("'confirm'") == true)
            #expect(message { $0.passwordCost.rounds = 3 }?.contains("power of two") == true)
        }
    }
#endif
