// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// Compared by bytes.
    package struct AccountID: Hashable, Sendable {
        package let app: String
        package let user: String

        package init(app: String, user: String) { (self.app, self.user) = (app, user) }

        package static func == (a: AccountID, b: AccountID) -> Bool {
            a.app.isIdentical(to: b.app) && a.user.isIdentical(to: b.user)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ByteText(app))
            hasher.combine(ByteText(user))
        }
    }

    /// A name by which an account is found: that of an identity, the digest of an API key, or the id of a mailed token.
    /// At most one account has it.
    package struct LoginName: Hashable, Sendable {
        /// Ids of apps and kinds don't contain slashes.
        package let text: String

        private init(_ app: String, _ kind: String, _ name: String) { text = "\(app)/\(kind)/\(name)" }

        package static func == (a: LoginName, b: LoginName) -> Bool { a.text.isIdentical(to: b.text) }

        package func hash(into hasher: inout Hasher) { hasher.combine(ByteText(text)) }

        static func identity(_ app: String, _ provider: Provider, _ name: String) -> LoginName {
            LoginName(app, provider.rawValue, name)
        }

        static func key(_ app: String, digest: String) -> LoginName { LoginName(app, "key", digest) }

        static func mailToken(_ app: String, _ id: String) -> LoginName { LoginName(app, "mail", id) }
    }

    /// The log-in providers (§1.4).
    package enum Provider: String, Sendable {
        case anonymous = "anon-user"
        case password = "local-userpass"
        case key = "api-key"
        case customToken = "custom-token"
        case customFunction = "custom-function"
        case apple = "oauth2-apple"
        case google = "oauth2-google"
        case facebook = "oauth2-facebook"
    }

    /// Stored as a whole.
    package struct Account: Sendable, Equatable {
        package let id: AccountID
        /// In seconds since 1970, like all times here.
        package var created: Int64
        package var isDisabled = false
        /// Linking can move the password of a user who has never logged in to another user.
        package var wasUsed = false
        package var identities: [Identity] = []
        package var password: Password?
        package var mailTokens: [MailToken] = []
        package var keys: [Key] = []
        package var sessions: [Session] = []
        /// The member `data` of the profile.
        package var profile: [JSON.Member] = []
        package var customData: JSON?
        package var pushRegistrations: [PushRegistration] = []

        package init(id: AccountID, created: Int64) { (self.id, self.created) = (id, created) }

        package struct Identity: Sendable, Equatable {
            package var id: String
            package var provider: Provider
            /// The id of the user at the provider.
            package var name: String
        }

        package struct Password: Sendable, Equatable {
            /// As its owner spells it.
            package var address: String
            package var hash: String
            package var isConfirmed: Bool
        }

        package struct MailToken: Sendable, Equatable {
            package enum Purpose: String, Sendable { case confirmation, reset }

            package var purpose: Purpose
            package var id: String
            package var digest: String
            package var expiry: Int64
            /// The hash of the password that the token sets, if the password is already chosen.
            package var newHash: String?
        }

        package struct Key: Sendable, Equatable {
            package var id: String
            package var name: String
            package var digest: String
            package var isDisabled = false
        }

        /// A device that receives push messages of a service.
        package struct PushRegistration: Sendable, Equatable {
            package var service: String
            /// The id of the session that registered the device.
            package var session: String
            /// The service's token of the device.
            package var token: String
        }

        /// An issued refresh token, with the access tokens issued from it.
        package struct Session: Sendable, Equatable {
            package var id: String
            package var device: String
            package var provider: Provider
            package var expiry: Int64
        }
    }

    extension Account {
        package var names: Set<LoginName> {
            var names = Set(identities.map { LoginName.identity(id.app, $0.provider, $0.name) })
            names.formUnion(keys.map { LoginName.key(id.app, digest: $0.digest) })
            names.formUnion(mailTokens.map { LoginName.mailToken(id.app, $0.id) })
            return names
        }

        func session(_ id: String) -> Session? { sessions.first { $0.id.isIdentical(to: id) } }

        /// An anonymous user without a session can never log in again.
        func isUnreachable(at now: Int64) -> Bool {
            keys.isEmpty && identities.allSatisfy { $0.provider == .anonymous }
                && !sessions.contains { $0.expiry > now }
        }

        mutating func removeExpired(at now: Int64) {
            sessions.removeAll { $0.expiry <= now }
            mailTokens.removeAll { $0.expiry <= now }
        }
    }
#endif
