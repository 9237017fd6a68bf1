// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser

    @main
    struct RealmServerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "realm-server",
            abstract: "Synchronises the Realms of clients of every SDK, by partition.",
            subcommands: [
                ServeCommand.self, ExportCommand.self, ImportCommand.self, EmptyCommand.self, RepairCommand.self,
                SchemaCommand.self,
                UsersCommand.self, AppsCommand.self, SessionsCommand.self, PageCommand.self,
            ],
            defaultSubcommand: ServeCommand.self)
    }

    struct PartitionOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The data folder of the server.", valueName: "folder"))
        var data: String

        @Option(help: ArgumentHelp("The id of the app to which the partition belongs.", valueName: "id"))
        var app = "app"
    }

    extension ArgumentHelp {
        static let partition = ArgumentHelp(
            "The partition value: a string, a number, null, or Extended JSON such as '{\"$oid\": \"...\"}'.")
    }
#else
    /// Without the trait, the program doesn't contain the server.
    @main
    struct RealmServerCommand {
        static func main() { print("realm-server was built without the trait Server: build it with --traits Server.") }
    }
#endif
