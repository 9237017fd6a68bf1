// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmTools

@Suite struct PinsCommandTests {
    @Test func everyHolderIsListed() throws {
        let test = try TestDatabase()
        try test.write { _ in }
        let old = [try test.database.snapshot(label: "frozen"), try test.database.snapshot(label: "Realm")]
        try test.write { _ in }
        let new = try test.database.snapshot(label: "line\nbreak")
        let lines = ToolRun("pins", test.path).output.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        #expect(
            lines[0].split(separator: " ").joined(separator: " ")
                == "version behind bytes held process since holders held by")
        let words = lines.map { $0.split(separator: " ").map(String.init) }
        #expect(words[1][..<2] == ["2", "1"] && words[1][3] == "\(getpid())")
        // At least the top array and the lists of version 2.
        #expect(try #require(Int(words[1][2].filter(\.isNumber))) > 100)
        #expect(lines[1].hasSuffix("frozen"))
        #expect(words[2][..<4] == ["3", "0", "0", "\(getpid())"])
        #expect(lines[2].hasSuffix("line\\u{a}break"))
        let data = Data(ToolRun("pins", "--json", test.path).output.utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let pins = try #require(json["pins"] as? [[String: Any]])
        #expect(json["version"] as? Int == 3)
        #expect(pins.map { $0["label"] as? String } == ["frozen", "line\nbreak"])
        #expect(pins.map { $0["version"] as? Int } == [2, 3])
        #expect(pins.map { ($0["bytesHeld"] as? Int ?? 0) > 0 } == [true, false])
        withExtendedLifetime((old, new)) {}
    }

    @Test func noProgramKeepsAFileThatIsNotOpen() throws {
        let test = try TestDatabase()
        try test.write { _ in }
        try test.close()
        #expect(ToolRun("pins", test.path).output == "no program keeps a version\n")
        #expect(ToolRun("pins", "--json", test.path).output == "{\"version\":2,\"pins\":[]}\n")
        #expect(ToolRun("pins", test.path + "x").status == 1)
    }

    @Test func agesAreInWords() {
        let ages = [0, 59, 60, 3599, 3600, 86_399, 86_400, 1_000_000].map { PinList.age($0 * 1_000_000_000) }
        #expect(
            ages == ["0 s", "59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min", "23 h 59 min", "1 d 0 h", "11 d 13 h"])
    }

    @Test func aFileInUseIsRead() throws {
        let test = try TestDatabase()
        var workload = Workload(SeededGenerator(seed: 1))
        for _ in 0..<10 { _ = try workload.commit(to: test.database) }
        let (database, done, start) = (test.database, DispatchSemaphore(value: 0), workload)
        let writer = Thread {
            var workload = start
            while !Thread.current.isCancelled { _ = try? workload.commit(to: database) }
            done.signal()
        }
        writer.start()
        for _ in 0..<5 {
            for arguments in [["check", "--strict"], ["info"], ["dump"], ["schema"], ["pins"]] {
                let run = ToolRun(arguments + [test.path])
                #expect(run.status == 0, "\(arguments): \(run.errors) \(run.output.prefix(300))")
            }
        }
        writer.cancel()
        done.wait()
        try test.close()
    }
}
