// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import Testing

    @testable import RealmSyncServer

    @Suite struct RoleRulesTests {
        private func access(_ roles: String, _ user: UserContext = RuleExpressionTests.user()) throws
            -> DocumentAccess.OnClass
        {
            let rules = try RoleRules(json: #"{"apps": {"app": {"classes": {"Dog": [\#(roles)]}}}}"#)
            return rules.access(user)["Dog"]
        }

        @Test func theFirstRoleThatAppliesDecides() throws {
            let rules = try RoleRules(
                json: """
                    {"rules": [], "apps": {"app": {
                      "classes": {"Dog": [
                        {"name": "admin", "apply_when": {"%%user.custom_data.isAdmin": true}, "read": true,
                         "write": true, "insert": true, "delete": true, "search": true},
                        {"name": "owner", "apply_when": {}, "read": true, "write": true, "insert": true,
                         "document_filters": {"write": {"owner": "%%user.id"}, "read": {"isPublic": true}}}],
                       "Secret": []},
                      "default_roles": [{"apply_when": true, "read": true}]}}}
                    """)
            let admin = rules.access(RuleExpressionTests.user())
            #expect(admin["Dog"] == .all)
            #expect(admin["Secret"] == .none)
            #expect(admin.others.readableFields == .all && admin.others.writableFields == .only([]))
            let owner = rules.access(RuleExpressionTests.user(customData: nil))["Dog"]
            #expect(owner.read == .matching("isPublic == true OR owner == 'ann'"))
            #expect(owner.write == .matching("owner == 'ann'"))
            #expect(owner.canInsert && !owner.canDelete)
            #expect(rules.access(RuleExpressionTests.user(app: "other")) == DocumentAccess(others: .none))
        }

        @Test func equalFiltersGiveEqualText() throws {
            func rights(_ filter: String, _ data: String) throws -> UserRights {
                let json = """
                    {"apps": {"app": {"default_roles": [{"apply_when": true, "read": true,
                     "document_filters": {"read": \(filter)}}]}}}
                    """
                return try UserRights(try RoleRules(json: json).access(RuleExpressionTests.user(customData: data)))
            }
            let filter = #"{"team": {"$in": "%%user.custom_data.teams"}, "%or": [{"a": 1}, {"%%user.id": "ben"}]}"#
            let first = try rights(filter, #"{"teams": ["b", "a", "a"]}"#)
            #expect(first == (try rights(filter, #"{"teams": ["a", "b"]}"#)))
            #expect(first.others.read == .matching("team IN {'a', 'b'} AND a == 1"))
            #expect(try rights(filter, #"{"teams": ["a"]}"#).others.read == .matching("team == 'a' AND a == 1"))
            #expect(try rights(filter, #"{"teams": []}"#).others.read == DocumentFilter.none)
            #expect(try rights(filter, "{}").others.read == DocumentFilter.none)
            #expect(try rights(#"{"%or": [{"a": 1}, true]}"#, "{}") == (try rights("true", "{}")))
        }

        @Test func aMissingMemberOfTheUserNeverWidensAFilter() throws {
            for filter in [
                #"{"team": {"$ne": "%%user.custom_data.team"}}"#, #"{"team": {"$nin": "%%user.custom_data.team"}}"#,
                #"{"%not": {"team": "%%user.custom_data.team"}}"#, #"{"team": {"$not": {"$gt": "%%user.data.x"}}}"#,
                #"{"%nor": [{"team": "%%user.custom_data.team"}]}"#, #"{"team": "%%user.custom_data.team"}"#,
                #"{"team": {"$nin": ["red", "%%user.custom_data.team"]}}"#,
            ] {
                let role = #"{"apply_when": true, "read": true, "document_filters": {"read": \#(filter)}}"#
                #expect(try access(role).read == DocumentAccess.Documents.none, "\(filter)")
            }
        }

        @Test func valuesOfTheUserCannotEndTheirLiteral() throws {
            for value in [
                "' OR TRUEPREDICATE OR a == '", "\u{301}' OR 1 == 1", "x\u{600}", "\\' OR '", "\"'", "\u{200D}",
            ] {
                let custom = JSON.object([JSON.Member("team", .string(value))]).description
                let role = """
                    {"apply_when": true, "read": true, "document_filters": {"read":
                     {"a": "%%user.custom_data.team", "b": {"$in": ["x", "%%user.custom_data.team"]}}}}
                    """
                guard case .matching(let text) = try access(role, RuleExpressionTests.user(customData: custom)).read
                else {
                    Issue.record("no filter")
                    continue
                }
                let query = try SubscriptionQuery("Dog", parsing: text)
                guard case .and(let parts) = query.predicate, parts.count == 2,
                    case .comparison(let first) = parts[0]
                else {
                    Issue.record("\(text)")
                    continue
                }
                #expect(first.right == .value(.string(value)), "\(text)")
            }
        }

        @Test func fieldsOfARole() throws {
            let fields = """
                {"apply_when": true, "fields": {"name": {"read": true}, "age": {"write": true}, "pay": {"read": false}}
                """
            let listed = try access(fields + "}")
            #expect(listed.readableFields == .only(["_id", "age", "name"]))
            #expect(listed.writableFields == .only(["age"]))
            #expect(listed.read == .all)
            let others = try access(fields + #", "additional_fields": {"read": true}}"#)
            #expect(others.readableFields == .allBut(["pay"]))
            #expect(try access(fields + #", "read": true}"#).readableFields == .all)
            #expect(try access(fields + #", "write": true}"#).readableFields == .all)
            let hidden = try access(#"{"apply_when": true, "insert": true}"#)
            #expect(hidden.read == .none && hidden.readableFields == .only([]) && !hidden.canInsert)
            let denied = try access(#"{"apply_when": true, "read": false, "fields": {"name": {"read": true}}}"#)
            #expect(denied.read == .none)
        }

        @Test func anOmittedFilterMatchesNothing() throws {
            let role = try access(
                #"{"apply_when": true, "read": true, "write": true, "document_filters": {"read": true}}"#)
            #expect(role.read == .all && role.write == .none)
        }

        @Test func aWriteFilterWithoutARightToWriteDoesNotWidenTheReadFilter() throws {
            let filters = #""apply_when": true, "document_filters": {"read": {"a": 1}, "write": true}"#
            #expect(try access(#"{\#(filters), "read": true}"#).read == .matching("a == 1"))
            #expect(try access(#"{\#(filters), "read": true, "delete": true}"#).read == .all)
            #expect(try access(#"{\#(filters), "fields": {"b": {"write": true}}}"#).read == .all)
        }

        @Test(arguments: [
            ("[]", "the file of rules isn't an object"), (#"{"app": {}}"#, "no member 'app'"),
            (#"{"apps": {"a": 1}}"#, "app 'a' isn't an object"), (#"{"apps": {"a": {"class": {}}}}"#, "'class'"),
            (#"{"apps": {"a": {}, "a": {}}}"#, "two members 'a'"),
            (#"{"apps": {"a": {"classes": {"Dog": {}}}}}"#, "class 'Dog' of app 'a' isn't an array of roles"),
            (
                #"{"apps": {"a": {"classes": {"Dog": [{"read": true}]}}}}"#,
                "role 1 of class 'Dog' of app 'a' has no 'apply_when'"
            ),
            (
                #"{"apps": {"a": {"default_roles": [{"apply_when": true}, {"name": "n", "apply_when": 1}]}}}"#,
                "role 2 ('n') of 'default_roles' of app 'a': 'apply_when': an expression"
            ),
            (
                #"{"apps": {"a": {"default_roles": [{"apply_when": true, "fields": {"f": {"reed": true}}}]}}}"#,
                "role 1 of 'default_roles' of app 'a': field 'f' has no member 'reed'"
            ),
            (
                #"{"apps": {"a": {"default_roles": [{"apply_when": true, "document_filters": {"read": {"a": "#
                    + #"{"$x": 1}}}}]}}}"#,
                "'read' of 'document_filters': '$x' isn't one of"
            ),
            (#"{"apps": {"a": {"default_roles": [{"apply_when": {"owner": 1}}]}}}"#, "'owner' is a field"),
            (#"{"apps": {"a": {"queryable_fields_names": [1]}}}"#, "'queryable_fields_names' is not an array of texts"),
            (#"{"apps": {"a": {"collection_queryable_fields_names": {"D": 1}}}}"#, "'D' isn't an array of texts"),
            ("{", "aren't JSON"), (String(repeating: "[", count: 100_000), "aren't JSON"),
        ]) func aMistakeIsNamed(_ json: String, _ text: String) throws {
            let error = try #require(throws: RuleError.self) { _ = try RoleRules(json: json) }
            #expect(error.description.contains(text), "\(error)")
        }

        @Test func aFilterThatIsTooLongIsAnError() throws {
            let teams = (0..<60_000).map { #""team\#($0)""# }.joined(separator: ",")
            let user = RuleExpressionTests.user(customData: "{\"teams\": [\(teams)]}")
            let rules = try RoleRules(
                json: """
                    {"apps": {"app": {"default_roles": [{"apply_when": true, "read": true,
                     "document_filters": {"read": {"team": {"$in": "%%user.custom_data.teams"}}}}]}}}
                    """)
            #expect(throws: SubscriptionError.self) { try UserRights(rules.access(user)) }
        }

        @Test func accessInSwiftBecomesRights() throws {
            #expect(try UserRights(DocumentAccess(others: .all)) == .unrestricted)
            #expect(try UserRights(DocumentAccess(others: .none)) == .none)
            var access = DocumentAccess(others: .readOnly)
            access["Dog"] = .all
            access["Dog"].write = .field("owner", equals: "' OR TRUEPREDICATE")
            access["Dog"].readableFields = .allBut(["pay"])
            let rights = try UserRights(access)
            #expect(rights["Dog"].write == .matching(#"owner == "' OR TRUEPREDICATE""#))
            #expect(!rights["Dog"].readableFields.contains("pay") && rights["Dog"].readableFields.contains("name"))
            #expect(rights["Cat"].read == .all && rights["Cat"].write == .none)
            access["Dog"].read = .matching("(((TRUEPREDICATE)))")
            #expect(try UserRights(access)["Dog"].read == .all)
            access["Dog"].read = .matching("age >")
            #expect(throws: SubscriptionError.self) { try UserRights(access) }
        }

        @Test func aFileWithRolesAloneGrantsNoPartition() throws {
            let json = #"{"apps": {}}"#
            _ = try AccessRules(json: json)
            #expect(try RoleRules(json: json).access(RuleExpressionTests.user()) == DocumentAccess(others: .none))
        }
    }
#endif
