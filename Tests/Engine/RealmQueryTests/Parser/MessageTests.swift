// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import Testing

@testable import RealmQuery

/// Texts of errors, which are part of the SDK's contract, and single predicates.
@Suite struct MessageTests {
    private let kennel: Kennel

    init() throws { kennel = try Kennel() }

    /// Predicates on Person, and the messages with which they are rejected.
    @Test(arguments: [
        ("noSuch == 1", "Invalid keypath 'noSuch': Property 'noSuch' not found in object of type 'Person'"),
        ("dogs.noSuch == 1", "Invalid keypath 'dogs.noSuch': Property 'noSuch' not found in object of type 'Dog'"),
        (
            "age.x == 1",
            "Invalid keypath 'age.x': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath."
        ),
        (
            "age.@avg == 1",
            "Invalid keypath 'age.@avg': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath."
        ),
        (
            "dogs.age > 3",
            """
            Key paths that include a collection property must use aggregate operations: 'dogs.age > 3' needs ANY, ALL \
            or NONE in front of it, or an operator such as @count
            """
        ),
        (
            "ANY age > 3",
            "Aggregate operations can only be used on key paths that include an collection property: 'ANY age > 3'"
        ),
        ("dogs.@count == 'x'", "@count can only be compared with a numeric value."),
        (
            "dogs.@avg == 3",
            "Invalid keypath 'dogs.@avg': @avg on a collection of objects cannot appear at the end of a keypath."
        ),
        ("numbers.@count.x == 1", "Invalid keypath 'numbers.@count.x': @count must appear at the end of a keypath."),
        ("dogs.@foo.age == 1", "Unsupported collection operation '@foo'"),
        ("dogs.@sum.born > T0:0", "Cannot sum or average date properties"),
        ("dogs.@sum.name > 1", "Invalid keypath 'dogs.@sum.name': @sum must be followed by a numeric property."),
        (
            "numbers.x == 1",
            "Invalid keypath 'numbers.x': array<int> property numbers can only be followed by a collection operation."
        ),
        (
            "best.@count == 1",
            "Invalid keypath 'best.@count': collection operation '@count' must be applied to a collection"
        ),
        (
            "age.@allKeys == 'x'",
            "Invalid keypath 'age.@allKeys': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath."
        ),
        ("numbers.@allKeys == 'x'", "Invalid keypath 'numbers.@allKeys': @allKeys must follow a dictionary property."),
        ("dogs.@sum.age == nil", "@sum on a property of type int cannot be compared with 'NULL'"),
        ("name == 3", "Cannot compare value '3' of type 'int' to property 'name' of type 'string'"),
        ("age == 'x'", "Cannot compare value 'x' of type 'string' to property 'age' of type 'int'"),
        (
            "_id == '507f1f77bcf86cd799439011'",
            "Cannot compare value '507f1f77bcf86cd799439011' of type 'string' to property '_id' of type 'object id'"
        ),
        ("best == 3", "Cannot compare value '3' of type 'int' to property 'best' of type 'Dog'"),
        ("isNice > true", "Operator '>' not supported for type 'bool'"),
        ("best < O1", "Operator '<' not supported for type 'object'"),
        ("name MATCHES 'a.*'", "Operator 'MATCHES' not supported for type 'string'"),
        ("name BETWEEN {'a', 'b'}", "Operator 'BETWEEN' not supported for type 'string'"),
        ("age CONTAINS 'a'", "Operator 'CONTAINS' not supported for type 'int'"),
        ("name LIKE[d] 'x'", "Operator 'LIKE' not supported with diacritic-insensitive modifier."),
        ("name <[c] 'b'", "Lexicographical comparisons must be case-sensitive"),
        ("age BETWEEN {1}", "NSArray object must contain exactly two objects for BETWEEN operations"),
        ("age BETWEEN {1, 'x'}", "NSArray objects must be of type int for BETWEEN operations"),
        ("age BETWEEN 1", "object must be of type NSArray for BETWEEN operations"),
        (
            "{1, 2} BETWEEN age",
            "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values"
        ),
        ("age IN 1", "IN clause requires an array of items"),
        ("1 IN age", "Predicate with IN operator must compare a KeyPath with an aggregate"),
        ("1 == 1", "Predicate expressions must compare a keypath and another keypath or a constant value"),
        ("'a' CONTAINS name", "Operator 'CONTAINS' requires a keypath on the left side."),
        ("age == weight", "Property type mismatch between int and double"),
        (
            "dogs.@sum.age == name",
            "@sum on a property of type int cannot be compared with property of type 'string'"
        ),
        ("name == dogs.@count", "@count can only be compared with a numeric value."),
        ("age + 1 == 2", "The 'add:to:' function is not supported."),
        ("best == friend", "Property type mismatch between Dog and Person"),
        (
            "dogs.@count == dogs.@avg.age",
            "Key paths including aggregate operations cannot be compared with other aggregate operations."
        ),
        ("ANY dogs.age == numbers", "Comparing two collection columns is not permitted."),
        (
            "SUBQUERY(dogs, $d, $d.age > 1).@count > 'x'",
            "SUBQUERY(…).@count is only supported when compared with a constant number."
        ),
        ("SUBQUERY(best, $d, $d.age > 1).@count > 0", "Subqueries must contain a keypath starting with a collection."),
    ])
    func refused(_ text: String, _ message: String) throws {
        let error = #expect(throws: PredicateError.self) { try kennel.names(text) }
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("age != 3", "Ann Cid Eve"), ("3 == age", "Bob"), ("3 < age", "Ann"), ("age > 3", "Ann"),
        ("NOT age > 3", "Bob Cid Eve"),
        ("age == nil", "Cid Eve"), ("age > nil", ""), ("age BETWEEN {3, 7}", "Ann Bob"),
        ("age IN {7, NULL}", "Ann Cid Eve"),
        ("age IN {}", ""), ("age == 7.0", "Ann"), ("age > 3.5", "Ann"), ("age == 3.5", ""), ("weight == 1", "Ann"),
        ("name CONTAINS ''", ""), ("name CONTAINS nil", ""), ("name BEGINSWITH[c] 'a'", "Ann"),
        ("name LIKE '?o*'", "Bob"),
        ("name LIKE[c] 'c*'", "Cid"), ("name < 'B'", "Ann"), ("name IN {'Bob', 'Eve'}", "Bob Eve"),
        ("name ==[c] 'bob'", "Bob"),
        ("best.name == 'Rex'", "Ann"), ("best.name == nil", "Bob Cid Eve"), ("best.owner.name == 'Bob'", "Ann"),
        ("best == nil", "Bob Cid Eve"), ("ANY dogs.name == 'Rex'", "Ann Bob"), ("NONE dogs.age > 2", "Bob Cid Eve"),
        ("dogs.@count == 2", "Ann"), ("dogs.@count > 0", "Ann Bob"), ("dogs.@avg.age >= 3", "Ann"),
        ("dogs.@sum.age == 0", "Cid Eve"),
        ("dogs.@max.age == nil", "Cid Eve"), ("numbers.@sum == 6", "Ann"), ("numbers.@min < 0", "Bob"),
        ("2 IN numbers", "Ann"), ("ANY numbers IN {-5, 3}", "Ann Bob"), ("ANY dogs.born < T5:0", "Ann Bob"),
        ("SUBQUERY(dogs, $d, $d.age > 1 AND $d.name == 'Rex').@count == 1", "Ann Bob"),
        ("name.@size == 3", "Ann Bob Cid Eve"),
        ("age == dogs.@count", ""), ("friend.friend.name == 'Ann'", "Ann"), ("name == friend.name", ""),
        ("isNice == true", "Ann Cid"), ("isNice == 0", "Bob Eve"), ("any == 1", "Ann Bob"), ("any != 1", "Cid Eve"),
        ("any BEGINSWITH '1'", "Cid"), ("_id == oid(000000000000000000000002)", "Bob"), ("SELF == O3", "Eve"),
    ])
    func found(_ text: String, _ names: String) throws {
        #expect(try kennel.names(text) == names)
    }

    @Test func inverses() throws {
        let names = PropertyNames { className, property in
            (className, property) == ("Dog", "owners")
                ? .backlinks(className: "Person", column: "dogs") : .column(property)
        }
        for text in [
            "ANY owners.name == 'Ann' AND age > 3", "owners.@count == 1", "ANY @links.Person.dogs.age > 5 AND age == 4",
        ] {
            let query = try Query.compile(Predicate(parsing: text), on: kennel.dogs, in: kennel.snapshot, names: names)
            #expect(try query.objects(in: kennel.snapshot) == [ObjectKey(1)], "\(text)")
        }
    }

    @Test func sortErrors() throws {
        let messages = [
            "noSuch": "Cannot sort on key path 'noSuch': property 'Person.noSuch' does not exist.",
            "best":
                "Cannot sort on key path 'best': property 'Person.best' of type 'object' cannot be the final property in the key path.",
            "age.x":
                "Cannot sort on key path 'age.x': property 'Person.age' of type 'int' may only be the final property in the key path.",
            "dogs": "Cannot sort on key path 'dogs': property 'Person.dogs' is of unsupported type 'array<object>'.",
            "": "Cannot sort on key path '': missing property name.",
            "@count": "Cannot sort on key path '@count': KVC collection operators are not supported.",
        ]
        for (path, message) in messages {
            let error = #expect(throws: PredicateError.self) {
                try SortOrder([SortKey(PropertyPath(path))], on: kennel.people, in: kennel.snapshot)
            }
            #expect(error?.message == message)
        }
    }

    @Test func aggregateErrors() throws {
        let messages = [
            "noSuch": "Property 'noSuch' not found in object of type 'Person'",
            "name": "Operation 'sum' not supported for string property 'Person.name'",
        ]
        for (property, message) in messages {
            let error = #expect(throws: PredicateError.self) {
                try Aggregate(.sum, of: property, on: kennel.people, in: kennel.snapshot)
            }
            #expect(error?.message == message)
        }
    }
}

