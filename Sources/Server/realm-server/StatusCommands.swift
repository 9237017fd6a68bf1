// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import RealmAccounts
    import RealmSyncServer

    struct FolderOptions: ParsableArguments {
        @OptionGroup var place: DataOptions

        @Option(
            help: ArgumentHelp(
                "The server's JSON file of apps, which is read only if no server runs on the folder.",
                valueName: "file"))
        var apps: String?

        @Flag(help: "Prints JSON, one value in each line.")
        var json = false

        func administration() throws -> FolderAdministration {
            let configuration = try (apps ?? place.setting("apps")).map { try ServeCommand.configuration(of: $0) }
            let (folder, postgres) = (try place.folder(), try place.address())
            guard folder != nil || postgres != nil else { throw DataOptions.missing }
            return try FolderAdministration(data: folder, configuration, postgres: postgres)
        }
    }

    extension FolderOptions {
        fileprivate func noServer(_ effect: String) -> ValidationError {
            let folder = (try? place.folder()) ?? ""
            return ValidationError("No server runs on the folder '\(folder)', so it \(effect).")
        }
    }

    func json(_ value: some Encodable) throws -> String {
        String(decoding: try AdminJSON.encoded(value), as: UTF8.self)
    }

    struct AppsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apps", abstract: "Lists the apps with the size of their data and the number of their users.")

        @OptionGroup var options: FolderOptions

        func run() async throws {
            for app in try await options.administration().apps() {
                print(try options.json ? json(app) : line(app))
            }
        }

        private func line(_ app: AppStatus) -> String {
            "\(app.app)  \(app.mode.rawValue)  partitions: \(app.partitionCount)  bytes: \(app.bytes)  "
                + "users: \(app.userCount)"
        }
    }

    struct SessionsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sessions", abstract: "Lists the client files of a running server, with their lag.",
            discussion: """
                Of connected files and of absent files, 500 each are listed, those that lag most. With --json, the \
                output is the whole status of the server.
                """)

        @OptionGroup var options: FolderOptions

        func run() async throws {
            guard let status = try await options.administration().status() else {
                throw options.noServer("has no sessions")
            }
            if options.json { return print(try json(status)) }
            for session in status.sessions {
                print(
                    "\(session.app)  \(session.user)  \(session.partition)  file: \(session.file)  "
                        + "version: \(session.version)  \(lag(session.lag))\(text(session.subscriptions))")
            }
            for file in status.absentFiles {
                print(
                    "\(file.app)  \(file.partition)  file: \(file.file)  "
                        + "last contact: \(file.seen.formatted(.iso8601))  \(lag(file.lag))\(text(file.subscriptions))")
            }
            print("\(status.sessionCount) sessions, \(status.absentFileCount) absent files")
        }

        private func text(_ subscriptions: [ServerStatus.Subscription]) -> String {
            subscriptions.map { "  \($0.className): \($0.query)" }.joined()
        }

        private func lag(_ lag: ServerStatus.Lag?) -> String {
            lag.map { "lag: \($0.versions) versions, \($0.bytes) bytes" } ?? "lag: busy"
        }
    }

    struct QueriesCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "queries", abstract: "Lists the queries of client files on a running server, by cost.",
            discussion: """
                The 500 queries that were evaluated on most objects since the server has opened their app are listed, \
                with the number of sets of subscriptions that have them.
                """)

        @OptionGroup var options: FolderOptions

        func run() async throws {
            guard let status = try await options.administration().status() else {
                throw options.noServer("evaluates no queries")
            }
            for query in status.queries {
                print(
                    try options.json
                        ? json(query)
                        : "\(query.app)  \(query.className)  objects: \(query.objectCount)  evaluations: "
                            + "\(query.evaluationCount)  files: \(query.viewCount)  \(query.query)")
            }
            if !options.json { print("\(status.queryCount) queries") }
        }
    }

    struct PageCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "page", abstract: "Prints the address of a running server's admin page.",
            discussion: "The address contains a key: everyone who has it can administer the server until it stops.")

        @Option(help: ArgumentHelp("The data folder of the server.", valueName: "folder"))
        var data: String

        func run() async throws { print(try FolderAdministration(data: data, nil).address().page) }
    }
#endif
