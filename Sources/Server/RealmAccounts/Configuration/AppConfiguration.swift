// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The configuration of an app: its log-in providers, token lifetimes, and hooks.
    public struct AppConfiguration: Sendable {
        /// The id by which clients name the app: 1 to 64 ASCII letters, digits, `_`, and `-`.
        public var id: String
        /// A Boolean value that indicates whether users can log in without credentials.
        public var allowsAnonymousUsers = true
        /// The settings for log-in with an e-mail address and a password. `nil` disables it.
        public var passwords: PasswordSettings? = PasswordSettings()
        /// A Boolean value that indicates whether users can log in with API keys.
        public var allowsKeys = true
        /// The settings for log-in with tokens (JWT) of other issuers. `nil` disables it.
        public var customTokens: CustomTokenSettings?
        /// The client ids for which Apple issues tokens to this app's users. An empty array disables log-in with Apple.
        public var appleClients: [String] = []
        /// The client ids for which Google issues tokens to this app's users. An empty array disables log-in with
        /// Google.
        public var googleClients: [String] = []
        /// The lifetime of an access token, in whole seconds.
        public var accessLifetime = Duration.seconds(30 * 60)
        /// The lifetime of a refresh token, in whole seconds.
        public var refreshLifetime = Duration.seconds(60 * 24 * 60 * 60)
        /// The time limit of a hook. A request fails if its hook exceeds it.
        public var hookTimeLimit = Duration.seconds(30)
        /// Your functions for decisions about users and for function calls.
        public var hooks = AppHooks()

        /// Creates an app that allows anonymous users, passwords, and API keys.
        public init(id: String) { self.id = id }

        /// The settings for log-in with an e-mail address and a password.
        public struct PasswordSettings: Sendable {
            /// The method of confirming an address.
            public var confirmation = Confirmation.automatic
            /// The method of resetting a password.
            public var reset = Reset.none
            /// The minimum number of characters in a password. The maximum is 128.
            public var shortestPassword = 6
            /// The lifetime of a mailed token, in whole seconds.
            public var mailTokenLifetime = Duration.seconds(30 * 60)

            /// Creates settings that accept any address without confirmation and disable password resets.
            public init() {}

            /// A method of confirming an address.
            public enum Confirmation: String, Sendable {
                /// Accepts the address without confirmation.
                case automatic
                /// Sends a token to the address with the hook `sendMail`.
                case byMail
                /// Calls the hook `confirm`.
                case byFunction
            }

            /// A method of resetting a password.
            public enum Reset: String, Sendable {
                /// Disables password resets.
                case none
                /// Sends a token to the address with the hook `sendMail`.
                case byMail
                /// Calls the hook `resetPassword`.
                case byFunction
            }
        }

        /// The settings for log-in with tokens (JWT) of other issuers.
        public struct CustomTokenSettings: Sendable {
            /// The keys that verify the signatures of tokens.
            public var keys: [Key]
            /// The accepted audiences (`aud`) of tokens. `nil` accepts the id of the app; an empty array accepts any
            /// audience.
            public var audiences: [String]?
            /// The accepted issuers (`iss`) of tokens. `nil` accepts any issuer.
            public var issuers: [String]?
            /// The members of the user's profile that are set from claims. The keys are the names of the claims, the
            /// values those of the members.
            public var profile: [String: String] = [:]

            /// Creates settings that accept tokens signed with one of `keys` and issued for the id of the app.
            public init(keys: [Key]) { self.keys = keys }

            /// A key that verifies the signatures of tokens.
            public enum Key: Sendable {
                /// A shared secret (HS256) of at least 32 bytes.
                case secret([UInt8])
                /// An RSA public key (RS256) in PEM format.
                case publicKey(pem: String)
                /// A JSON Web Key Set. Only its asymmetric keys are used.
                case keySet(String)
                /// The URL of a JSON Web Key Set, fetched by the hook `fetchKeys`.
                case keySetURL(String)
            }
        }
    }
#endif
