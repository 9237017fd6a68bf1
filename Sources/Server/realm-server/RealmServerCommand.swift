// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import RealmSyncServer

    @main
    struct RealmServerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "realm-server",
            abstract: "Synchronises the Realms of clients of every SDK, by partitions or by subscriptions.",
            version: RealmServer.version,
            subcommands: [
                ServeCommand.self, ExportCommand.self, ImportCommand.self, EmptyCommand.self, RepairCommand.self,
                BackupCommand.self, RestoreCommand.self, MoveCommand.self, SchemaCommand.self, MigrateCommand.self,
                UsersCommand.self, AppsCommand.self, SessionsCommand.self, QueriesCommand.self, PageCommand.self,
            ],
            defaultSubcommand: ServeCommand.self)

        /// Adds the settings of the file and of the environment to the arguments.
        static func main() async {
            let given = Array(CommandLine.arguments.dropFirst())
            do {
                await main(
                    try ServeSettings.arguments(
                        given, environment: ProcessInfo.processInfo.environment.map { ($0, $1) }))
            } catch {
                exit(withError: error)
            }
        }
    }

    struct PartitionOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The data folder of the server.", valueName: "folder"))
        var data: String

        @Option(help: ArgumentHelp("The id of the app.", valueName: "id"))
        var app = "app"

        static let partition = """
            PARTITION is a string, a number, null, or Extended JSON such as '{"$oid": "..."}'. Omit it for an app with \
            flexible sync.
            """

        static func validate(_ names: [String]) throws {
            guard 1...2 ~= names.count else { throw ValidationError("Name a partition and a file, or a file.") }
        }
    }

    extension ArgumentHelp {
        static let partition = ArgumentHelp("The partition value.")
        static let place = ArgumentHelp("The partition value, if the app has partitions, and the file.")
    }
#else
    /// Without the trait, the program doesn't contain the server.
    @main
    struct RealmServerCommand {
        static func main() { print("realm-server was built without the trait Server: build it with --traits Server.") }
    }
#endif
