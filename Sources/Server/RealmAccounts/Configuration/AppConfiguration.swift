// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// One app of a server: who may log in to it, and how.
    public struct AppConfiguration: Sendable {
        /// The name by which clients know the app: 1 to 64 of the letters A to Z and a to z, digits, `_` and `-`.
        public var id: String
        /// Whether users may log in without credentials.
        public var allowsAnonymousUsers = true
        /// How users log in with e-mail address and password; nil if they cannot.
        public var passwords: PasswordSettings? = PasswordSettings()
        /// Whether users may log in with API keys.
        public var allowsKeys = true
        /// Whose tokens the app takes; nil if it takes none.
        public var customTokens: CustomTokenSettings?
        /// The client ids for which Apple issues the tokens of this app's users; empty if they cannot log in with
        /// Apple.
        public var appleClients: [String] = []
        /// The client ids for which Google issues the tokens of this app's users; empty if they cannot log in with
        /// Google.
        public var googleClients: [String] = []
        /// How many seconds an access token is valid.
        public var accessLifetime: Int64 = 30 * 60
        /// How many seconds a refresh token is valid.
        public var refreshLifetime: Int64 = 60 * 24 * 60 * 60
        /// How long a hook may take. A client whose request needs one that takes longer gets an error.
        public var hookTimeLimit = Duration.seconds(30)
        /// What the app decides by code.
        public var hooks = AppHooks()

        /// An app that takes anonymous users, passwords and API keys.
        public init(id: String) { self.id = id }

        /// Log-in with e-mail address and password.
        public struct PasswordSettings: Sendable {
            /// How it becomes certain that an address is its user's.
            public var confirmation = Confirmation.automatic
            /// How users get new passwords.
            public var reset = Reset.none
            /// The fewest characters of a password.
            public var shortestPassword = 6
            /// How many seconds the token of a mail is valid.
            public var mailTokenLifetime: Int64 = 30 * 60

            /// Every address is taken as it is, and there is no way to a new password.
            public init() {}

            /// How an address is confirmed.
            public enum Confirmation: String, Sendable {
                /// It is taken as it is.
                case automatic
                /// A token is sent to it.
                case byMail
                /// The hook `confirm` decides.
                case byFunction
            }

            /// How a password is replaced.
            public enum Reset: String, Sendable {
                /// Not at all.
                case none
                /// A token is sent to the address.
                case byMail
                /// The hook `resetPassword` decides.
                case byFunction
            }
        }

        /// Log-in with the tokens (JWT) of other issuers.
        public struct CustomTokenSettings: Sendable {
            /// What signatures are verified with.
            public var keys: [Key]
            /// One of these has to be in the token's `aud`; nil for the id of the app, empty for any audience or none.
            public var audiences: [String]?
            /// One of these has to be the token's `iss`; nil for any.
            public var issuers: [String]?
            /// By name of a claim, the member of the profile's `data` that it becomes.
            public var profile: [String: String] = [:]

            /// Takes the tokens that one of `keys` has signed, for the app of this id.
            public init(keys: [Key]) { self.keys = keys }

            /// What signatures are verified with.
            public enum Key: Sendable {
                /// A secret of both sides (HS256) of at least 32 bytes.
                case secret([UInt8])
                /// A public RSA key (RS256), in PEM.
                case publicKey(pem: String)
                /// A set of keys (JWKS), as JSON. Its asymmetric keys are used.
                case keySet(String)
                /// Where such a set is, for the hook `fetchKeys`.
                case keySetURL(String)
            }
        }
    }
#endif
