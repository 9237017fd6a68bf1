// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmTools

@Suite struct ShellTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/pets.realm"
        try Database.open(file).write { write in
            let dog = try write.schema.addTable("class_Dog")
            let name = try write.schema.addColumn("name", .string, to: dog)
            let age = try write.schema.addColumn("age", .int, .nullable, to: dog)
            try write.schema.addColumn("mother", .link, .nullable, target: dog, to: dog)
            try write.schema.addColumn("tags", .string, .list, to: dog)
            for (text, number) in [("Rex", 3), ("Bo", 5)] {
                _ = try write.createObject(in: dog, [name: .string(text), age: .int(Int64(number))])
            }
        }
    }

    /// Returns the shell's output for these lines, as from a pipe.
    private func run(_ lines: [String], _ options: String...) -> (status: Int32, output: String, errors: String) {
        nonisolated(unsafe) var rest = lines[...]
        var output: [UInt8] = []
        var errors = ""
        let terminal = Terminal(readLine: { rest.popFirst() })
        let status = RealmTool.run(["shell", file] + options, terminal: terminal, output: { output += $0 }) {
            errors += $0
        }
        return (status, String(decoding: output, as: UTF8.self), errors)
    }

    /// Other processes commit while the shell is open. The next line shows their changes.
    @Test func linesAreOfTheNewestVersion() throws {
        nonisolated(unsafe) var number = 0
        let file = file
        let terminal = Terminal(readLine: {
            number += 1
            guard number < 4 else { return nil }
            if number > 1 {
                try? Database.open(file).write { write in
                    guard let dog = try write.table(named: "class_Dog") else { return }
                    _ = try write.createObject(in: dog.key)
                }
            }
            return ".tables"
        })
        var output: [UInt8] = []
        #expect(
            RealmTool.run(["shell", file], terminal: terminal, output: { output += $0 }) { Issue.record("\($0)") } == 0)
        #expect(String(decoding: output, as: UTF8.self) == "Dog  2\nDog  3\nDog  4\n")
    }

    @Test func queriesAndCommands() {
        let run = run([
            "", ".tables", ".mode csv", "Dog WHERE age > 3", ".mode json", ".limit 1", "Dog SORT(age ASC)",
            ".schema Dog",
            ".help", ".quit", "nonsense",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.hasPrefix(
                """
                Dog  2
                name,age,mother,tags
                Bo,5,,[]
                [
                {"name":"Rex","age":3,"mother":null,"tags":[]}
                ]
                class Dog
                """))
        #expect(self.run([".explain Dog WHERE age > 3"]).output.contains("scan"))
    }

    @Test func anOptionSelectsJSON() {
        #expect(
            run(["Dog WHERE age > 3"], "--json").output
                == "[\n{\"name\":\"Bo\",\"age\":5,\"mother\":null,\"tags\":[]}\n]\n")
    }

    @Test func changesNeedPermission() {
        let run = run(["DELETE Dog"])
        #expect(run.status == 1)
        #expect(run.errors.contains("line 1: the file is open for reading"))
    }

    @Test func changesAreCommittedOneByOneOrTogether() {
        let first = run(
            [
                #"CREATE Dog {"name": "Max", "age": 1, "tags": ["a"]}"#, #"UPDATE Dog WHERE age > 3 SET {"age": null}"#,
                "DELETE Dog WHERE name == 'Rex'",
            ], "--write")
        #expect(first.output == "created Dog 2\nchanged 1 object\ndeleted 1 object\n", "\(first.errors)")
        let second = run(
            [".begin", "DELETE Dog", ".mode csv", "Dog", ".rollback", "Dog SORT(name ASC)", ".begin", "DELETE Dog"],
            "--write")
        #expect(
            second.output == """
                deleted 2 objects
                name,age,mother,tags
                name,age,mother,tags
                Bo,,,[]
                Max,1,,"[""a""]"
                deleted 2 objects

                """)
        #expect(second.errors.contains("uncommitted changes are discarded"))
        #expect(run([".begin", "DELETE Dog WHERE name == 'Bo'", ".commit"], "--write").output.contains("version "))
        #expect(run([".tables"]).output == "Dog  1\n")
        #expect(ToolRun("check", "--strict", file).status == 0)
    }

    @Test(arguments: [
        ".nonsense", "Cat WHERE age > 3", "Dog WHERE >", "CREATE Dog {", "CREATE Dog [1]", #"CREATE Dog {"age": "x"}"#,
        #"CREATE Dog {"x": 1}"#, "CREATE Cat {}", "UPDATE Dog WHERE age > 3", ".commit", ".mode x", "DELETE",
    ]) func mistakesEndAScript(_ line: String) {
        let run = run([line, ".tables"], "--write")
        #expect(run.status == 1)
        #expect(run.errors.contains("line 1: "))
        #expect(run.output == "")
        #expect(self.run([".tables"]).output == "Dog  2\n")
    }

    @Test func wordsAreCompleted() throws {
        let completion = ShellCompletion(try Database.open(file, readOnly: true).snapshot())
        #expect(completion.choice(for: "D").candidates == ["DELETE", "DESC", "DISTINCT(", "Dog"])
        #expect(completion.choice(for: "Do") == .init(insertion: "g ", candidates: ["Dog"]))
        #expect(completion.choice(for: "Dog WHERE na") == .init(insertion: "me ", candidates: ["name"]))
        #expect(completion.choice(for: "Dog wh").insertion == "ere ")
        #expect(completion.choice(for: ".sch").insertion == "ema ")
        #expect(
            completion.choice(for: "Dog WHERE mother.mother.ag")
                == .init(insertion: "e ", candidates: ["mother.mother.age"]))
        #expect(completion.choice(for: "Dog WHERE age.").candidates.isEmpty)
        #expect(completion.choice(for: "zzz") == .init(insertion: "", candidates: []))
    }

    @Test func linesAreEdited() {
        var line = EditedLine(history: ["one", "two"])
        line.insert("abc def")
        line.apply(.eraseWord)
        #expect(line.string == "abc ")
        for key in [EditedLine.Key.home, .delete, .right, .text("X"), .left, .left, .left, .backspace] {
            line.apply(key)
        }
        #expect(line.string == "bXc ")
        for key in [EditedLine.Key.older, .older, .older] { line.apply(key) }
        #expect(line.string == "one")
        for key in [EditedLine.Key.newer, .newer, .newer] { line.apply(key) }
        #expect(line.string == "bXc ")
        line.apply(.left)
        line.apply(.eraseToEnd)
        #expect(line.string == "bXc")
        line.apply(.eraseToStart)
        #expect(line.string.isEmpty && line.cursor == 0)
        line.insert("one two")
        for key in [EditedLine.Key.wordLeft, .wordLeft, .wordRight] { line.apply(key) }
        #expect(line.cursor == 3)
    }

    @Test func aLongLineHasAWindow() {
        var line = EditedLine()
        line.insert("0123456789")
        #expect(line.window(cells: 20) == ("0123456789", 0))
        #expect(line.window(cells: 4) == ("6789", 0))
        for _ in 0..<3 { line.apply(.left) }
        #expect(line.window(cells: 4) == ("3456", 0))
        #expect(line.window(cells: 20) == ("0123456789", 3))
        line.apply(.home)
        #expect(line.window(cells: 4) == ("0123", 4))
        line.insert("犬")
        #expect(line.window(cells: 4) == ("犬01", 2))
    }
}
