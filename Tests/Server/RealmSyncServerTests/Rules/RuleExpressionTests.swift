// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import Testing

    @testable import RealmSyncServer

    @Suite struct RuleExpressionTests {
        static let data = """
            {"age": 30, "score": 2.5, "big": {"$numberLong": "9007199254740993"}, "name": "Ann", "isAdmin": true,
             "team": null, "teams": ["red", "blue"], "numbers": [1, 5], "none": [],
             "home": {"city": "Bern"}, "day": {"$date": {"$numberLong": "1500"}},
             "id": {"$oid": "0102030405060708090a0b0c"}, "text": "0102030405060708090a0b0c",
             "uuid": "00010203-0405-0607-0809-0a0b0c0d0e0f", "jobs": [{"place": "a"}, {"place": "b"}]}
            """

        static func user(_ id: String = "ann", customData: String? = data, app: String = "app") -> UserContext {
            var grant = AccessGrant(
                app: app, user: id, session: "", expiry: 0, customData: customData.map { Array($0.utf8) })
            grant.profile = [JSON.Member("email", "ann@example.org")]
            grant.identities = [AccessGrant.Identity(id: "1", provider: "local-userpass")]
            grant.request = ClientRequest(
                address: "10.0.0.7",
                headers: [
                    ("User-Agent", "a/1"), ("X-Team", "red"), ("x-team", "blue"), ("Authorization", "Bearer x"),
                    ("Sec-WebSocket-Key", "x"),
                ])
            return UserContext(grant)
        }

        static func value(_ text: String, _ user: UserContext = user()) throws -> Bool? {
            let reader = RuleExpressionReader(place: "rule", allowsFields: false)
            return try reader.expression(try JSON(parsing: text)).value(for: UserValues(user))
        }

        /// Replaces `@` at the start of a text by `%%user.custom_data.`.
        private func value(_ text: String) throws -> Bool? {
            try Self.value(text.replacing("\"@", with: "\"%%user.custom_data."))
        }

        @Test(arguments: [
            ("true", true), ("false", false), ("{}", true),
            (#"{"%%user.id": "ann"}"#, true), (#"{"%%user.id": "ben"}"#, false), (#"{"%%user.type": "normal"}"#, true),
            (#"{"%%user.data.email": "ann@example.org"}"#, true), (#"{"%%user.data.phone": {"$exists": false}}"#, true),
            (#"{"%%user.identities.provider_type": "local-userpass"}"#, true),
            (#"{"%%user.identities.0.provider_type": "api-key"}"#, false),
            (#"{"%%request.remoteIPAddress": {"$in": ["10.0.0.7"]}}"#, true),
            (#"{"%%request.requestHeaders.X-TEAM": "blue"}"#, true),
            (#"{"%%request.requestHeaders.x-team.0": {"$ne": "red"}}"#, false),
            (#"{"%%request.requestHeaders.authorization": {"$exists": true}}"#, false),
            (#"{"%%request.httpUserAgent": "a/1", "%%request.httpReferrer": {"$exists": false}}"#, true),
            (#"{"%%user.id": {"$ne": "%%request.httpReferrer"}}"#, nil),
            (#"{"%%true": true}"#, true), (#"{"%%false": "%%true"}"#, false),
            (#"{"@age": 30}"#, true), (#"{"@age": {"$eq": 30}}"#, true), (#"{"@age": {"%eq": 31}}"#, false),
            (#"{"@age": {"$ne": 31}}"#, true), (#"{"@age": {"$ne": 30}}"#, false),
            (#"{"@age": {"$gt": 29, "$lt": 31}}"#, true), (#"{"@age": {"$gt": 30}}"#, false),
            (#"{"@age": {"$gte": 30}}"#, true), (#"{"@age": {"$gte": 31}}"#, false),
            (#"{"@age": {"$lt": 30}}"#, false), (#"{"@age": {"$lte": 30}}"#, true), (#"{"@age": {"$lte": 29}}"#, false),
            (#"{"@age": {"$gt": 29.5}}"#, true), (#"{"@age": {"$gt": "29"}}"#, false), (#"{"@age": "30"}"#, false),
            (#"{"@age": {"$numberDecimal": "30.0"}}"#, true), (#"{"@isAdmin": 1}"#, false),
            (#"{"@big": {"$numberLong": "9007199254740993"}}"#, true), (#"{"@big": 9007199254740992}"#, false),
            (#"{"@name": {"$gt": "Anm"}}"#, true), (#"{"@day": {"$gt": {"$date": {"$numberLong": "1499"}}}}"#, true),
            (#"{"@name": {"$in": ["Ben", "Ann"]}}"#, true), (#"{"@name": {"$in": []}}"#, false),
            (#"{"@name": {"%nin": ["Ben"]}}"#, true), (#"{"@name": {"$nin": ["Ann"]}}"#, false),
            (#"{"@teams": "blue"}"#, true), (#"{"@teams": {"$ne": "blue"}}"#, false), (#"{"@none": "blue"}"#, false),
            (#"{"@teams": {"$in": ["green", "red"]}}"#, true), (#"{"@numbers": {"$gt": 4}}"#, true),
            (#"{"@jobs.place": "b"}"#, true), (#"{"@jobs.1.place": "a"}"#, false), (#"{"@home.city": "Bern"}"#, true),
            (#"{"@team": {"$exists": true}}"#, false), (#"{"@none": {"$exists": true}}"#, true),
            (#"{"@team": null}"#, true), (#"{"@age": null}"#, false), (#"{"@team": {"$ne": "red"}}"#, true),
            (#"{"@age": {"$not": {"$gt": 30, "$lt": 40}}}"#, true),
            (#"{"%and": [{"@age": 30}, {"@name": "Ann"}]}"#, true), (#"{"$and": [{"@age": 30}, false]}"#, false),
            (#"{"%or": [false, {"@name": "Ann"}]}"#, true), (#"{"$or": [false, {"@age": 1}]}"#, false),
            (#"{"$nor": [false, {"@age": 1}]}"#, true), (#"{"%nor": [true]}"#, false),
            (#"{"%not": {"@age": 1}}"#, true),
            (#"{"@age": 30, "@name": "Ben"}"#, false),
            (#"{"@id": {"%stringToOid": "%%user.custom_data.text"}}"#, true),
            (#"{"@text": {"%oidToString": "%%user.custom_data.id"}}"#, true),
            (#"{"@uuid": {"%uuidToString": "%%user.custom_data.uuid"}}"#, nil),
            (#"{"%%user.id": "%%user.custom_data.missing"}"#, nil),
            (#"{"%%user.id": {"$ne": "%%user.custom_data.missing"}}"#, nil),
            (#"{"%%user.id": {"$nin": "%%user.custom_data.missing"}}"#, nil),
            (#"{"%%user.id": {"$in": ["ann", "%%user.custom_data.missing"]}}"#, true),
            (#"{"%%user.id": {"$nin": ["ben", "%%user.custom_data.missing"]}}"#, nil),
            (#"{"%or": [{"@missing": {"$ne": "%%user.custom_data.missing"}}, true]}"#, true),
            (#"{"%and": [{"@missing": {"$ne": "%%user.custom_data.missing"}}, false]}"#, false),
        ]) func operatorsOnTheUser(_ text: String, _ expected: Bool?) throws {
            #expect(try value(text) == expected, "\(text)")
        }

        @Test func aUserWithoutValidCustomDataHasNoMembers() throws {
            for data in [nil, "", "{", "[]", "7", #"{"age": null}"#] {
                let user = Self.user(customData: data)
                #expect(try Self.value(#"{"%%user.custom_data.age": 30}"#, user) == false)
                #expect(try Self.value(#"{"%%user.id": {"$ne": "%%user.custom_data.age"}}"#, user) == nil)
            }
        }

        @Test(arguments: [
            ("7", "true, false or an object"), ("[]", "true, false or an object"),
            (#"{"owner": 1}"#, "'owner' is a field"), (#"{"%%user.age": 1}"#, "isn't a member of %%user"),
            (#"{"%%user": 1}"#, "isn't a member of %%user"), (#"{"%%user.data.": 1}"#, "isn't a member of %%user"),
            (#"{"%%request.httpMethod": 1}"#, "isn't a member of %%request"), (#"{"%%root.a": 1}"#, "isn't available"),
            (#"{"%xor": []}"#, "'xor' isn't one of"), (#"{"%and": {}}"#, "isn't an array"),
            (#"{"%or": []}"#, "isn't an array"), (#"{"%%user.id": {"$regex": "a"}}"#, "'$regex' isn't one of"),
            (#"{"%%user.id": {"$in": "ann"}}"#, "an array of values"), (#"{"%%user.id": {"$gt": null}}"#, "not null"),
            (#"{"%%user.id": {"$lt": true}}"#, "not true"), (#"{"%%user.id": ["ann"]}"#, "isn't the value"),
            (#"{"%%user.id": {"a": 1}}"#, "isn't the value"), (#"{"%%user.id": {}}"#, "isn't the value"),
            (#"{"%%user.id": {"$exists": 1}}"#, "true or false"), (#"{"%%user.id": {"$eq": 1, "b": 2}}"#, "'b'"),
            (#"{"%%user.id": {"%stringToOid": 1}}"#, "a conversion has"), (#"{"%%user.id": {"%f": {}}}"#, "'%f'"),
            (#"{"%%user.id": {"$oid": "x"}}"#, "isn't a value"),
        ]) func aMistakeIsNamed(_ text: String, _ message: String) throws {
            let error = try #require(throws: ConfigurationError.self) { _ = try Self.value(text) }
            #expect(error.description.hasPrefix("rule: ") && error.description.contains(message), "\(error)")
        }

        @Test func aDeepExpressionIsRejected() throws {
            func nested(_ depth: Int) -> String {
                String(repeating: #"{"%not": "#, count: depth) + "true" + String(repeating: "}", count: depth)
            }
            #expect(try Self.value(nested(20)) == true)
            for depth in [21, 100, 150] {
                #expect(throws: ConfigurationError.self) { try Self.value(nested(depth)) }
            }
            let conditions =
                #"{"%%user.id": "# + String(repeating: #"{"$not": "#, count: 40) + #"{"$eq": 1}"#
                + String(repeating: "}", count: 41)
            #expect(throws: ConfigurationError.self) { try Self.value(conditions) }
        }
    }
#endif
