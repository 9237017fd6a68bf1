// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@Suite struct QueryCommandTests {
    private let folder: TemporaryFolder
    private let path: String

    /// Two classes, one of them with an embedded object, a list, and a link.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/pets.realm"
        let database = try Database.open(path)
        let write = try database.beginWrite()
        let place = try write.schema.addTable("class_Place", kind: .embedded)
        let street = try write.schema.addColumn("street", .string, to: place)
        let dog = try write.schema.addTable("class_Dog")
        let name = try write.schema.addColumn("name", .string, .nullable, to: dog)
        let age = try write.schema.addColumn("age", .int, .indexed, to: dog)
        let born = try write.schema.addColumn("born", .timestamp, .nullable, to: dog)
        let tags = try write.schema.addColumn("tags", .string, .list, to: dog)
        let friend = try write.schema.addColumn("friend", .link, .nullable, target: dog, to: dog)
        let home = try write.schema.addColumn("home", .link, .nullable, target: place, to: dog)
        _ = try write.schema.addTable("class_DogShow")
        for (number, text) in ["Rex", "Bo, the \"second\"", nil].enumerated() {
            let key = try write.createObject(
                in: dog,
                [
                    name: text.map { .string($0) } ?? .null, age: .int(Int64(number * 3)),
                    born: number == 0 ? .timestamp(Timestamp(seconds: 0, nanoseconds: 500_000_000)) : .null,
                ])
            for tag in 0..<number { try write.list(tags, of: key, in: dog).insert(.string("t\(tag)"), at: tag) }
        }
        try write.set(.link(ObjectKey(0)), friend, of: ObjectKey(1), in: dog)
        let embedded = try write.links.createEmbedded(home, of: ObjectKey(0), in: dog)
        try write.set(.string("Main"), street, of: embedded, in: place)
        try write.commit()
    }

    @Test func table() {
        let run = ToolRun("query", path, "Dog WHERE age < 6 SORT(age DESC)")
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").map { $0.prefix(3) } == ["nam", "Bo,", "Rex", "2 o"])
    }

    @Test func json() throws {
        let run = ToolRun("query", path, "Dog SORT(age)", "--json", "--limit", "2")
        #expect(
            run.output == """
                [
                {"name":"Rex","age":0,"born":"1970-01-01T00:00:00.5Z","tags":[],"friend":null,"home":{"street":"Main"}},
                {"name":"Bo, the \\"second\\"","age":3,"born":null,"tags":["t0"],"friend":{"class":"Dog","key":0},"home":null}
                ]

                """)
        #expect(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) is [Any])
        #expect(ToolRun("query", path, "Dog WHERE age == 99", "--json").output == "[]\n")
    }

    @Test func csv() {
        let run = ToolRun("query", path, "--class", "Dog", "TRUEPREDICATE SORT(age DESC) LIMIT(2)", "--csv")
        #expect(
            run.output == #"""
                name,age,born,tags,friend,home
                ,6,,"[""t0"",""t1""]",,
                "Bo, the ""second""",3,,"[""t0""]","{""class"":""Dog"",""key"":0}",

                """#)
    }

    @Test func explain() {
        let run = ToolRun("query", path, "Dog where age == 3 AND name BEGINSWITH 'B' SORT(name)", "--explain")
        #expect(
            run.output == """
                index on Dog.age: age == 3 (estimated 1, actual 1)
                then name BEGINSWITH 'B' (estimated 0, actual 1)
                then sort by name ASC (actual 1)
                found 1 object

                """)
    }

    @Test func namesOfClasses() {
        #expect(ToolRun("query", path, "DogShow", "--json").output == "[]\n")
        #expect(ToolRun("query", path, "Dog", "--csv").output.split(separator: "\n").count == 4)
        #expect(ToolRun("query", path, "Place WHERE street == 'Main'", "--csv").output == "street\nMain\n")
        let missing = ToolRun("query", path, "age > 3")
        #expect(missing.status == 1)
        #expect(
            missing.errors
                == "realm: \(path): the query must begin with a class; the file has Place, Dog, DogShow\n")
        #expect(ToolRun("query", path, "--class", "Cat", "x == 1").errors.contains("there is no class 'Cat'"))
    }

    @Test func mistakes() {
        let syntax = ToolRun("query", path, "Dog WHERE age >")
        #expect(syntax.status == 1)
        #expect(
            syntax.errors
                == "realm: \(path): Invalid predicate ' age >': expected a property or a value, found the end "
                + "at position 6\n")
        #expect(ToolRun("query", path, "Dog WHERE noSuch == 1").errors.contains("Property 'noSuch' not found"))
        #expect(ToolRun("query", path, "Dog", "--json", "--csv").status == 2)
        #expect(ToolRun("query", path, "Dog", "--limit", "-1").status == 2)
        #expect(ToolRun("query", path).status == 2)
        #expect(ToolRun("query", "--help").output.contains("Realm Query Language"))
    }
}
