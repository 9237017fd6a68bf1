// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser

    /// The program: runs a server, and manages its data.
    @main
    struct RealmServerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "realm-server",
            abstract: "Synchronises the Realms of clients of every SDK, by partitions.",
            subcommands: [
                ServeCommand.self, ExportCommand.self, ImportCommand.self, EmptyCommand.self, RepairCommand.self,
            ],
            defaultSubcommand: ServeCommand.self)
    }

    /// The options that identify a partition of a server.
    struct PartitionOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The folder with all data of a server.", valueName: "folder"))
        var data: String

        @Option(help: ArgumentHelp("The app that the partition is of.", valueName: "id"))
        var app = "app"
    }

    extension ArgumentHelp {
        static let partition = ArgumentHelp(
            "The partition value: a text, a number, null, or Extended JSON such as '{\"$oid\": \"...\"}'.")
    }
#else
    /// Without the trait the program contains no server.
    @main
    struct RealmServerCommand {
        static func main() { print("realm-server was built without the trait Server: build it with --traits Server.") }
    }
#endif
