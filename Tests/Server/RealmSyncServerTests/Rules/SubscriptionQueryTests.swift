// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import Testing

    @testable import RealmSyncServer

    @Suite struct SubscriptionQueryTests {
        static let schema = """
            {"classes": [
              {"title": "Dog", "bsonType": "object", "required": ["_id"], "properties": {
                "_id": {"bsonType": "objectId"}, "name": {"bsonType": "string"}, "age": {"bsonType": "long"},
                "tags": {"bsonType": "array", "items": {"bsonType": "string"}}, "any": {"bsonType": "mixed"},
                "owner": {"bsonType": "objectId"}, "friends": {"bsonType": "array", "items": {"bsonType": "objectId"}},
                "map": {"bsonType": "object", "additionalProperties": {"bsonType": "long"}},
                "home": {"title": "Home", "bsonType": "object", "properties": {"city": {"bsonType": "string"},
                         "type": {"bsonType": "string"},
                         "coordinates": {"bsonType": "array", "items": {"bsonType": "double"}}}},
                "homes": {"bsonType": "array", "items": {"title": "Home", "bsonType": "object"}}},
               "relationships": {"owner": {"ref": "Person", "foreign_key": "_id", "is_list": false},
                                 "friends": {"ref": "Dog", "foreign_key": "_id", "is_list": true}}},
              {"title": "Person", "bsonType": "object", "properties": {"_id": {"bsonType": "objectId"}}},
              {"title": "Event", "bsonType": "object", "asymmetric": true, "properties": {"_id": {"bsonType": "uuid"}}}
            ]}
            """

        private func check(
            _ text: String, on className: Text = "Dog", _ queryable: QueryableFields = .all,
            readable: FieldSelection = .all
        ) throws -> SubscriptionQuery {
            let query = try SubscriptionQuery(className, parsing: text)
            try query.check(in: try SchemaFile(json: Self.schema).schema, queryable: queryable, readable: readable)
            return query
        }

        @Test(arguments: [
            ("(TRUEPREDICATE)", "TRUEPREDICATE", ""), (#"(age > 30) OR (name BEGINSWITH "BAD")"#, nil, "age name"),
            (
                "age > 1 AND (age < 5 AND name == 'a') AND TRUEPREDICATE", "age > 1 AND age < 5 AND name == 'a'",
                "age name"
            ),
            ("NOT FALSEPREDICATE", "TRUEPREDICATE", ""), ("age == 1 OR age == 1", "age == 1", "age"),
            ("ANY tags == 'x'", nil, "tags"), ("tags.@count > 2", nil, "tags"), ("NONE tags IN {'a'}", nil, "tags"),
            ("_id == oid(0102030405060708090a0b0c)", nil, "_id"), ("any == T5:0", nil, "any"),
            ("any['a'][0] == 1", nil, "any"),
            ("map['a'] > 1", nil, "map"), ("map.@keys == 'a'", nil, "map"), ("home.city == 'Bern'", nil, "home"),
            ("homes.city == 'Bern'", nil, "homes"), ("homes.@count == 1", nil, "homes"),
            ("age * 2 > map.@sum", nil, "age map"),
            ("home GEOWITHIN geoCircle([1.0, 2.0], 0.5)", nil, "home"), ("name LIKE[c] '*x?'", nil, "name"),
            ("name == B64\"AAA=\"", nil, "name"), ("age BETWEEN {1, 2}", nil, "age"),
        ]) func acceptedQueries(_ text: String, _ canonical: String?, _ fields: String) throws {
            let query = try check(text)
            if let canonical { #expect(query.text == Text(canonical)) }
            #expect(query.fields.sorted().map(\.string).joined(separator: " ") == fields)
            #expect(try SubscriptionQuery("Dog", parsing: query.text.string) == query)
        }

        @Test(arguments: [
            ("age >", "at position 5"), ("", "at position 0"), ("age == $0", "an argument"),
            ("age > 1 SORT(age ASC)", "'SORT(age ASC)' at position 8"),
            ("age > 1 LIMIT(5)", "'LIMIT(5)' at position 8"),
            ("TRUEPREDICATE DISTINCT(age)", "'DISTINCT(age)' at position 14"),
            ("SUBQUERY(homes, $h, $h.city == 'a').@count > 0", "SUBQUERY, as in 'SUBQUERY(homes"),
            ("@links.Person.dogs.@count > 1", "own properties"), ("owner.@links.Dog.owner.@count > 1", "@links"),
            ("@links.@count > 1", "own properties"), ("SELF == NULL", "own properties"),
            ("name TEXT 'a'", "full-text"), ("name MATCHES 'a'", "MATCHES"), ("owner == O5", "compare with objects"),
            ("owner == obj('Person', oid(0102030405060708090a0b0c))", "compare with objects"),
            ("any == L1:2", "compare with objects"),
            ("owner == NULL", "'Dog.owner' is a link"), ("owner.name == 'a'", "'Dog.owner' is a link"),
            ("friends.@count > 1", "'Dog.friends' is a link"), ("agee > 1", "'Dog' has no property 'agee'"),
            ("home.town == 'a'", "'Home' has no property 'town'"),
        ]) func rejectedQueries(_ text: String, _ message: String) throws {
            let error = try #require(throws: SubscriptionError.self) { _ = try check(text) }
            #expect(error.description.hasPrefix("Invalid query on class 'Dog': "))
            #expect(error.description.contains(message), "\(error)")
        }

        @Test func classesThatHaveNoSubscriptions() throws {
            #expect(throws: SubscriptionError.self) { try check("TRUEPREDICATE", on: "Home") }
            #expect(throws: SubscriptionError.self) { try check("TRUEPREDICATE", on: "Event") }
            #expect(try check("anything == 1", on: "Unknown").fields == ["anything"])
        }

        @Test func onlyQueryableAndReadableFieldsCanBeUsed() throws {
            let queryable = QueryableFields.listed(common: ["name"], byClass: ["Dog": ["age"]])
            _ = try check("name == 'a' AND age == 1 AND _id != NULL", queryable)
            let error = try #require(throws: SubscriptionError.self) { _ = try check("tags == 'a'", queryable) }
            #expect(error.description.contains("'tags' isn't queryable"))
            #expect(throws: SubscriptionError.self) { try check("age > 1", readable: .allBut(["age"])) }
            _ = try check("age > 1", readable: .only(["age"]))
        }

        @Test func filtersRestrictQueries() throws {
            let query = try SubscriptionQuery("Dog", parsing: "age > 1 OR name == 'a'")
            #expect(try query.restricted(to: .none) == nil)
            #expect(try query.restricted(to: .all) == query)
            let both = try #require(try query.restricted(to: .matching("owner == 'x'")))
            #expect(both.text == "owner == 'x' AND (age > 1 OR name == 'a')")
            #expect(both.fields == ["age", "name", "owner"])
            let everything = try SubscriptionQuery("Dog", parsing: "TRUEPREDICATE")
            #expect(try everything.restricted(to: .matching("owner == 'x'"))?.text == "owner == 'x'")
            #expect(throws: SubscriptionError.self) { try query.restricted(to: .matching("owner ==")) }
        }

        @Test func longAndDeepQueriesAreErrors() throws {
            let long = (0..<30_000).map { "age == \($0)" }.joined(separator: " OR ")
            let error = try #require(throws: SubscriptionError.self) { _ = try check(long) }
            #expect(error.description.contains("at most 262144"))
            #expect(error.description.utf8.count < 1000)
            let deep = String(repeating: "(", count: 100_000) + "age == 1"
            #expect(throws: SubscriptionError.self) { try check(deep) }
            #expect(throws: SubscriptionError.self) { try check(String(repeating: "NOT ", count: 50_000) + "age == 1") }
            let nots = String(repeating: "NOT ", count: 60) + "age == 1"
            #expect(try check(nots).text == Text(nots))
            let wide = (0..<10_000).map { "age == \($0)" }.joined(separator: " OR ")
            #expect(try check(wide).fields == ["age"])
            let repeated = Array(repeating: "(age == 1)", count: 15_000).joined(separator: " OR ")
            #expect(try check(repeated).text == "age == 1")
        }
    }
#endif
