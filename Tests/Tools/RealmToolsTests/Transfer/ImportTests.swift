// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmTools

@Suite struct ImportTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path + "/new.realm" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ name: String) throws -> String { try folder.write(text, name) }

    private func lines(_ query: String) -> [Substring] {
        ToolRun("query", file, query, "--csv").output.split(separator: "\n").dropFirst().map { $0 }
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }

    private static let dogs = #"""
        id,name,age,weight,good,born,zip
        1,Rex,3,31.5,true,2020-01-31T12:00:00Z,01067
        2,"Bo, the ""2nd""",,4,false,2021-06-01T00:00:00.5+02:00,99999

        """#

    @Test func typesOfTextsAreInferredAndShown() throws {
        let input = try write(Self.dogs, "Dog.csv")
        let run = ToolRun("import", file, input, "--from", "csv", "--primary-key", "id")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == """
                class Dog
                    id      Int     primary key
                    name    String
                    age     Int?
                    weight  Double
                    good    Bool
                    born    Date
                    zip     String
                imported 2 objects

                """)
        #expect(
            lines("Dog SORT(id ASC)") == [
                "1,Rex,3,31.5,true,2020-01-31T12:00:00Z,01067",
                "2,\"Bo, the \"\"2nd\"\"\",,4.0,false,2021-05-31T22:00:00.5Z,99999",
            ])
        #expect(ToolRun("check", "--strict", file).status == 0)
        #expect(ToolRun("info", file).output.contains("schema version  0"))
    }

    @Test func fieldsAreRenamedLeftOutAndTyped() throws {
        let input = try write(Self.dogs, "x.csv")
        let run = ToolRun(
            "import", file, input, "--from", "csv", "--class", "Hound", "--map", "zip=", "--map", "age=years:float?",
            "--map", "name:mixed", "--map", "born=", "--map", "good=", "--json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"imported\":2"))
        #expect(
            ToolRun("schema", file).output == """
                class Hound
                    id      Int
                    name    AnyRealmValue
                    years   Float?
                    weight  Double

                table metadata
                    version  Int

                """)
    }

    @Test(arguments: ["csv", "jsonl"]) func aMappingOfAFieldThatNoRecordHasIsAnError(format: String) throws {
        let records = ["csv": "id,name\n1,Rex\n", "jsonl": #"{"id": 1, "name": "Rex"}"# + "\n"]
        let input = try write(try #require(records[format]), "Dog.in")
        let run = ToolRun("import", file, input, "--from", format, "--map", "nmae=title", "--map", "id:int")
        #expect(run.status == 1)
        #expect(run.errors.contains("no record has the field 'nmae', which a --map names"), "\(run.errors)")
        #expect(names == ["Dog.in"])
        // Without records, their fields are unknown.
        let empty = try write(format == "csv" ? "id,name\n" : "", "Empty.in")
        #expect(ToolRun("import", file, empty, "--from", format, "--map", "nmae=title").status == 0)
    }

    @Test func aBadRowIsReportedAndNothingIsKept() throws {
        let rows = (0..<20).map { "\($0),\($0 == 17 ? "x" : "1")\n" }.joined()
        let input = try write("id,n\n" + rows, "T.csv")
        let run = ToolRun("import", file, input, "--from", "csv", "--map", "n:int")
        #expect(run.status == 1)
        // The position is one of the input, not of the database file.
        #expect(run.errors.contains("T.csv: line 19: 'n' is not an integer of 64 bits"))
        #expect(ToolRun("import", file, input, "--from", "json").errors.contains("T.csv: bad JSON in line 1"))
        #expect(names == ["T.csv"])
        let skipping = ToolRun("import", file, input, "--from", "csv", "--map", "n:int", "--skip-bad")
        #expect(skipping.status == 0)
        #expect(skipping.output.hasSuffix("imported 19 objects, left out 1\n"))
        let before = try Images.read(file)
        #expect(ToolRun("import", file, input, "--from", "csv").status == 1)
        #expect(try Images.read(file) == before)
    }

    @Test func linksMayPrecedeTheirObjects() throws {
        let input = try write(
            #"""
            {"$schema": [
              {"class": "Person", "properties": [{"name": "id", "type": "string", "primaryKey": true},
                {"name": "dogs", "type": "link", "collection": "list", "target": "Dog"}]},
              {"class": "Dog", "properties": [{"name": "id", "type": "int", "primaryKey": true},
                {"name": "any", "type": "mixed", "optional": true}]}],
             "Person": [{"id": "ada", "dogs": [2, 1]}],
             "Dog": [{"id": 1, "any": {"$link": ["Person", "ada"]}}, {"id": 2, "any": {"a": [1, 2.5, {"x": null}]}}]}
            """#, "x.json")
        let run = ToolRun("import", file, input, "--from", "json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(ToolRun("check", "--strict", file).status == 0)
        let export = ToolRun("export", file, "--format", "jsonl").output.split(separator: "\n").dropFirst()
        #expect(
            Array(export) == [
                #"{"$class":"Person","id":"ada","dogs":[2,1]}"#,
                #"{"$class":"Dog","id":1,"any":{"$link":["Person","ada"]}}"#,
                #"{"$class":"Dog","id":2,"any":{"a":[1,2.5,{"x":null}]}}"#,
            ])
    }

    @Test func aLinkToNothingIsAnErrorOrNull() throws {
        let properties =
            #"[{"name": "id", "type": "int", "primaryKey": true}, {"name": "friend", "type": "link", "target": "Dog"}]"#
        let flat = try write(
            #"{"$schema": [{"class": "Dog", "properties": \#(properties)}]}"# + "\n"
                + #"{"$class": "Dog", "id": 1, "friend": 7}"#, "x.jsonl")
        let run = ToolRun("import", file, flat, "--from", "jsonl")
        #expect(run.status == 1)
        #expect(run.errors.contains("the object 7 of 'Dog'"))
        #expect(ToolRun("import", file, flat, "--from", "jsonl", "--skip-bad").status == 0)
        #expect(lines("Dog") == ["1,"])
        #expect(ToolRun("check", "--strict", file).status == 0)
    }

    @Test func objectsAreUpdated() throws {
        let first = try write(Self.dogs, "Dog.csv")
        _ = ToolRun("import", file, first, "--from", "csv", "--primary-key", "id")
        let more = try write(#"[{"id": 2, "name": "Max"}, {"id": 3, "name": "Pia", "age": 1}]"#, "more.json")
        let refused = ToolRun("import", file, more, "--from", "json", "--class", "Dog")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("line 1, object 1: "))
        let rehearsed = ToolRun("import", file, more, "--from", "json", "--class", "Dog", "--update", "--dry-run")
        #expect(rehearsed.output.hasSuffix("would import 2 objects\n"))
        #expect(lines("Dog").count == 2)
        #expect(ToolRun("import", file, more, "--from", "json", "--class", "Dog", "--update").status == 0)
        #expect(lines("Dog SORT(id ASC)").map { $0.prefix(7) } == ["1,Rex,3", "2,Max,,", "3,Pia,1"])
    }

    @Test func aRehearsalMakesNoFile() throws {
        let input = try write(Self.dogs, "Dog.csv")
        #expect(ToolRun("import", file, input, "--from", "csv", "--dry-run").status == 0)
        #expect(names == ["Dog.csv"])
    }

    /// Creates a SQLite file from these statements. Returns nil if the library is absent, which is reported.
    private func sqlite(_ statements: String) throws -> String? {
        do {
            let path = folder.path + "/x.db"
            try SQLiteFile(path, readOnly: false).execute(statements)
            return path
        } catch let error as TransferError where error.message.contains("needs SQLite's library") {
            Skip.report("SQLite's library is absent")
            return nil
        }
    }

    @Test func aForeignSQLiteFile() throws {
        let input = try sqlite(
            """
            CREATE TABLE Dog (id TEXT PRIMARY KEY, n INTEGER, w REAL, b BLOB, code TEXT);
            INSERT INTO Dog VALUES ('a', 1, 1.5, x'00ff', '12'), ('b', NULL, 2, NULL, '13');
            """)
        guard let input else { return }
        let run = ToolRun("import", file, input, "--from", "sqlite")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("id    String  primary key"))
        #expect(lines("Dog SORT(id ASC)") == ["a,1,1.5,00ff,12", "b,,2.0,,13"])
    }

    private static let references = """
        CREATE TABLE Dog (id INTEGER PRIMARY KEY, owner TEXT REFERENCES person, sire INTEGER REFERENCES Dog(ID),
            by_mail TEXT REFERENCES Person(mail), pair_a INTEGER, pair_b INTEGER,
            FOREIGN KEY (pair_a, pair_b) REFERENCES Pair (a, b));
        CREATE TABLE Person (name TEXT PRIMARY KEY, mail TEXT UNIQUE);
        CREATE TABLE Passport (dog INTEGER PRIMARY KEY REFERENCES Dog, number TEXT);
        CREATE TABLE Pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
        INSERT INTO Dog VALUES (1, 'Ann', 2, 'a@b', 1, 2), (2, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO Person VALUES ('Ann', 'a@b');
        INSERT INTO Passport VALUES (1, 'x1');
        INSERT INTO Pair VALUES (1, 2);
        """

    /// A reference that doesn't use the single primary key stays a plain value, and so does a primary key.
    @Test func foreignKeysBecomeLinks() throws {
        guard let input = try sqlite(Self.references) else { return }
        let run = ToolRun("import", file, input, "--from", "sqlite", "--map", "owner=keeper")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.hasPrefix(
                """
                class Dog
                    id       Int      primary key
                    keeper   Person?
                    sire     Dog?
                    by_mail  String?
                    pair_a   Int?
                    pair_b   Int?

                class Person
                    name  String  primary key
                    mail  String

                class Passport
                    dog     Int     primary key
                """), "\(run.output)")
        #expect(ToolRun("check", "--strict", file).status == 0)
        #expect(lines("Dog WHERE keeper.mail == 'a@b' AND sire.id == 2").count == 1)
        #expect(ToolRun("export", file, "Dog", "--format", "csv").output.contains("\n1,Ann,2,a@b,1,2\n"))
        #expect(
            ToolRun("import", file, input, "--from", "sqlite", "--update").status == 1, "'owner' is not in the file")
    }

    /// For a table without rows, only its declaration is available.
    @Test func aTableWithoutRows() throws {
        let input = try sqlite(
            """
            CREATE TABLE Dog (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, weight DOUBLE PRECISION, photo BLOB,
                isGood BOOLEAN, born DATETIME, anything, owner TEXT REFERENCES Person, code NUMERIC);
            CREATE TABLE Person (name TEXT PRIMARY KEY);
            INSERT INTO Person VALUES ('Ann');
            """)
        guard let input else { return }
        let run = ToolRun("import", file, input, "--from", "sqlite", "--map", "code:int", "--map", "photo=")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.hasPrefix(
                """
                class Dog
                    id        Int            primary key
                    name      String
                    weight    Double?
                    isGood    Bool?
                    born      Date?
                    anything  AnyRealmValue
                    owner     Person?
                    code      Int
                """), "\(run.output)")
        #expect(ToolRun("check", "--strict", file).status == 0)
        let rows = try #require(try sqlite("INSERT INTO Dog VALUES (1, 'Rex', 2, NULL, 1, NULL, 'x', 'Ann', 3);"))
        let again = ToolRun("import", file, rows, "--from", "sqlite", "--update", "--map", "photo=")
        #expect(again.status == 0, "\(again.errors)")
        #expect(lines("Dog WHERE isGood == true AND owner.name == 'Ann'").count == 1)
    }

    /// SQLite doesn't check whether the targets of foreign keys exist, unless that is enabled.
    @Test func aForeignKeyToNothing() throws {
        let input = try sqlite(Self.references + "INSERT INTO Dog(id, owner) VALUES (3, 'Nobody');")
        guard let input else { return }
        let run = ToolRun("import", file, input, "--from", "sqlite")
        #expect(run.status == 1 && run.errors.contains("the object Nobody of 'Person'"), "\(run.errors)")
        let texts = ToolRun("import", file, input, "--from", "sqlite", "--map", "owner:string?")
        #expect(texts.status == 0, "\(texts.errors)")
        #expect(lines("Dog WHERE owner == 'Nobody'").count == 1)
    }

    @Test func manyRowsInOnePass() throws {
        let input = try write("id,name\n" + (0..<12_000).map { "\($0),name \($0)\n" }.joined(), "Row.csv")
        #expect(ToolRun("import", file, input, "--from", "csv", "--primary-key", "id").status == 0)
        #expect(lines("Row WHERE id == 11999") == ["11999,name 11999"])
    }

    @Test(arguments: [
        "id\n\"1", "id\n\"1\"x\n", "id\n1\"\n", "id,a\n1\n", "id\n1\r2\n",
    ]) func brokenCSV(_ text: String) throws {
        let run = ToolRun("import", file, try write(text, "T.csv"), "--from", "csv")
        #expect(run.status == 1)
        #expect(run.errors.contains("line 2"))
        #expect(names == ["T.csv"])
    }

    @Test(arguments: [
        "", "[", "[{}", "[1]", "{\"A\":{}}", "[{\"a\":01}]", "[{\"a\":\"\u{1}\"}]", "[{\"a\":\"\\ud800\"}]", "[{}] x",
        "[{\"a\":tru}]", String(repeating: "[", count: 100_000), "[{\"a\":" + String(repeating: "[", count: 100_000),
    ]) func brokenJSON(_ text: String) throws {
        let run = ToolRun("import", file, try write(text, "T.json"), "--from", "json")
        #expect(run.status == 1)
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
        #expect(names == ["T.json"])
    }
}
