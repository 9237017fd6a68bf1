// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The credentials with which a user logs in to an app.
@frozen public enum Credentials: Sendable {
    /// A Facebook access token.
    case facebook(accessToken: String)
    /// A Google server authentication code.
    case google(serverAuthCode: String)
    /// A Google ID token.
    case googleId(token: String)
    /// An Apple ID token.
    case apple(idToken: String)
    /// An email address and a password: see ``EmailPasswordAuth``.
    case emailPassword(email: String, password: String)
    /// A JWT issued by another service.
    case jwt(token: String)
    /// The payload for the server's authentication function.
    case function(payload: Document)
    /// An API key created by a user: see ``APIKeyAuth``.
    case userAPIKey(String)
    /// An API key created by the server's operator.
    case serverAPIKey(String)
    /// No credentials. Logs in as the anonymous user that is already logged in on this device, or otherwise as a new
    /// user.
    case anonymous

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

    /// The members of the body of a login request (§1.4).
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

/// An authentication provider, identified by its name on the server.
public struct Provider: RawRepresentable, Hashable, Sendable {
    /// The name of the provider.
    public let rawValue: String

    /// Creates a provider with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Log-in with an email address and a password.
    public static let usernamePassword = Provider(rawValue: "local-userpass")
    /// Log-in with Facebook.
    public static let facebook = Provider(rawValue: "oauth2-facebook")
    /// Log-in with Google.
    public static let google = Provider(rawValue: "oauth2-google")
    /// Log-in with Apple.
    public static let apple = Provider(rawValue: "oauth2-apple")
    /// Log-in with a JWT issued by another service.
    public static let jwt = Provider(rawValue: "custom-token")
    /// Log-in with a function of the server.
    public static let function = Provider(rawValue: "custom-function")
    /// Anonymous log-in.
    public static let anonymous = Provider(rawValue: "anon-user")
    /// Log-in with an API key created by a user.
    public static let userAPIKey = Provider(rawValue: "api-key")
    /// Log-in with an API key created by the server's operator.
    public static let serverAPIKey = Provider(rawValue: "api-key")
}
