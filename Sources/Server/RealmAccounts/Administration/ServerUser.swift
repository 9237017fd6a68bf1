// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation

    /// A user of an app, without passwords, keys, and tokens.
    public struct ServerUser: Codable, Sendable, Equatable {
        /// The id of the user.
        public var id: String
        /// The id of the user's app.
        public var app: String
        /// The time of the first log-in or registration.
        public var created: Date
        /// A Boolean value that indicates whether the server rejects the user.
        public var isDisabled: Bool
        /// The e-mail address of a user with a password.
        public var email: String?
        /// The log-in providers of the user, such as `local-userpass`.
        public var providers: [String]
        /// The API keys of the user.
        public var keys: [Key]
        /// The number of log-ins whose refresh tokens are valid.
        public var sessionCount: Int
        /// A Boolean value that indicates whether the user has custom data.
        public var hasCustomData: Bool

        /// An API key, without its secret.
        public struct Key: Codable, Sendable, Equatable {
            /// The id of the key.
            public var id: String
            /// The name of the key.
            public var name: String
            /// A Boolean value that indicates whether log-ins with the key are rejected.
            public var isDisabled: Bool
        }
    }

    /// A part of the users of an app.
    public struct UserPage: Codable, Sendable, Equatable {
        /// The users, in the order of the store.
        public var users: [ServerUser]
        /// The position after which the next part begins, or `nil` after the last part.
        public var next: String?
    }

    /// A new API key.
    public struct ServerKey: Codable, Sendable, Equatable {
        /// The secret. The server doesn't store it.
        public var key: String
        /// The id of the key's user.
        public var user: String
    }

    /// An error of an operation on accounts.
    public struct AccountError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
        /// The kind of an error.
        public enum Code: String, Codable, Sendable {
            /// The server has no app with the id.
            case unknownApp
            /// The app has no user with the id.
            case unknownUser
            /// Another user has the e-mail address.
            case nameInUse
            /// A value is invalid, or the app doesn't accept log-ins of this kind.
            case invalid
        }

        /// The kind of the error.
        public var code: Code
        /// The problem and its remedy.
        public var description: String

        package init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }
    }

    extension ServerUser {
        init(_ account: Account, at now: Int64) {
            id = account.id.user
            app = account.id.app
            created = Date(timeIntervalSince1970: Double(account.created))
            isDisabled = account.isDisabled
            email = account.password?.address
            providers = account.identities.map(\.provider.rawValue)
            keys = account.keys.map { Key(id: $0.id, name: $0.name, isDisabled: $0.isDisabled) }
            sessionCount = account.sessions.count { $0.expiry > now }
            hasCustomData = account.customData != nil
        }

        /// - Parameter text: In lowercase.
        func matches(_ text: String) -> Bool {
            text.isEmpty || ([id, email ?? ""] + keys.map(\.name)).contains { $0.lowercased().contains(text) }
        }
    }
#endif
