// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation

/// Writes the man pages and the shell completions, for `Scripts/tool-pages`.
struct PagesCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages", abstract: "Writes man pages and shell completions into a folder.", shouldDisplay: false)

    @Argument(help: "The folder to write to.") var file: String

    func execute(output: TextOutput) throws -> Int32 {
        for (name, text) in try PagesCommand.pages() {
            let url = URL(fileURLWithPath: file).appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        return ExitStatus.fine
    }

    static func pages() throws -> [String: String] {
        let tree = try HelpTree(json: RealmCommand._dumpHelp())
        let pages =
            [ManPage(tool: tree.command, commands: tree.commands)]
            + tree.commands.map { ManPage($0, of: tree.command.commandName) }
        var result = Dictionary(pages.map { ("man/\($0.name).1", $0.text) }) { first, _ in first }
        result["completions/realm.bash"] = RealmCommand.completionScript(for: .bash)
        result["completions/_realm"] = RealmCommand.completionScript(for: .zsh)
        result["completions/realm.fish"] = RealmCommand.completionScript(for: .fish)
        return result
    }
}
