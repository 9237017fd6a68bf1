// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import RealmAccounts
    import RealmSyncServer
    import ServiceLifecycle

    /// Runs a sync server until SIGTERM or SIGINT.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serves clients until it is told to end. This is done without a subcommand.",
            discussion:
                "It listens on the loopback address unless it is told otherwise. Documentation/Server.md says more.")

        @Option(help: ArgumentHelp("The folder with all data, which is made if it is missing.", valueName: "folder"))
        var data: String

        @Option(help: "The address to listen on.")
        var host = "127.0.0.1"

        @Option(help: "The port; 0 for any.")
        var port = 9090

        @Option(help: "The port of /metrics and /health, on the loopback address; none without it.")
        var adminPort: Int?

        @Option(help: ArgumentHelp("The certificate chain for TLS, a PEM file.", valueName: "file"))
        var tlsCertificate: String?

        @Option(help: ArgumentHelp("The private key for TLS, a PEM file.", valueName: "file"))
        var tlsKey: String?

        @Option(
            help: ArgumentHelp(
                "The apps that it serves, a JSON file. Without it there is one, named 'app'.", valueName: "file"))
        var apps: String?

        @Option(
            help: ArgumentHelp(
                "Certificate authorities of issuers of tokens, trusted beside those of the machine, a PEM file.",
                valueName: "file"))
        var authorities: String?

        @Option(
            help: ArgumentHelp(
                "Requests of one address: so many at once, and then so many a minute (300/3000).",
                valueName: "burst/minute"))
        var requestLimit: AccountsConfiguration.RateLimits.Limit?

        @Option(
            help: ArgumentHelp(
                "Log-ins and other requests with credentials of one address (60/60).", valueName: "burst/minute"))
        var logInLimit: AccountsConfiguration.RateLimits.Limit?

        @Option(
            help: ArgumentHelp("Log-ins with passwords for one e-mail address (10/10).", valueName: "burst/minute"))
        var accountLimit: AccountsConfiguration.RateLimits.Limit?

        @Option(
            help: ArgumentHelp(
                "A proxy, or a range of them such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded names the client. "
                    + "May be repeated.", valueName: "address"))
        var trustedProxy: [AddressRange] = []

        @Option(help: ArgumentHelp("Rules that say who may do what, a JSON file.", valueName: "file"))
        var rules: String?

        @Option(help: ArgumentHelp("A client that was away for longer has to reset itself.", valueName: "days"))
        var clientExpiry = 30

        @Option(help: "The least level that is logged: trace, debug, info, notice, warning, error or critical.")
        var logLevel = Logger.Level.info

        func validate() throws {
            guard (tlsCertificate == nil) == (tlsKey == nil) else {
                throw ValidationError("TLS needs both --tls-certificate and --tls-key.")
            }
            guard clientExpiry > 0 else { throw ValidationError("--client-expiry is a number of days above 0.") }
            for port in [port, adminPort ?? 0] {
                guard (0...65535).contains(port) else { throw ValidationError("\(port) is no port.") }
            }
        }

        func run() async throws {
            let options = try options()
            let server = try await RealmServer(options, accounts: try accounts(options.logger))
            let configuration = ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: options.logger)
            try await ServiceGroup(configuration: configuration).run()
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
                logger.notice("there is no file of apps: the app 'app' takes anonymous users, passwords and keys")
                return AccountsConfiguration(apps: [AppConfiguration(id: "app")])
            }
            var configuration = try AccountsConfiguration(
                json: Array(try Data(contentsOf: URL(fileURLWithPath: apps))))
            let fetcher = try KeyFetcher(authorities: authorities)
            for index in configuration.apps.indices { configuration.apps[index].hooks.fetchKeys = fetcher.fetch }
            return configuration
        }

        private func options() throws -> RealmServer.Options {
            var options = RealmServer.Options(data: data)
            (options.host, options.port, options.adminPort) = (host, port, adminPort)
            if let tlsCertificate, let tlsKey { options.tls = (tlsCertificate, tlsKey) }
            options.clientExpiry = UInt64(clientExpiry) * 24 * 3600
            options.logger = Logger(label: "realm-server") { StreamLogHandler.standardError(label: $0) }
            options.logger.logLevel = logLevel
            if let rules {
                let rules = try AccessRules(json: try String(contentsOfFile: rules, encoding: .utf8))
                options.permissions = { rules.access($0) }
            } else {
                options.logger.notice("there are no rules: each user of an app may write all its partitions")
            }
            return options
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
