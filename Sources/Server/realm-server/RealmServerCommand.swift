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

    /// The place of a server's data, as the settings of `serve` name it.
    struct DataOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The data folder of the server.", valueName: "folder"))
        var data: String?

        @Option(
            help: ArgumentHelp(
                "The address of the database of servers on PostgreSQL, in place of the folder.", valueName: "url"))
        var postgres: String?

        @Option(
            help: ArgumentHelp(
                "The file of settings of the server, which can name the folder or the database.", valueName: "file"))
        var config: String?

        /// - Throws: `ValidationError` if neither is named, `ServerFailure` if a named folder has data that isn't in
        ///   the database.
        func place() throws -> ServerData {
            let folder = try folder()
            if let url = try address() {
                if let folder { try ServerData.requireNode(folder) }
                return .postgres(url)
            }
            guard let folder else { throw DataOptions.missing }
            return .folder(folder)
        }

        func folder() throws -> String? { try data ?? setting("data") }

        func address() throws -> String? { try postgres ?? setting("postgres") }

        func setting(_ name: String) throws -> String? { try ServeSettings.value(of: name, config: config) }

        static let missing = ValidationError("Name the data folder with --data, or the database with --postgres.")
    }

    struct PartitionOptions: ParsableArguments {
        @OptionGroup var data: DataOptions

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
