// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The configuration of a server's accounts: its apps, and the limits that they share.
    public struct AccountsConfiguration: Sendable {
        /// The apps of the server. Each app has its own users.
        public var apps: [AppConfiguration]
        /// The URL at which clients reach the server, such as `https://sync.example.org`. If `nil`, clients use the
        /// host name of their own request, with `http`.
        public var publicURL: String?
        /// The origins of web pages that can use the server, such as `https://example.org`. `nil` allows all origins.
        public var allowedOrigins: [String]?
        /// The cost of hashing a password.
        public var passwordCost = PasswordCost()
        /// The rate limits of requests.
        public var limits = RateLimits()
        /// The proxies whose `X-Forwarded-For` or `Forwarded` header identifies the client. Without such a proxy, a
        /// client is identified by the address of its connection.
        public var trustedProxies: [AddressRange] = []
        /// The maximum size of a request's body, in bytes.
        public var largestBody = 1 << 20

        /// Creates the configuration of a server with the given apps.
        public init(apps: [AppConfiguration]) { self.apps = apps }

        /// The parameters of scrypt (RFC 7914), which hashes passwords.
        ///
        /// Each hash is stored with its parameters. When a user logs in, a hash with other parameters than the current
        /// ones is replaced.
        public struct PasswordCost: Sendable, Equatable {
            /// The parameter `N`, a power of two.
            public var rounds = 1 << 15
            /// The parameter `r`. A hash uses `128 * N * r` bytes of memory.
            public var blockSize = 8
            /// The parameter `p`.
            public var parallelism = 3
            /// The maximum number of passwords that are hashed concurrently. Others wait.
            public var atOnce = 2

            /// Creates the default parameters: 32 MiB of memory, and about a quarter of a second.
            public init() {}
        }

        /// The rate limits of requests. Each is a token bucket: it allows a burst of requests, and then a number of
        /// requests per minute.
        public struct RateLimits: Sendable, Equatable {
            /// The limit of all requests from one address.
            public var requests = Limit(burst: 300, perMinute: 3000)
            /// The limit of requests with credentials from one address: log-ins, registrations, and requests about
            /// passwords and mail.
            public var credentials = Limit(burst: 60, perMinute: 60)
            /// The limit of requests about one e-mail address: log-ins with a password, and requests that send mail.
            public var account = Limit(burst: 10, perMinute: 10)

            /// Creates the default limits.
            public init() {}

            /// A rate limit.
            public struct Limit: Sendable, Equatable {
                /// The maximum number of requests in a burst.
                public var burst: Int
                /// The number of requests per minute after the burst.
                public var perMinute: Int

                /// Creates a limit.
                public init(burst: Int, perMinute: Int) { (self.burst, self.perMinute) = (burst, perMinute) }
            }
        }
    }

    /// An error in a configuration.
    public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The error and its location in the configuration.
        public let description: String

        package init(_ description: String) { self.description = description }
    }

    extension AccountsConfiguration {
        /// - Throws: `ConfigurationError` unless the apps and the password cost are valid.
        package func validate() throws {
            guard !apps.isEmpty else { throw ConfigurationError("'apps' is empty") }
            guard Set(apps.map(\.id)).count == apps.count else { throw ConfigurationError("two apps have one id") }
            let cost = passwordCost
            guard cost.rounds > 1, cost.rounds & (cost.rounds - 1) == 0, cost.blockSize > 0, cost.parallelism > 0,
                cost.atOnce > 0
            else { throw ConfigurationError("passwordCost: 'rounds' is a power of two, and all of it is above 0") }
            for app in apps { try app.validate() }
        }
    }

    extension AppConfiguration {
        fileprivate func validate() throws {
            guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy({ isNameByte($0) }) else {
                throw ConfigurationError("the id of an app is 1 to 64 letters, digits, '_' and '-'; '\(id)' is not")
            }
            guard accessLifetime >= .seconds(1), accessLifetime <= refreshLifetime else {
                throw ConfigurationError("app '\(id)': an access token is valid no longer than a refresh token")
            }
            guard hookTimeLimit > .zero else { throw ConfigurationError("app '\(id)': 'hookTimeLimit' is above 0") }
            if let passwords { try validate(passwords) }
            for case .secret(let bytes) in customTokens?.keys ?? [] where bytes.count < 32 {
                throw ConfigurationError("app '\(id)': the secret of a custom token has at least 32 bytes")
            }
        }

        private func validate(_ passwords: PasswordSettings) throws {
            let needsMail = passwords.confirmation == .byMail || passwords.reset == .byMail
            guard !needsMail || hooks.sendMail != nil else {
                throw ConfigurationError("app '\(id)': confirmations and resets by mail need the hook 'sendMail'")
            }
            guard passwords.confirmation != .byFunction || hooks.confirm != nil else {
                throw ConfigurationError("app '\(id)': registrations need the hook 'confirm'")
            }
            guard passwords.reset != .byFunction || hooks.resetPassword != nil else {
                throw ConfigurationError("app '\(id)': new passwords need the hook 'resetPassword'")
            }
        }
    }

    func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
#endif
