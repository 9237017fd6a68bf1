// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// `realm shell` on a terminal, like a user.
@Suite struct ShellTerminalTests {
    private let folder: TemporaryFolder
    private let file: String

    private enum Key {
        static let (up, left, controlLeft, pageUp) = ("\u{1B}[A", "\u{1B}[D", "\u{1B}[1;5D", "\u{1B}[5~")
        static let (f5, home, delete) = ("\u{1B}[15~", "\u{1B}[H", "\u{1B}[3~")
        static let (backspace, interrupt, endOfInput) = ("\u{7F}", "\u{3}", "\u{4}")
    }

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/pets.realm"
        try Database.open(file).write { write in
            let dog = try write.schema.addTable("class_Dog")
            let name = try write.schema.addColumn("name", .string, to: dog)
            let age = try write.schema.addColumn("age", .int, to: dog)
            for (text, number) in [("Rex", 3), ("Bo", 5)] {
                _ = try write.createObject(in: dog, [name: .string(text), age: .int(Int64(number))])
            }
        }
    }

    private func shell(columnCount: UInt16 = 80) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(["shell", file, "--write"], home: folder.path, columnCount: columnCount)
        try terminal.wait(for: "realm> ")
        return terminal
    }

    /// Types a line. Returns the text printed before the next prompt.
    @discardableResult private func enter(_ line: String, _ terminal: PseudoTerminal, prompt: String = "realm> ") throws
        -> String
    {
        terminal.type(line + "\r")
        try terminal.wait(for: "realm> " + line)
        return try terminal.wait(for: prompt)
    }

    @Test func wordsAreCompletedAndKeysMoveInTheLine() throws {
        let terminal = try shell()
        terminal.type("Do\t")
        try terminal.wait(for: "realm> Dog ")
        terminal.type("WH\tag\t> 4\r")
        try terminal.wait(for: "realm> Dog WHERE age > 4")
        #expect(try terminal.wait(for: "realm> ").contains("Bo"))
        terminal.type("Dog D\t")
        try terminal.wait(for: "DELETE  DESC  DISTINCT(  Dog")
        try terminal.wait(for: "realm> Dog D")
        terminal.type(Key.interrupt)
        try terminal.wait(for: "\r\n\r\u{1B}[Krealm> ")
        // Four to the left: the 4 becomes a 2. Keys without a meaning insert nothing.
        terminal.type("Dog WHERE age > 4 " + Key.pageUp + Key.f5 + "AND" + Key.controlLeft + Key.left)
        terminal.type(Key.backspace + "2 " + Key.delete + Key.delete + Key.delete + Key.delete + Key.home + "\r")
        try terminal.wait(for: "Dog WHERE age > 2 \u{1B}")
        #expect(try terminal.wait(for: "realm> ").contains("Rex"))
        terminal.type(Key.endOfInput)
        #expect(terminal.waitUntilExit() == 0)
    }

    @Test func linesAreFoundAgainInTheNextShell() throws {
        do {
            let terminal = try shell()
            for line in [".tables", "Dog WHERE age > 4"] { try enter(line, terminal) }
            terminal.type(".quit\r")
            #expect(terminal.waitUntilExit() == 0)
        }
        let terminal = try shell()
        terminal.type(Key.up + Key.up)
        try terminal.wait(for: "realm> .quit")
        try terminal.wait(for: "realm> Dog WHERE age > 4")
        terminal.type("\r")
        #expect(try terminal.wait(for: "realm> ").contains("Bo"))
        #expect(try enter("Cat", terminal).contains("Cat"))
        #expect(try enter("DELETE Dog WHERE age > 4", terminal).contains("deleted 1 object"))
        try enter(".begin", terminal, prompt: "realm*> ")
        terminal.type(Key.endOfInput)
        try terminal.wait(for: "uncommitted changes are discarded")
        #expect(terminal.waitUntilExit() == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/.realm_history")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// The terminal doesn't wrap lines, so that redrawing leaves no remains.
    @Test func aLongLineStaysInOneLine() throws {
        let terminal = try shell(columnCount: 30)
        terminal.type("Dog WHERE name == 'Rex' AND age > 2 AND age < 100\r")
        let drawn = try terminal.wait(for: "\r\n")
        for line in drawn.split(separator: "\r") {
            #expect(line.replacing("\u{1B}[K", with: "").count < 30, "\(line.debugDescription)")
        }
        #expect(drawn.hasSuffix("AND age < 100"), "\(drawn.debugDescription)")
        #expect(try terminal.wait(for: "realm> ").contains("Rex"))
        terminal.type(".quit\r")
        #expect(terminal.waitUntilExit() == 0)
    }
}
