// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import RealmAccounts
    import RealmSyncServer
    import ServiceLifecycle

    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serves clients until SIGTERM or SIGINT. This is the default subcommand.",
            discussion: """
                The server listens on the loopback address unless --host is given. Each option can also be a member of \
                the JSON file of --config, or a variable: --admin-port is REALM_SERVER_ADMIN_PORT. Arguments precede \
                variables, which precede the file. See Documentation/Server.md.
                """)

        @Option(help: ArgumentHelp("The data folder, which is created if it is missing.", valueName: "folder"))
        var data: String

        @Option(
            help: ArgumentHelp(
                """
                The address of a database of PostgreSQL that several servers share. Write a password into the variable \
                or a file, because arguments are visible.
                """, valueName: "url"))
        var postgres: String?

        @Option(help: "The address to listen on.")
        var host = "127.0.0.1"

        @Option(help: "The port; 0 for any free port.")
        var port = 9090

        @Option(
            help: ArgumentHelp(
                """
                The port of the admin page, /metrics and /health on the loopback address; 0 for any free port. Without \
                it, they are disabled, and the commands users, apps and sessions need the server to be stopped.
                """))
        var adminPort: Int?

        @Option(help: ArgumentHelp("A PEM file with the certificate chain for TLS.", valueName: "file"))
        var tlsCertificate: String?

        @Option(help: ArgumentHelp("A PEM file with the private key for TLS.", valueName: "file"))
        var tlsKey: String?

        @Option(
            help: ArgumentHelp(
                """
                A JSON file with the apps to serve. Without it, there is one app with the id 'app'.
                """, valueName: "file"))
        var apps: String?

        @Option(
            help: ArgumentHelp(
                """
                A PEM file with certificate authorities of token issuers, trusted in addition to those of the \
                machine.
                """,
                valueName: "file"))
        var authorities: String?

        @Option(
            help: ArgumentHelp(
                """
                The limit for all requests from one address: a burst, and then a number of requests a minute. The \
                default is 300/3000.
                """,
                valueName: "burst/minute"))
        var requestLimit: AccountsConfiguration.RateLimits.Limit?

        @Option(
            help: ArgumentHelp(
                """
                The limit for log-ins and other requests with credentials from one address. The default is 60/60.
                """, valueName: "burst/minute"))
        var logInLimit: AccountsConfiguration.RateLimits.Limit?

        @Option(
            help: ArgumentHelp(
                """
                The limit for log-ins with a password for one e-mail address. The default is 10/10.
                """, valueName: "burst/minute"))
        var accountLimit: AccountsConfiguration.RateLimits.Limit?

        @Option(
            help: ArgumentHelp(
                """
                The address of a proxy, or a range such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded header \
                identifies the client. Can be repeated.
                """, valueName: "address"))
        var trustedProxy: [AddressRange] = []

        @Option(
            help: ArgumentHelp(
                """
                A JSON file with the rules that grant users access to partitions, and to the documents of apps with \
                flexible sync. The server reads it again when it changes. Without it, each user of an app can write \
                to all of its partitions and documents.
                """, valueName: "file"))
        var rules: String?

        @Option(
            help: ArgumentHelp(
                """
                The id of an app with flexible sync. Can be repeated. An app that already has partitions retains them.
                """, valueName: "app"))
        var flexible: [String] = []

        @Option(
            help: ArgumentHelp(
                """
                A JSON file with the schema of an app, whose clients can then use only its classes and properties. \
                Repeat it for each version of the schema.
                """, valueName: "app=file"))
        var schema: [AppFile] = []

        @Option(
            help: ArgumentHelp(
                """
                The id of an app whose clients can add classes and properties to its schema, but not change or remove \
                any. Can be repeated.
                """, valueName: "app"))
        var development: [String] = []

        @Option(
            help: ArgumentHelp(
                "The number of days after which a client that was offline must reset its files.", valueName: "days"))
        var clientExpiry = 30

        @Option(
            help: ArgumentHelp(
                """
                A file with the bearer token with which programs read ingested objects at /ingest/APP. Without it, \
                only the admin port serves them.
                """, valueName: "file"))
        var ingestToken: String?

        @Option(
            help: ArgumentHelp("The number of days after which ingested objects are removed.", valueName: "days"))
        var ingestRetention = 30

        @Option(
            help: "The minimum severity of logged messages: trace, debug, info, notice, warning, error or critical.")
        var logLevel = Logger.Level.info

        @Option(
            help: ArgumentHelp(
                """
                The number of seconds between SIGTERM and the end, in which /ready responds with 503 so that a load \
                balancer uses other servers.
                """, valueName: "seconds"))
        var drain = 0

        @Option(
            help: ArgumentHelp(
                "A JSON object with settings: the names of these options, without '--'.", valueName: "file"))
        var config: String?

        @Flag(help: "Checks the settings and the files that they name, and exits.")
        var check = false

        func validate() throws {
            guard 0...86_400 ~= drain else { throw ValidationError("--drain is a number of seconds from 0 to 86400.") }
            guard (tlsCertificate == nil) == (tlsKey == nil) else {
                throw ValidationError("TLS needs both --tls-certificate and --tls-key.")
            }
            for (name, days) in [("client-expiry", clientExpiry), ("ingest-retention", ingestRetention)] {
                guard ServeCommand.days ~= days else {
                    throw ValidationError("--\(name) is a number of days from 1 to \(ServeCommand.days.upperBound).")
                }
            }
            for (name, port) in [("port", port), ("admin-port", adminPort ?? 0)] {
                guard 0...65_535 ~= port else { throw ValidationError("--\(name): \(port) isn't a port number.") }
            }
            guard authorities == nil || apps != nil else {
                throw ValidationError("--authorities needs --apps, whose apps name the URLs of keys.")
            }
        }

        /// A century, so that times in seconds don't overflow.
        private static let days = 1...36_500

        func run() async throws {
            var options = try options()
            let rules = try followedRules(&options)
            let accounts = try accounts(options.logger)
            try requireApps(accounts)
            if check {
                try RealmServer.check(options, accounts)
                return print("the settings are valid")
            }
            let server = try await RealmServer(options, accounts: accounts)
            let configuration = ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: options.logger)
            let following = Task { [logger = options.logger] in
                if let rules { await rules.follow(for: server, logger: logger) }
            }
            defer { following.cancel() }
            try await ServiceGroup(configuration: configuration).run()
        }

        /// - Throws: `ValidationError` if an option names an app that the server doesn't have.
        private func requireApps(_ accounts: AccountsConfiguration) throws {
            let known = Set(accounts.apps.map(\.id))
            let named = [("flexible", flexible), ("schema", schema.map(\.app)), ("development", development)]
            for (option, ids) in named {
                guard let id = ids.first(where: { !known.contains($0) }) else { continue }
                let source = apps.map { "the file '\($0)' of --apps" } ?? "a server without --apps"
                let list = known.sorted().map { "'\($0)'" }.joined(separator: ", ")
                throw ValidationError("--\(option): \(source) has no app '\(id)', only \(list).")
            }
        }

        private func followedRules(_ options: inout RealmServer.Options) throws -> RulesFile? {
            guard let path = rules else {
                options.logger.notice("without --rules, each user of an app can write all its partitions and documents")
                return nil
            }
            let rules = try RulesFile(path, ServeCommand.contents(of: path, "rules"))
            options.permissions = { rules.access($0) }
            options.documentAccess = { rules.access($0) }
            for (app, fields) in rules.queryableFields where fields != .all {
                options.setSchema(of: app.string) { $0.queryableFields = fields }
            }
            return rules
        }

        private func accounts(_ logger: Logger) throws -> AccountsConfiguration {
            var configuration = try apps(logger)
            configuration.limits.requests = requestLimit ?? configuration.limits.requests
            configuration.limits.credentials = logInLimit ?? configuration.limits.credentials
            configuration.limits.account = accountLimit ?? configuration.limits.account
            configuration.trustedProxies += trustedProxy
            return configuration
        }

        private func apps(_ logger: Logger) throws -> AccountsConfiguration {
            guard let apps else {
                logger.notice("without --apps, the app 'app' accepts anonymous users, passwords, and API keys")
                return AccountsConfiguration(apps: [AppConfiguration(id: "app")])
            }
            var configuration = try ServeCommand.configuration(of: apps)
            let fetcher = try fetcher()
            for index in configuration.apps.indices { configuration.apps[index].hooks.fetchKeys = fetcher.fetch }
            return configuration
        }

        private func fetcher() throws -> KeyFetcher {
            guard let authorities else { return try KeyFetcher() }
            _ = try ServeCommand.contents(of: authorities, "authorities")
            do { return try KeyFetcher(authorities: authorities) } catch {
                throw ValidationError("--authorities: the file '\(authorities)' isn't a PEM file of certificates.")
            }
        }

        /// Reads a file of apps.
        ///
        /// - Throws: `ValidationError` with the file.
        static func configuration(of path: String) throws -> AccountsConfiguration {
            let contents = try contents(of: path, "apps")
            do { return try AccountsConfiguration(json: Array(contents)) } catch let error as ConfigurationError {
                throw ValidationError("--apps: the file '\(path)' isn't valid: \(error).")
            }
        }

        /// - Throws: `ValidationError` with the option that names the file.
        static func contents(of path: String, _ option: String) throws -> Data {
            do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
                let isThere = FileManager.default.fileExists(atPath: path)
                throw ValidationError(
                    "--\(option): the file '\(path)' \(isThere ? "can't be read" : "doesn't exist").")
            }
        }

        private static func token(_ path: String) throws -> String {
            let text = String(decoding: try contents(of: path, "ingest-token"), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            guard text.utf8.count >= 16, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw ValidationError("The file '\(path)' has to contain a token of at least 16 letters and digits.")
            }
            return text
        }

        private func options() throws -> RealmServer.Options {
            var options = RealmServer.Options(data: data)
            (options.postgres, options.host, options.port, options.adminPort) = (postgres, host, port, adminPort)
            if let tlsCertificate, let tlsKey {
                options.tls = RealmServer.TLSFiles(certificateChain: tlsCertificate, privateKey: tlsKey)
            }
            options.flexibleApps = flexible
            for file in schema {
                let schema = try SchemaFile(path: file.path)
                try options.setSchema(of: file.app) { try $0.addVersion(schema) }
            }
            for app in development { options.setSchema(of: app) { $0.isDevelopment = true } }
            options.clientExpiry = .seconds(Int64(clientExpiry) * 24 * 3600)
            options.drainTime = .seconds(drain)
            options.ingestRetention = .seconds(Int64(ingestRetention) * 24 * 3600)
            options.ingestToken = try ingestToken.map { try ServeCommand.token($0) }
            options.logger = Logger(label: "realm-server") { StreamLogHandler.standardError(label: $0) }
            options.logger.logLevel = logLevel
            return options
        }
    }

    extension RealmServer.Options {
        fileprivate mutating func setSchema(
            of app: String, _ change: (inout SchemaSettings) throws -> Void
        ) rethrows {
            if let index = schemas.firstIndex(where: { $0.app.utf8.elementsEqual(app.utf8) }) {
                return try change(&schemas[index])
            }
            schemas.append(SchemaSettings(app: app))
            try change(&schemas[schemas.count - 1])
        }
    }

    /// A file that belongs to an app.
    struct AppFile: ExpressibleByArgument {
        let app: String
        let path: String

        init?(argument: String) {
            guard let end = argument.firstIndex(of: "="), end > argument.startIndex else { return nil }
            (app, path) = (String(argument[..<end]), String(argument[argument.index(after: end)...]))
            if path.isEmpty { return nil }
        }
    }

    extension Logger.Level: @retroactive ExpressibleByArgument {}

    extension AddressRange: ExpressibleByArgument {
        public init?(argument: String) { self.init(argument) }
    }

    extension AccountsConfiguration.RateLimits.Limit: ExpressibleByArgument {
        public init?(argument: String) {
            let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 2, let burst = numbers[0], let perMinute = numbers[1], burst > 0, perMinute > 0
            else {
                return nil
            }
            self.init(burst: burst, perMinute: perMinute)
        }
    }
#endif
