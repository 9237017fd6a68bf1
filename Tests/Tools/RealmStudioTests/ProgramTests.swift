// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageTestSupport
import RealmStudio
import RealmTestSupport
import RealmTools
import Testing

/// The command as a program.
@Suite struct ProgramTests {
    /// Prints its address, warns if other machines can reach it, and exits cleanly when it is interrupted.
    @Test(arguments: [[], ["--json"]]) func itServesUntilItIsInterrupted(_ options: [String]) async throws {
        let kennel = try Kennel()
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path("realm")))
        process.arguments = ["studio", kennel.path, "--host", "0.0.0.0"] + options
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let texts = try await outside {
            try [output, errors].map { try OutputLines($0.fileHandleForReading).next() ?? "" }
        }
        let (text, warning) = (texts[0], texts[1])
        let address = options.isEmpty ? text : try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).address
        #expect(warning.hasPrefix("Warning: other machines"))
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) })
        let key = try #require(address.components(separatedBy: "?key=").last)
        let status = try await outside { () throws in
            try RawClient(port: port).request("/studio.css", ["Cookie": "regnum-\(port)=\(key)"]).status
        }
        #expect(status == 200)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    private struct Answer: Decodable {
        let address: String
    }

    @Test func numbersOfAnySizeAreAnswered() async throws {
        let kennel = try Kennel()
        let server = try await StudioServer.start(StudioOptions(path: kennel.path, canWrite: true))
        let key = try #require(server.address.components(separatedBy: "?key=").last)
        let port = server.port
        try await outside {
            let client = try RawClient(port: port)
            #expect(try client.upgrade(["Cookie": "regnum-\(port)=\(key)"]).status == 101)
            func send(_ request: String, _ fields: String) throws -> String {
                client.sendText("{\"id\":7,\"do\":\"\(request)\",\(fields)}")
                while true {
                    let text = try client.receiveText()
                    if text.contains("\"id\":7") { return text }
                }
            }
            let table = try #require(send("file", "\"x\":0").firstMatch(of: /"table":(\d+)/)).1
            let numbers = [Int64.min, .min + 1, -1, 0, 1, 1 << 32, 1 << 62, .max - 1, .max]
            for number in numbers {
                let view = try send("view", "\"table\":\(table),\"count\":\(number)")
                #expect(view.contains("\"rows\":"), "\(view)")
                for other in numbers {
                    for request in ["rows", "keys"] {
                        let answer = try send(request, "\"from\":\(number),\"count\":\(other)")
                        #expect(answer.contains("\"\(request)\":["), "\(answer)")
                    }
                }
                let place = "\"table\":\(table),\"object\":\(number),\"objects\":[\(number)]"
                for request in ["index", "object", "json", "duplicate", "delete"] { _ = try send(request, place) }
                _ = try send("set", place + ",\"values\":{\"age\":\(number)}")
                _ = try send("view", "\"table\":\(number),\"count\":1")
                _ = try send("group", "\"table\":\(number),\"by\":\"age\"")
            }
            #expect(try send("pins", "\"x\":0").contains("\"pins\":"))
        }
        await server.stop()
    }

    @Test func withoutTheTraitTheErrorNamesIt() throws {
        let kennel = try Kennel()
        var text = ""
        let status = RealmTool.run(["studio", kennel.path], output: { _ in }, errors: { text += $0 })
        #expect(status == 1 && text.contains("the trait 'Browser'"))
    }

    @Test func aFileThatIsNotThereIsRefused() async throws {
        await #expect(throws: (any Error).self) {
            try await StudioServer.start(StudioOptions(path: "/nowhere/none.realm"))
        }
    }
}
