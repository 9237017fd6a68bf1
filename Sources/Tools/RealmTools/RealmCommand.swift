// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

/// The command `realm`.
struct RealmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "realm",
        abstract: "Looks into Realm database files, copies them and mends them.",
        discussion: """
            Only compact, upgrade, import, 'shell --write' and 'studio --write' change FILE. It may be in use by \
            programs that are built with Regnum; while another library has it open, no program should write to it.

            Exit status: 0 all is well, 1 the file is refused, has faults or differs, 2 wrong usage.
            """,
        version: RealmTool.version,
        subcommands: [
            InfoCommand.self, SchemaCommand.self, DumpCommand.self, QueryCommand.self, CheckCommand.self,
            PinsCommand.self, StatsCommand.self, CopyCommand.self, CompactCommand.self, UpgradeCommand.self,
            KeygenCommand.self, DiffCommand.self, ExportCommand.self, ImportCommand.self,
            SalvageCommand.self, SyncLogCommand.self, ShellCommand.self, WatchCommand.self, StudioCommand.self,
            PagesCommand.self,
        ])
}
