// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import TestTraits
import Testing

/// The permissions of created files, which exist only once they are complete.
@Suite struct UnfinishedOutputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // A shell lets its background processes ignore signals, which the programs that a test runs would inherit.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func makeFile(className: String = "Dog") throws -> String {
        let path = folder.path + "/a.realm"
        try Database.open(path).write { write in
            let table = try write.schema.addTable("class_" + className)
            let name = try write.schema.addColumn("name", .string, to: table)
            for text in ["Rex", "=1+1", "-2"] { _ = try write.createObject(in: table, [name: .string(text)]) }
        }
        for suffix in [".lock", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        return path
    }

    @Test(arguments: [0o600, 0o640, 0o400])
    func anExportHasThePermissionsOfItsFile(_ permissions: Int) throws {
        let path = try makeFile()
        try #require(chmod(path, mode_t(permissions)) == 0)
        for format in ["json", "jsonl", "csv"] {
            let out = folder.path + "/out." + format
            #expect(ToolRun("export", path, "--format", format, "--out", out).status == 0)
            guard format == "csv" else {
                #expect(try mode(out) == permissions | 0o600)
                continue
            }
            #expect(try mode(out) == permissions | 0o600 | (permissions == 0o640 ? 0o110 : 0o100))
            for name in ["Dog.csv", "schema.json"] { #expect(try mode(out + "/" + name) == permissions | 0o600) }
        }
        let out = folder.path + "/out.sqlite"
        if ToolRun("export", path, "--format", "sqlite", "--out", out).status == 0 {
            #expect(try mode(out) == permissions | 0o600)
        }
        #expect(ToolRun("copy", path, folder.path + "/b.realm").status == 0)
        #expect(try mode(folder.path + "/b.realm") == permissions | 0o600)
    }

    @Test(.behaviour("U09")) func anExportThatFailsLeavesNothing() throws {
        let path = try makeFile(className: "a/b")
        let run = ToolRun("export", path, "--format", "csv", "--out", folder.path + "/out")
        #expect(run.status == 1 && run.errors.contains("'a/b' cannot be the name of a file"))
        #expect(try names == ["a.realm"])
        try FileManager.default.createDirectory(atPath: folder.path + "/out", withIntermediateDirectories: false)
        let second = ToolRun("export", path, "--format", "json", "--out", folder.path + "/out")
        #expect(second.status == 1 && second.errors.contains("/out: there is a file already"))
        #expect(try names == ["a.realm", "out"])
    }

    /// An import interrupted before the end of its input leaves nothing, so the next one starts afresh.
    @Test(.behaviour("U09"), arguments: [SIGINT, SIGTERM, SIGHUP]) func anInterruptedImportLeavesNoFile(_ signal: Int32)
        throws
    {
        guard let program = BuiltProgram.path("realm") else { return Skip.report("the program realm was not built") }
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["import", folder.path + "/a.realm", "-", "--from", "jsonl", "--class", "Dog"]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let lines = String(repeating: "{\"name\":\"Rex\"}\n", count: 20_000)
        try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
        // A temporary name, and the auxiliary files of an open database.
        let end = ContinuousClock.now + .seconds(300)
        while try names.count < 3, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.01) }
        #expect(try !names.contains("a.realm") && names.count >= 3)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 128 + signal)
        #expect(try names == [])
    }

    /// An interrupted command leaves nothing, or the complete output if the signal came after the last rename.
    @Test(.behaviour("U09"), arguments: ["export", "salvage", "copy"])
    func anInterruptedCommandLeavesNoFile(_ command: String) throws {
        guard let program = BuiltProgram.path("realm") else { return Skip.report("the program realm was not built") }
        let path = folder.path + "/a.realm"
        try Database.open(path).write { write in
            let table = try write.schema.addTable("class_Dog")
            let name = try write.schema.addColumn("name", .string, to: table)
            for number in 0..<30_000 { _ = try write.createObject(in: table, [name: .string("dog \(number)")]) }
        }
        for suffix in [".lock", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let out = folder.path + "/out"
        for _ in 0..<200 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            let options = command == "export" ? ["--format", "jsonl", "--out", out] : [out]
            process.arguments = [command, path] + options
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            while process.isRunning, try !names.contains(where: { $0.hasPrefix("out.") }) { usleep(200) }
            kill(process.processIdentifier, SIGINT)
            process.waitUntilExit()
            let wasInterrupted = process.terminationReason == .exit && process.terminationStatus == 128 + SIGINT
            let left = try names.filter { $0.hasPrefix("out") }
            if wasInterrupted, left.isEmpty { return }
            // The signal came between the last rename and the end, and found the handler present or removed.
            #expect(wasInterrupted || [0, SIGINT].contains(process.terminationStatus))
            #expect(left == ["out"])
            if command == "export" {
                let text = try String(contentsOfFile: out, encoding: .utf8)
                #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 30_000)
            } else {
                #expect(ToolRun("check", "--strict", out).status == 0)
            }
            for name in try names where name.hasPrefix("out") {
                try FileManager.default.removeItem(atPath: folder.path + "/" + name)
            }
        }
        Issue.record("the command was never interrupted before its last rename")
    }

    @Test(.behaviour("U09")) func aFullDiskIsNamed() throws {
        guard let volume = try SmallVolume("tmpfs") else { return Skip.report("no tmpfs can be mounted") }
        let path = try makeFile()
        let input = try folder.write(String(repeating: "{\"name\":\"Rex\"}\n", count: 20_000), "in.jsonl")
        volume.fill()
        let out = volume.path + "/out"
        for arguments in [
            ["export", path, "--format", "jsonl", "--out", out], ["export", path, "--format", "json", "--out", out],
            ["export", path, "--format", "csv", "--out", out], ["salvage", path, out], ["copy", path, out],
            ["import", out, input, "--class", "Dog"],
        ] {
            let run = ToolRun(arguments)
            #expect(run.status == 1 && run.errors.contains(out), "\(arguments): \(run.errors)")
            #expect(run.errors.contains("No space left on device"), "\(arguments): \(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: volume.path) == ["filler"], "\(arguments)")
        }
    }

    /// With two free descriptors too few, the signal sources that remove unfinished output ended the process.
    @Test(arguments: 3...10) func aLimitOfDescriptorsIsAnError(_ limit: Int) throws {
        guard let program = BuiltProgram.path("realm") else { return Skip.report("the program realm was not built") }
        let path = try makeFile()
        for command in ["copy", "salvage"] {
            let line = "ulimit -n \(limit); exec \"$0\" \(command) \"$1\" \"$1-\(command)\""
            let run = try FinishedProgram("/bin/sh", ["-c", line, program, path])
            #expect([0, 1, 127].contains(run.status))
        }
    }

    /// A killed process can't remove its files. The next one does, unless they may still be in use.
    @Test func leftoversAreRemovedOnceTheyAreOld() throws {
        let (old, new) = (folder.path + "/a.realm.copy-aaaaa", folder.path + "/a.realm.copy-bbbbb")
        for path in [old, old + ".lock", new] { try Data().write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.createDirectory(atPath: old + ".management", withIntermediateDirectories: false)
        let time = Date(timeIntervalSinceNow: -2 * 60 * 60)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: old)
        let input = try folder.write("{\"a\":1}\n", "in.jsonl")
        #expect(ToolRun("import", folder.path + "/a.realm", input).status == 0)
        #expect(try names == ["a.realm", "a.realm.copy-bbbbb", "in.jsonl"])
    }

    @Test func spreadsheetsGetNoFormulas() throws {
        let path = try makeFile()
        let plain = ToolRun("export", path, "--format", "csv")
        #expect(plain.output == "$key,name\n0,Rex\n1,=1+1\n2,-2\n")
        let guarded = ToolRun("export", path, "--format", "csv", "--spreadsheet")
        #expect(guarded.output == "$key,name\n0,Rex\n1,'=1+1\n2,'-2\n")
        #expect(ToolRun("export", path, "--format", "json", "--spreadsheet").status == 2)
    }
}
