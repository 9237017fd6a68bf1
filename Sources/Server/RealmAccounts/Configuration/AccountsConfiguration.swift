// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// What a server of accounts is told.
    public struct AccountsConfiguration: Sendable {
        /// The apps, each with users of its own.
        public var apps: [AppConfiguration]
        /// Where clients reach the server, such as `https://sync.example.org`. Without it they are told the name by
        /// which they came, with `http`.
        public var publicURL: String?
        /// The origins of pages in browsers that may use the server, such as `https://example.org`; nil for all of
        /// them.
        public var allowedOrigins: [String]?
        /// How hard passwords are to guess.
        public var passwordCost = PasswordCost()
        /// How often something may be asked.
        public var limits = RateLimits()
        /// The proxies whose `X-Forwarded-For` or `Forwarded` names the client. All other clients are known by the
        /// address that they connect from, whatever they send.
        public var trustedProxies: [AddressRange] = []
        /// The most bytes that a request may have.
        public var largestBody = 1 << 20

        /// A server of these apps.
        public init(apps: [AppConfiguration]) { self.apps = apps }

        /// The work of scrypt (RFC 7914). What it was when a password was set is stored beside the hash; passwords move
        /// to the present cost when their users log in.
        public struct PasswordCost: Sendable, Equatable {
            /// `N`, a power of two.
            public var rounds = 1 << 15
            /// `r`; `128 * N * r` bytes of memory are used.
            public var blockSize = 8
            /// `p`.
            public var parallelism = 3
            /// How many passwords are hashed at once; others wait.
            public var atOnce = 2

            /// 32 MiB, and about a quarter of a second.
            public init() {}
        }

        /// Buckets of tokens: so many requests at once, and from then on so many a minute.
        public struct RateLimits: Sendable, Equatable {
            /// Of one address, of any kind.
            public var requests = Limit(burst: 300, perMinute: 3000)
            /// Of one address, with credentials: log-ins, registrations, passwords, mails.
            public var credentials = Limit(burst: 60, perMinute: 60)
            /// For one e-mail address: log-ins with passwords, and what sends mail.
            public var account = Limit(burst: 10, perMinute: 10)

            /// The usual limits.
            public init() {}

            /// So many at once, and from then on so many a minute.
            public struct Limit: Sendable, Equatable {
                /// How many at once.
                public var burst: Int
                /// How many a minute after that.
                public var perMinute: Int

                /// Makes a limit.
                public init(burst: Int, perMinute: Int) { (self.burst, self.perMinute) = (burst, perMinute) }
            }
        }
    }

    /// A configuration that cannot be.
    public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong, and where.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    extension AccountsConfiguration {
        /// Throws unless the apps are ones that can be.
        func validate() throws {
            guard !apps.isEmpty else { throw ConfigurationError("there is no app") }
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
            guard accessLifetime > 0, refreshLifetime > 0, accessLifetime <= refreshLifetime else {
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
                throw ConfigurationError("app '\(id)': mails are to be sent, and there is no hook 'sendMail'")
            }
            guard passwords.confirmation != .byFunction || hooks.confirm != nil else {
                throw ConfigurationError("app '\(id)': registrations need the hook 'confirm'")
            }
            guard passwords.reset != .byFunction || hooks.resetPassword != nil else {
                throw ConfigurationError("app '\(id)': new passwords need the hook 'resetPassword'")
            }
        }
    }

    /// Letters, digits, `_` and `-`.
    func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
#endif
