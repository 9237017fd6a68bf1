// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct AccessRulesTests {
        private static func access(_ rules: AccessRules, user: String, _ path: String, app: String = "app") throws
            -> PartitionAccess
        {
            let name = try #require(PartitionName(path: path))
            return rules.access(PartitionRequest(AccessGrant(app: app, user: user, session: "", expiry: 0), name))
        }

        @Test func theFirstRuleThatFitsDecides() throws {
            let rules = try AccessRules(
                json: """
                    {"rules": [{"user": "admin*", "access": "write"}, {"app": "old", "access": "none"},
                    {"partition": "public-*", "access": "read"}, {"partition": "user=%%user", "access": "write"},
                    {"partition": "7", "type": "int", "access": "read"}]}
                    """)
            #expect(try Self.access(rules, user: "admin2", "\"x\"") == .write)
            #expect(try Self.access(rules, user: "ann", "\"public-a-b\"", app: "old") == .none)
            #expect(try Self.access(rules, user: "ann", "\"public-a-b\"") == .read)
            #expect(try Self.access(rules, user: "ann", "\"public\"") == .none)
            #expect(try Self.access(rules, user: "ann", "\"user=ann\"") == .write)
            #expect(try Self.access(rules, user: "ann", "\"user=ben\"") == .none)
            #expect(try Self.access(rules, user: "*", "\"user=ben\"") == .none)
            #expect(try Self.access(rules, user: "*", "\"user=*\"") == .write)
            #expect(try Self.access(rules, user: "ann", "\"7\"") == .none)
            #expect(try Self.access(rules, user: "ann", "{\"$numberInt\":\"7\"}") == .read)
            #expect(try Self.access(rules, user: "ann", "{\"$numberLong\":\"7\"}") == .read)
            #expect(try Self.access(rules, user: "ann", "null") == .none)
        }

        @Test(arguments: [
            ("[]", "array \"rules\""), ("{\"rules\":[1]}", "Rule 1 isn't an object"),
            ("{\"rules\":[{\"access\":\"all\"}]}", "must be \"none\", \"read\" or \"write\""),
            ("{\"rules\":[{\"access\":\"read\"},{}]}", "rule 2"),
            ("{\"rules\":[{\"access\":\"read\",\"acess\":1}]}", "acess"),
            ("{\"rules\":[{\"access\":\"read\",\"user\":1}]}", "isn't a string"),
            ("{\"rules\":[{\"access\":\"read\",\"type\":\"double\"}]}", "isn't a type"),
        ]) func aMistakeIsNamed(_ json: String, _ text: String) {
            do {
                _ = try AccessRules(json: json)
                Issue.record("it was taken")
            } catch {
                #expect("\(error)".contains(text), "\(error)")
            }
        }

        @Test(arguments: [
            ("", "", true), ("*", "", true), ("*", "abc", true), ("a*c", "abbc", true), ("a*c", "abcb", false),
            ("**a", "ba", true), ("a", "aa", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxa", false),
        ]) func patterns(_ pattern: String, _ text: String, _ matches: Bool) {
            #expect(Pattern(pattern).matches(text) == matches)
        }

        @Test func aPatternOfManyStarsEnds() {
            let pattern = String(repeating: "a*", count: 2000) + "b"
            #expect(!Pattern(pattern).matches(String(repeating: "a", count: 20_000)))
        }
    }
#endif
