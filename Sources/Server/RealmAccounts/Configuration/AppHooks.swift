// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// Functions that decide about an app's users and respond to function calls. They can be called from any thread,
    /// and concurrently.
    ///
    /// Values are passed as JSON text; values of users are MongoDB's Extended JSON. If a hook throws `HookError`, the
    /// client receives its message; for another error, it receives a generic message. A hook that exceeds the
    /// `hookTimeLimit` of the app is cancelled and its result is ignored. A hook must not block its thread.
    public struct AppHooks: Sendable {
        /// Sends a message to the owner of an e-mail address. Required if addresses are confirmed, or passwords are
        /// reset, by mail.
        public var sendMail: (@Sendable (Mail) async throws -> Void)?
        /// Decides about a registration. Required if `confirmation` is `.byFunction`.
        public var confirm: (@Sendable (Confirmation) async throws -> Decision)?
        /// Decides about a password reset. Required if `reset` is `.byFunction`.
        public var resetPassword: (@Sendable (PasswordReset) async throws -> Decision)?
        /// Returns the user with the given credentials of a custom function, as JSON text. `nil` disables this log-in.
        public var authenticate: (@Sendable (_ credentials: String) async throws -> ExternalIdentity)?
        /// Returns the Facebook user of an access token. Verify with Facebook that the token is valid and was issued
        /// for this app, and throw `HookError` otherwise. `nil` disables log-in with Facebook.
        public var authenticateFacebook: (@Sendable (_ accessToken: String) async throws -> ExternalIdentity)?
        /// Returns the result of a function call, as Extended JSON. `nil` if the app doesn't have functions.
        public var call: (@Sendable (FunctionCall) async throws -> String)?
        /// Returns the results of a streaming function call, each as Extended JSON. `nil` if the app doesn't have such
        /// functions. An error that ends the stream is handled like an error of `call`.
        public var stream: (@Sendable (FunctionCall) async throws -> AsyncThrowingStream<String, any Error>)?
        /// Fetches the JSON Web Key Set at a URL of the settings, to verify a token.
        public var fetchKeys: (@Sendable (_ url: String) async throws -> FetchedKeys)?
        /// Called after tokens of a user are revoked before their expiry: those of one session, or all tokens of the
        /// user if `session` is `nil`.
        public var didRevoke: (@Sendable (_ user: String, _ session: String?) -> Void)?

        /// Creates a value without hooks.
        public init() {}

        /// The decision of a hook about a request.
        public enum Decision: Sendable {
            /// The request succeeds immediately.
            case success
            /// The request succeeds when the client sends the token.
            case pending
            /// The request is rejected.
            case failure
        }

        /// A message to send.
        public struct Mail: Sendable {
            /// The purpose of a message.
            public enum Purpose: String, Sendable {
                /// To confirm a registration.
                case confirmation
                /// To set a new password.
                case reset
                /// To inform the owner of a confirmed address that it was registered again. The client isn't informed.
                case alreadyRegistered
            }

            /// The purpose of the message.
            public let purpose: Purpose
            /// The address as its owner spells it.
            public let address: String
            /// The secret that the client must send, usually with a link in the message. Empty for `alreadyRegistered`.
            public let token: String
            /// The id of the token. Empty for `alreadyRegistered`.
            public let tokenId: String
        }

        /// A registration to decide about.
        public struct Confirmation: Sendable {
            /// The address as its owner spells it.
            public let address: String
            /// The secret that the client must send if the decision is `.pending`.
            public let token: String
            /// The id of the token.
            public let tokenId: String
            /// A Boolean value that indicates whether a user has already confirmed the address.
            ///
            /// The decision shouldn't depend on it, because clients could find out whether the address is registered. A
            /// message to the address can depend on it.
            public let isKnown: Bool
        }

        /// A password reset to decide about.
        public struct PasswordReset: Sendable {
            /// The address as the client spells it.
            public let address: String
            /// The new password.
            public let password: String
            /// The additional arguments of the client: an array of Extended JSON.
            public let arguments: String
            /// The secret that the client must send if the decision is `.pending`.
            public let token: String
            /// The id of the token.
            public let tokenId: String
            /// The id of the user, or `nil` if the address isn't registered.
            ///
            /// The decision shouldn't depend on it, because clients could find out whether the address is registered.
            public let user: String?
        }

        /// A user authenticated by an external service.
        public struct ExternalIdentity: Sendable {
            /// The id of the user in the service: 1 to 1,000 bytes.
            public let id: String
            /// The values of members of the user's profile, by name.
            public let profile: [String: String]

            /// Creates the identity of a user.
            public init(id: String, profile: [String: String] = [:]) { (self.id, self.profile) = (id, profile) }
        }

        /// A call of a function.
        public struct FunctionCall: Sendable {
            /// The id of the calling user.
            public let user: String
            /// The name of the function.
            public let name: String
            /// The service of the function, or `nil` for a function of the app itself.
            public let service: String?
            /// The arguments: an array of Extended JSON.
            public let arguments: String
            /// The custom data of the user as Extended JSON, or `nil` if the user doesn't have any.
            public let customData: String?
        }
    }

    /// An error of a hook whose message is sent to the client.
    public struct HookError: Error, Sendable {
        /// The message for the client.
        public let message: String

        /// Creates an error with a message for the client.
        public init(_ message: String) { self.message = message }
    }

    /// The error that the hooks `call` and `stream` throw for an unknown function.
    public struct FunctionNotFound: Error, Sendable {
        /// Creates the error.
        public init() {}
    }
#endif
