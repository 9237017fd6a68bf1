// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// `swift run watch` with a writing process.
@Suite struct WatchTests {
    @Test(arguments: [false, true]) func changesOfAnotherProcessArePrinted(asJSON: Bool) throws {
        try TestDatabase.using { test in
            let (dogs, name, tricks, any) = try test.write { transaction in
                let dogs = try transaction.schema.addTable("class_Dog")
                return (
                    dogs, try transaction.schema.addColumn("name", .string, to: dogs),
                    try transaction.schema.addColumn("tricks", .string, .list, to: dogs),
                    try transaction.schema.addColumn("any", .mixed, to: dogs)
                )
            }
            let watch = try RunningWatch(test.path, asJSON ? ["--json"] : ["--colour"])
            defer { watch.stop() }
            // The version that it shows first is pinned under its label, after those of its opening.
            try waitUntil("the watch has begun") { try test.database.pins().contains { $0.label.contains("watch") } }
            if !asJSON { #expect(try watch.lines.next() == "version 2") }
            let rex = try test.write { try $0.createObject(in: dogs, [name: .string("Rex"), any: .double(.nan)]) }
            let created = try watch.nextLines(asJSON ? 1 : 2)
            try test.write { transaction in
                try transaction.set(.string("Max"), name, of: rex, in: dogs)
                try transaction.list(tricks, of: rex, in: dogs).insert(.string("sit"), at: 0)
            }
            let changed = try watch.nextLines(asJSON ? 1 : 2)
            try test.write { try $0.removeObject(rex, from: dogs) }
            let removed = try watch.nextLines(asJSON ? 1 : 2)
            if asJSON {
                let key = rex.rawValue
                #expect(
                    created + changed + removed == [
                        #"{"version":3,"change":"inserted","class":"Dog","object":\#(key),"#
                            + #""new":{"name":"Rex","tricks":[],"any":{"$double":"nan"}}}"#,
                        #"{"version":4,"change":"modified","class":"Dog","object":\#(key),"#
                            + #""old":{"name":"Rex","tricks":[]},"new":{"name":"Max","tricks":["sit"]}}"#,
                        #"{"version":5,"change":"deleted","class":"Dog","object":\#(key),"#
                            + #""old":{"name":"Max","tricks":["sit"],"any":{"$double":"nan"}}}"#,
                    ])
            } else {
                #expect(
                    created + changed + removed == [
                        "version 3", "\u{1B}[32m+ Dog #0\u{1B}[0m  any: nan, name: \"Rex\", tricks: []",
                        "version 4",
                        "\u{1B}[33m~ Dog #0\u{1B}[0m  name: \"Rex\" → \"Max\", tricks: [] → [\"sit\"]",
                        "version 5", "\u{1B}[31m- Dog #0\u{1B}[0m  any: nan, name: \"Max\", tricks: [\"sit\"]",
                    ])
            }
        }
    }

    /// Another program opens the file only after the watch has begun.
    @Test func aFileThatIsNotInUseYetIsWatchedToo() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pets.realm"
        let dogs = try Database.open(path).write { try $0.schema.addTable("class_Dog") }
        let watch = try RunningWatch(path, [])
        defer { watch.stop() }
        #expect(try watch.lines.next()?.hasPrefix("version ") == true)
        try Database.open(path).write { _ = try $0.createObject(in: dogs) }
        #expect(try watch.nextLines(2) == ["version 3", "+ Dog #0  "])
    }

    private func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
        for _ in 0..<12_000 {
            if try condition() { return }
            usleep(5000)
        }
        throw Failure("not in a minute: \(what)")
    }
}

private final class RunningWatch {
    let lines: OutputLines
    private let process = Process()

    init(_ path: String, _ options: [String]) throws {
        guard let program = BuiltProgram.path("watch") else { throw Failure("watch was not built") }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [path] + options
        let pipe = Pipe()
        process.standardOutput = pipe
        lines = OutputLines(pipe.fileHandleForReading)
        try process.run()
    }

    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Fewer if the program has ended.
    func nextLines(_ count: Int) throws -> [String] { try (0..<count).compactMap { _ in try lines.next() } }
}
