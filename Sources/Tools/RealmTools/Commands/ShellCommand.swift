// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage
import RealmValues

struct ShellCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Runs queries and, with --write, changes, line by line.",
        discussion: """
            .help lists the commands. On a terminal, lines can be edited, completed with Tab, and recalled with the \
            arrow keys; they are stored in ~/.realm_history. If input comes from a pipe, the shell stops at the first \
            line that fails, with exit status 1. Uncommitted changes are discarded.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Allow lines to change the file.") var write = false
    @Flag(help: "Print objects as JSON, like .mode json.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let database = try FollowedFile.open(file, cipher: key.cipher(), canWrite: write)
        let size = try OpenFile.disk(file).size()
        let session = ShellSession(database, byteCount: max(size, 1 << 20), canWrite: write, printsJSON: json, output)
        let status = output.terminal.isInteractive ? try talk(session, output) : try obey(session, output)
        if session.end() { try output.note("uncommitted changes are discarded") }
        return status
    }

    private func talk(_ session: ShellSession, _ output: TextOutput) throws -> Int32 {
        let history = ProcessInfo.processInfo.environment["HOME"].map { $0 + "/.realm_history" }
        let editor = LineEditor(historyAt: history) { text in
            (try? session.source()).map { ShellCompletion($0).choice(for: text) }
                ?? ShellCompletion.Choice(insertion: "", candidates: [])
        }
        while let line = editor.readLine(prompt: session.prompt) {
            do {
                guard try session.run(line) else { break }
            } catch {
                try output.note(output.terminal.coloured("\(error)".printable, .red))
            }
        }
        return ExitStatus.fine
    }

    private func obey(_ session: ShellSession, _ output: TextOutput) throws -> Int32 {
        var number = 0
        while let line = output.terminal.readLine() {
            number += 1
            do {
                guard try session.run(line) else { break }
            } catch {
                _ = session.end()
                throw ShellStatement.Mistake(description: "line \(number): \(error)")
            }
        }
        return ExitStatus.fine
    }
}
