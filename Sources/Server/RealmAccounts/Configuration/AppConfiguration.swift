// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The configuration of one app of a server: the providers and settings for log-in.
    public struct AppConfiguration: Sendable {
        /// The name by which clients identify the app: 1 to 64 of the letters A to Z and a to z, digits, `_` and `-`.
        public var id: String
        /// A Boolean value that indicates whether users may log in without credentials.
        public var allowsAnonymousUsers = true
        /// The settings for log-in with e-mail address and password; nil disables it.
        public var passwords: PasswordSettings? = PasswordSettings()
        /// A Boolean value that indicates whether users may log in with API keys.
        public var allowsKeys = true
        /// The settings for log-in with tokens of other issuers; nil disables it.
        public var customTokens: CustomTokenSettings?
        /// The client ids for which Apple issues the tokens of this app's users; empty if they cannot log in with
        /// Apple.
        public var appleClients: [String] = []
        /// The client ids for which Google issues the tokens of this app's users; empty if they cannot log in with
        /// Google.
        public var googleClients: [String] = []
        /// The lifetime of an access token, in seconds.
        public var accessLifetime: Int64 = 30 * 60
        /// The lifetime of a refresh token, in seconds.
        public var refreshLifetime: Int64 = 60 * 24 * 60 * 60
        /// The time limit of a hook. A request whose hook takes longer fails with an error.
        public var hookTimeLimit = Duration.seconds(30)
        /// The app's decisions made by code.
        public var hooks = AppHooks()

        /// Creates an app that allows anonymous users, passwords and API keys.
        public init(id: String) { self.id = id }

        /// The settings for log-in with e-mail address and password.
        public struct PasswordSettings: Sendable {
            /// The method that confirms an address.
            public var confirmation = Confirmation.automatic
            /// The method that resets a password.
            public var reset = Reset.none
            /// The minimum number of characters in a password.
            public var shortestPassword = 6
            /// The lifetime of a mailed token, in seconds.
            public var mailTokenLifetime: Int64 = 30 * 60

            /// Creates settings that accept every address without confirmation and don't allow password resets.
            public init() {}

            /// A method that confirms an address.
            public enum Confirmation: String, Sendable {
                /// The address is accepted without confirmation.
                case automatic
                /// A token is sent to the address.
                case byMail
                /// The hook `confirm` decides.
                case byFunction
            }

            /// A method that resets a password.
            public enum Reset: String, Sendable {
                /// Passwords can't be reset.
                case none
                /// A token is sent to the address.
                case byMail
                /// The hook `resetPassword` decides.
                case byFunction
            }
        }

        /// The settings for log-in with the tokens (JWT) of other issuers.
        public struct CustomTokenSettings: Sendable {
            /// The keys that verify signatures.
            public var keys: [Key]
            /// The accepted values of the token's `aud`; nil for the id of the app, empty for any audience, including a
            /// missing one.
            public var audiences: [String]?
            /// The accepted values of the token's `iss`; nil for any.
            public var issuers: [String]?
            /// The members of the profile's `data` that are set from claims, by name of the claim.
            public var profile: [String: String] = [:]

            /// Creates settings that accept tokens signed with one of `keys` and issued for the id of the app.
            public init(keys: [Key]) { self.keys = keys }

            /// A key that verifies signatures.
            public enum Key: Sendable {
                /// A shared secret (HS256) of at least 32 bytes.
                case secret([UInt8])
                /// A public RSA key (RS256), in PEM.
                case publicKey(pem: String)
                /// A set of keys (JWKS), as JSON. Its asymmetric keys are used.
                case keySet(String)
                /// The URL of a set of keys (JWKS), for the hook `fetchKeys`.
                case keySetURL(String)
            }
        }
    }
#endif
