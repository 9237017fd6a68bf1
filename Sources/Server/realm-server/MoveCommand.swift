// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct MoveCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move", abstract: "Copies the data and accounts of a server to PostgreSQL, or back.",
            discussion: """
                Clients continue with their files, and users remain logged in: versions and the key that signs \
                tokens are copied too. The source is unchanged. An interrupted command can be repeated. No server may \
                run on the folder or the database meanwhile.
                """)

        @Option(help: ArgumentHelp("The data folder of the server.", valueName: "folder"))
        var data: String
        @Option(
            help: ArgumentHelp(
                "The address of the database. By default, it's the variable REALM_SERVER_POSTGRES.", valueName: "url"))
        var postgres: String?
        @Flag(help: "Copies from PostgreSQL to the folder.")
        var toFolder = false

        func run() async throws {
            guard let postgres = try postgres ?? ServeSettings.value(of: "postgres") else {
                throw ValidationError("Name the database with --postgres.")
            }
            let report = try await FolderMove(data: data, postgres: postgres).run(toFolder: toFolder) { progress in
                ProgressOutput.write(
                    "\(progress.stores) of \(progress.storeCount) partitions or apps, \(progress.bytes >> 20) MiB copied"
                )
            }
            print("\(report.stores) partitions or apps and \(report.accounts) accounts copied")
        }
    }
#endif
