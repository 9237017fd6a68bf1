// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The configuration of one app of a server: the providers and settings for log-in.
    public struct AppConfiguration: Sendable {
        /// The name by which clients identify the app: 1 to 64 characters, each one of A to Z, a to z, 0 to 9, `_` and
        /// `-`.
        public var id: String
        /// A Boolean value that indicates whether users may log in without credentials.
        public var allowsAnonymousUsers = true
        /// The settings for log-in with e-mail address and password; nil disables it.
        public var passwords: PasswordSettings? = PasswordSettings()
        /// A Boolean value that indicates whether users may log in with API keys.
        public var allowsKeys = true
        /// The settings for log-in with tokens (JWT) of other issuers; nil disables it.
        public var customTokens: CustomTokenSettings?
        /// The client ids for which Apple issues the tokens of this app's users. If it's empty, users can't log in with
        /// Apple.
        public var appleClients: [String] = []
        /// The client ids for which Google issues the tokens of this app's users. If it's empty, users can't log in
        /// with Google.
        public var googleClients: [String] = []
        /// The lifetime of an access token, in seconds.
        public var accessLifetime: Int64 = 30 * 60
        /// The lifetime of a refresh token, in seconds.
        public var refreshLifetime: Int64 = 60 * 24 * 60 * 60
        /// The time limit of a hook. A request whose hook takes longer fails.
        public var hookTimeLimit = Duration.seconds(30)
        /// The functions with which your code decides for the app.
        public var hooks = AppHooks()

        /// Creates an app that allows anonymous users, passwords and API keys.
        public init(id: String) { self.id = id }

        /// The settings for log-in with e-mail address and password.
        public struct PasswordSettings: Sendable {
            /// The method by which an address is confirmed.
            public var confirmation = Confirmation.automatic
            /// The method by which a password is reset.
            public var reset = Reset.none
            /// The minimum number of characters in a password.
            public var shortestPassword = 6
            /// The lifetime of a mailed token, in seconds.
            public var mailTokenLifetime: Int64 = 30 * 60

            /// Creates settings that accept every address without confirmation and don't allow password resets.
            public init() {}

            /// A method by which an address is confirmed.
            public enum Confirmation: String, Sendable {
                /// The address is accepted without confirmation.
                case automatic
                /// A token is sent to the address.
                case byMail
                /// The hook `confirm` decides whether the address is confirmed.
                case byFunction
            }

            /// A method by which a password is reset.
            public enum Reset: String, Sendable {
                /// Disables the reset of passwords.
                case none
                /// A token is sent to the address.
                case byMail
                /// The hook `resetPassword` decides whether the password is reset.
                case byFunction
            }
        }

        /// The settings for log-in with the tokens (JWT) of other issuers.
        public struct CustomTokenSettings: Sendable {
            /// The keys that verify the signatures of tokens.
            public var keys: [Key]
            /// The accepted values of a token's `aud`: nil for the id of the app; empty for any audience, or none.
            public var audiences: [String]?
            /// The accepted values of a token's `iss`; nil for any issuer.
            public var issuers: [String]?
            /// The members of the profile's `data` that are set from claims, by the name of the claim.
            public var profile: [String: String] = [:]

            /// Creates settings that accept tokens signed with one of `keys` and issued for the id of the app.
            public init(keys: [Key]) { self.keys = keys }

            /// A key that verifies signatures.
            public enum Key: Sendable {
                /// A shared secret (HS256) of at least 32 bytes.
                case secret([UInt8])
                /// A public RSA key (RS256), in PEM.
                case publicKey(pem: String)
                /// A set of keys (JWKS), as JSON. Only its asymmetric keys are used.
                case keySet(String)
                /// The URL of a set of keys (JWKS), for the hook `fetchKeys`.
                case keySetURL(String)
            }
        }
    }
#endif
