// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

struct RealmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "realm",
        abstract: "Inspects, copies, converts and repairs Realm database files.",
        discussion: """
            Only compact, upgrade, import, 'shell --write' and 'studio --write' change FILE. Programs built with \
            Regnum can use FILE meanwhile. While another library has FILE open, do not write to it.
            Exit status: 0 for success; 1 if the file is rejected, has faults or differs; 2 for wrong usage.
            """,
        version: RealmTool.version,
        subcommands: [
            InfoCommand.self, SchemaCommand.self, DumpCommand.self, QueryCommand.self, CheckCommand.self,
            PinsCommand.self, StatsCommand.self, CopyCommand.self, CompactCommand.self, UpgradeCommand.self,
            KeygenCommand.self, DiffCommand.self, ExportCommand.self, ImportCommand.self,
            SalvageCommand.self, SyncLogCommand.self, ShellCommand.self, WatchCommand.self, StudioCommand.self,
        ])
}
