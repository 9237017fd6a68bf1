// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

/// The workloads, each on Regnum and, if it has an equivalent, on GRDB. `bench` alone is `bench run`.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures Regnum, with GRDB on the same work in the same run.",
        subcommands: [RunCommand.self, ReportCommand.self, GuardCommand.self], defaultSubcommand: RunCommand.self)
}
