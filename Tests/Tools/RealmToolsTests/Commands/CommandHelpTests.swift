// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmTools

@Suite struct CommandHelpTests {
    @Test func everyCommandPrintsJSON() {
        let commands = RealmCommand.configuration.subcommands
        #expect(commands.count > 15)
        for command in commands { #expect(command.helpMessage().contains("--json"), "\(command)") }
    }

    /// The plugin `generate-manual` reads this description of the tool.
    @Test func theToolDescribesItselfForManPages() throws {
        struct Description: Decodable {
            struct Command: Decodable {
                let commandName: String
                let subcommands: [Command]?
            }
            let command: Command
        }
        let run = ToolRun("--experimental-dump-help")
        #expect(run.status == 0)
        let tool = try JSONDecoder().decode(Description.self, from: Data(run.output.utf8)).command
        let names = Set((tool.subcommands ?? []).map(\.commandName))
        #expect(tool.commandName == "realm")
        #expect(
            names.isSuperset(of: RealmCommand.configuration.subcommands.compactMap { $0.configuration.commandName }))
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func theToolPrintsCompletions(_ shell: String) {
        let run = ToolRun("--generate-completion-script", shell)
        #expect(run.status == 0)
        #expect(run.output.contains("salvage") && run.output.contains("spreadsheet"))
    }
}
