// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

/// Names, types, and sizes of imported data: every loss is reported, and invalid input is rejected quickly.
@Suite struct ImportedNamesTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path + "/new.realm" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ name: String) throws -> String { try folder.write(text, name) }

    private func dumped() -> String { ToolRun("export", file, "--format", "jsonl").output }

    // MARK: Names

    /// "é" as one scalar, and as a letter with an accent.
    private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

    @Test(arguments: ["json", "jsonl", "csv"]) func namesAreComparedByTheirBytes(_ format: String) throws {
        let (one, two) = (Self.composed, Self.decomposed)
        let object = "{\"\(one)\":1,\"\(two)\":2}"
        let texts = ["json": "[\(object)]", "jsonl": object, "csv": "\(one),\(two)\n1,2\n"]
        let run = ToolRun(
            "import", file, try write(try #require(texts[format]), "T." + format), "--map", "\(two)=\(two):float")
        #expect(run.status == 0, "\(run.errors)")
        let line = try #require(dumped().split(separator: "\n").last)
        #expect(line.utf8.elementsEqual("{\"$class\":\"T\",\"$key\":0,\"\(one)\":1,\"\(two)\":2.0}".utf8), "\(line)")
        #expect(ToolRun("check", "--strict", file).status == 0)
    }

    @Test func keysOfDictionariesAreComparedByTheirBytes() throws {
        let (one, two) = (Self.composed, Self.decomposed)
        let input = try write("[{\"d\":{\"\(one)\":1,\"\(two)\":2}}]", "T.json")
        #expect(ToolRun("import", file, input).status == 0)
        #expect(dumped().utf8.count { $0 == 0xC3 || $0 == 0xCC } == 2)
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "has two values for 'a'"), (#"{"$key":1,"$key":2,"a":1}"#, "has the member '$key' twice"),
        (#"{"a":{"b":1,"b":2}}"#, "'a' has the member 'b' twice"),
        (#"{"a":[{"b":1,"b":2}]}"#, "'a' has the member 'b' twice"),
        (#"{"$class":"T","$class":"U","a":1}"#, "'$class' isn't a string, or occurs twice"),
        (#"{"":1,"a":2}"#, "has a field without a name"),
    ])
    func unstorableFieldsAreRejected(_ record: String, _ reason: String) throws {
        let input = try write("{\"a\":null}\n" + record + "\n", "T.jsonl")
        let run = ToolRun("import", file, input)
        #expect(run.status == 1 && run.errors.contains("line 2: \(reason)"), "\(run.errors)")
        let skipping = ToolRun("import", file, input, "--skip-bad")
        #expect(skipping.output.contains("left out: line 2: \(reason)"), "\(skipping.output)")
        #expect(skipping.output.hasSuffix("imported 1 object, left out 1\n"))
    }

    @Test func twoFieldsOfOnePropertyAreRefused() throws {
        let input = try write("a,b,\n1,2,3\n", "T.csv")
        let run = ToolRun("import", file, input, "--map", "b=a", "--map", "=c")
        #expect(run.status == 1 && run.errors.contains("has two values for 'a'"), "\(run.errors)")
        #expect(ToolRun("import", file, input, "--map", "b=", "--map", "=c").status == 0)
        #expect(dumped().hasSuffix("\"a\":1,\"c\":3}\n"))
    }

    // MARK: Types

    @Test(.behaviour("U10")) func wordsAndDaysOfCSVAreUnderstood() throws {
        let input = try write(
            "big,title,mixed,day,moment,any\nTRUE,True,TRUE,2018-07-18,2018-07-18,2018-07-18\n"
                + "FALSE,False,maybe,1903-12-17,2019-01-01T10:00:00Z,x\n", "T.csv")
        let run = ToolRun("import", file, input)
        #expect(
            run.output == """
                class T
                    big     Bool
                    title   Bool
                    mixed   String
                    day     Date
                    moment  Date
                    any     String
                note: T.day: dates without a time are midnight in UTC; --map 'day:string' keeps them as texts
                note: T.moment: dates without a time are midnight in UTC; --map 'moment:string' keeps them as texts
                imported 2 objects

                """, "\(run.output)\(run.errors)")
        #expect(dumped().contains("\"big\":true,\"title\":true,\"mixed\":\"TRUE\",\"day\":\"2018-07-18T00:00:00Z\""))
        let json = ToolRun("import", folder.path + "/b.realm", input, "--json").output
        #expect(json.contains("\"notes\":[\"T.day: dates without a time"))
    }

    @Test(.behaviour("U13"), arguments: ["json", "jsonl", "csv", "sqlite"]) func aMappingChangesASchemaToo(
        _ format: String
    ) throws {
        let records = try write("id,name,drop,age\n1,Rex,x,3\n2,Bo,y,4\n", "Dog.csv")
        #expect(ToolRun("import", file, records, "--primary-key", "id").status == 0)
        let out = folder.path + "/out." + format
        let export = ToolRun("export", file, "--format", format, "--out", out)
        if export.errors.contains("needs SQLite's library") { return Skip.report("SQLite's library is absent") }
        #expect(export.status == 0, "\(export.errors)")
        let copy = folder.path + "/copy.realm"
        let run = ToolRun(
            "import", copy, out, "--map", "drop=", "--map", "name=title", "--map", "age:double?", "--map", "id=number")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            ToolRun("query", copy, "Dog SORT(number ASC)", "--csv").output == "number,title,age\n1,Rex,3.0\n2,Bo,4.0\n")
        #expect(
            ToolRun("schema", copy).output.contains("number  Int      primary key"), "\(ToolRun("schema", copy).output)"
        )
    }

    @Test(.behaviour("U14")) func theNameOfTheInputSelectsItsFormat() throws {
        for (name, text) in [
            ("a.json", "[{\"a\":1}]"), ("a.JSONL", "{\"a\":1}"), ("a.ndjson", "{\"a\":1}"), ("a.csv", "a\n1\n"),
        ] {
            #expect(ToolRun("import", folder.path + "/\(name).realm", try write(text, name)).status == 0, "\(name)")
        }
        for name in ["a.txt", "-"] {
            let run = ToolRun("import", file, folder.path + "/" + name)
            #expect(run.status == 2 && run.errors.contains("--from is missing"), "\(run.errors)")
        }
    }

    // MARK: Sizes

    private func wide(_ count: Int) throws -> String {
        try write("[{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}]", "Wide.json")
    }

    @Test func wideRecordsTakeTimeInProportion() throws {
        let times = try [4000, 32_000].map { count in
            let (input, path) = (try wide(count), folder.path + "/\(count).realm")
            let runs = (0..<2).map { _ in
                try? FileManager.default.removeItem(atPath: path)
                return ToolRun("import", path, input)
            }
            #expect(runs.allSatisfy { $0.status == 0 }, "\(runs[0].errors)")
            return try #require(runs.map(\.time).min())
        }
        // Eight times the fields would take 64 times the time if it were quadratic.
        #expect(times[1] < times[0] * 24, "\(times)")
    }

    @Test func moreFieldsThanAClassCanHaveAreRefused() throws {
        let run = ToolRun("import", file, try wide(65_537))
        #expect(
            run.status == 1 && run.errors.contains("too many columns with 'k65536': there can be 65536"),
            "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Wide.json"])
    }

    /// A line of ten gigabytes in a sparse file.
    @Test(arguments: ["csv", "jsonl"]) func aLineWithoutAnEndIsRefused(_ format: String) throws {
        let input = try write(format == "csv" ? "a\n" : "{\"a\":\"", "T." + format)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: input))
        if format == "jsonl" {
            // No control characters, which are rejected immediately.
            try handle.seekToEnd()
            for _ in 0..<150 { try handle.write(contentsOf: Data(repeating: 0x78, count: 1 << 20)) }
        }
        try handle.truncate(atOffset: 10 << 30)
        let run = ToolRun("import", file, input)
        let reason = format == "csv" ? "line 2: a field of more than 31 MB" : "line 1: a text or a number of more than"
        #expect(run.status == 1 && run.errors.contains(reason), "\(run.errors)")
        #expect(ToolRun("import", file, input, "--skip-bad").status == 1)
    }
}