struct Kennel {
    let database: Database
    let people: TableKey
    let dogs: TableKey
    let snapshot: Snapshot

    init() throws {
        database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let (people, dogs) = (try write.schema.addTable("class_Person"), try write.schema.addTable("class_Dog"))
        func column(
            _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], _ table: TableKey,
            to target: TableKey? = nil
        ) throws -> ColumnKey {
            try write.schema.addColumn(name, type, attributes, target: target, to: table)
        }
        let dogName = try column("name", .string, [], dogs)
        let dogAge = try column("age", .int, [], dogs)
        let born = try column("born", .timestamp, .nullable, dogs)
        let owner = try column("owner", .link, .nullable, dogs, to: people)
        let id = try column("_id", .objectId, [], people)
        let name = try column("name", .string, .indexed, people)
        let age = try column("age", .int, .nullable, people)
        let weight = try column("weight", .double, [], people)
        let isNice = try column("isNice", .bool, [], people)
        let any = try column("any", .mixed, .nullable, people)
        let best = try column("best", .link, .nullable, people, to: dogs)
        let friend = try column("friend", .link, .nullable, people, to: people)
        let owned = try column("dogs", .link, .list, people, to: dogs)
        let numbers = try column("numbers", .int, .list, people)
        for (number, dog) in [("Rex", Int64(2)), ("Bo", 4), ("Zoe", 9)].enumerated() {
            _ = try write.createObject(
                in: dogs,
                [
                    dogName: .string(dog.0), dogAge: .int(dog.1),
                    born: .timestamp(Timestamp(seconds: Int64(number), nanoseconds: 0)),
                ])
        }
        let values: [(String, StoredValue, StoredValue)] = [
            ("Ann", .int(7), .int(1)), ("Bob", .int(3), .double(1)), ("Cid", .null, .string("1")),
            ("Eve", .null, .null),
        ]
        for (number, value) in values.enumerated() {
            _ = try write.createObject(
                in: people,
                [
                    id: .objectId(ObjectIdBytes(high: 0, low: UInt32(number + 1))), name: .string(value.0),
                    age: value.1,
                    weight: .double(Double(number + 1)), isNice: .bool(number % 2 == 0), any: value.2,
                ])
        }
        let key = { (number: Int64) in ObjectKey(number) }
        try write.set(.link(key(0)), best, of: key(0), in: people)
        try write.set(.link(key(1)), friend, of: key(0), in: people)
        try write.set(.link(key(0)), friend, of: key(1), in: people)
        try write.set(.link(key(1)), owner, of: key(0), in: dogs)
        for (place, dog) in [Int64(0), 1].enumerated() {
            try write.list(owned, of: key(0), in: people).insert(.link(key(dog)), at: place)
        }
        try write.list(owned, of: key(1), in: people).insert(.link(key(0)), at: 0)
        for number in [Int64(3), 2, 1] { try write.list(numbers, of: key(0), in: people).insert(.int(number), at: 0) }
        try write.list(numbers, of: key(1), in: people).insert(.int(-5), at: 0)
        try write.commit()
        (self.people, self.dogs) = (people, dogs)
        snapshot = try database.snapshot(label: "kennel")
    }

    func names(_ text: String) throws -> String {
        let query = try Query.compile(Predicate(parsing: text), on: people, in: snapshot, dialect: .predicate)
        let table = try snapshot.table(people)!
        return try query.objects(in: snapshot).map { key in
            guard case .string(let name) = try table.value(table.column(named: "name")!.key, of: key) else { return "" }
            return name
        }.joined(separator: " ")
    }
}
