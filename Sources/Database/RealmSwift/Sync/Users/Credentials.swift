// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// What a user logs in with.
@frozen public enum Credentials: Sendable {
    /// A token of Facebook.
    case facebook(accessToken: String)
    /// A code of Google for servers.
    case google(serverAuthCode: String)
    /// A token of Google.
    case googleId(token: String)
    /// A token of Apple.
    case apple(idToken: String)
    /// An address and a password: see ``EmailPasswordAuth``.
    case emailPassword(email: String, password: String)
    /// A JWT that another service has issued.
    case jwt(token: String)
    /// Whatever the function of the server asks for.
    case function(payload: Document)
    /// A key that a user has made: see ``APIKeyAuth``.
    case userAPIKey(String)
    /// A key that the server's operator has made.
    case serverAPIKey(String)
    /// Nothing: a new user, or the anonymous one that is logged in on this device.
    case anonymous

    /// The way to log in.
    var provider: Provider {
        switch self {
        case .facebook: .facebook
        case .google, .googleId: .google
        case .apple: .apple
        case .emailPassword: .usernamePassword
        case .jwt: .jwt
        case .function: .function
        case .userAPIKey, .serverAPIKey: .userAPIKey
        case .anonymous: .anonymous
        }
    }

    /// The members of a login's body (§1.4).
    var members: [JSON.Member] {
        switch self {
        case .facebook(let token): [.init("accessToken", .string(token))]
        case .google(let code): [.init("authCode", .string(code))]
        case .googleId(let token), .apple(let token): [.init("id_token", .string(token))]
        case .emailPassword(let email, let password):
            [.init("username", .string(email)), .init("password", .string(password))]
        case .jwt(let token): [.init("token", .string(token))]
        case .function(let payload): payload.members.map { .init($0.name, $0.value.json) }
        case .userAPIKey(let key), .serverAPIKey(let key): [.init("key", .string(key))]
        case .anonymous: []
        }
    }
}

/// A way to log in, by the name that servers have for it.
public struct Provider: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes one from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// With an address and a password.
    public static let usernamePassword = Provider(rawValue: "local-userpass")
    /// By Facebook.
    public static let facebook = Provider(rawValue: "oauth2-facebook")
    /// By Google.
    public static let google = Provider(rawValue: "oauth2-google")
    /// By Apple.
    public static let apple = Provider(rawValue: "oauth2-apple")
    /// With a JWT of another service.
    public static let jwt = Provider(rawValue: "custom-token")
    /// By a function of the server.
    public static let function = Provider(rawValue: "custom-function")
    /// Without anything.
    public static let anonymous = Provider(rawValue: "anon-user")
    /// With a key that a user has made.
    public static let userAPIKey = Provider(rawValue: "api-key")
    /// With a key that the server's operator has made.
    public static let serverAPIKey = Provider(rawValue: "api-key")
}
