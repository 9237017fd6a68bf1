// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The app's decisions made by code. Each member may be called at any time, from any thread, and concurrently.
    ///
    /// Values are passed as JSON text, in which values of users are MongoDB's Extended JSON. If a hook throws
    /// `HookError`, the client receives its text; for any other error the client receives only a generic message. A
    /// hook that exceeds the `hookTimeLimit` of its app is cancelled, and its result is ignored. A hook must not block
    /// its thread.
    public struct AppHooks: Sendable {
        /// Sends a message to the owner of an e-mail address. If it's nil, addresses and passwords can't be confirmed
        /// or reset by mail.
        public var sendMail: (@Sendable (Mail) async throws -> Void)?
        /// Decides about a registration, if the setting is `.byFunction`.
        public var confirm: (@Sendable (Confirmation) async throws -> Decision)?
        /// Decides about a password reset, if the setting is `.byFunction`.
        public var resetPassword: (@Sendable (PasswordReset) async throws -> Decision)?
        /// Returns the user who logs in with the credentials of a custom function. If it's nil, this log-in is
        /// disabled.
        public var authenticate: (@Sendable (_ credentials: String) async throws -> ExternalIdentity)?
        /// Returns the Facebook id of the owner of a Facebook access token. Only Facebook can verify the token, and
        /// that it was issued for this app. Throw `HookError` to reject a token. If it's nil, log-in with Facebook is
        /// disabled.
        public var authenticateFacebook: (@Sendable (_ accessToken: String) async throws -> ExternalIdentity)?
        /// Returns the result of a function call, as Extended JSON. If it's nil, the app has no functions.
        public var call: (@Sendable (FunctionCall) async throws -> String)?
        /// Returns the results of a streaming function call, each as Extended JSON. If it's nil, the app has no
        /// streaming functions. An error that ends the stream is reported in the same way as an error of `call`.
        public var stream: (@Sendable (FunctionCall) async throws -> AsyncThrowingStream<String, any Error>)?
        /// Fetches the keys of a token's issuer, if the settings contain a URL.
        public var fetchKeys: (@Sendable (_ url: String) async throws -> FetchedKeys)?
        /// Called after tokens of a user are revoked before their expiry: the tokens of one session, or all tokens of
        /// the user if the session is nil.
        public var didRevoke: (@Sendable (_ user: String, _ session: String?) -> Void)?

        /// Creates an empty set of hooks.
        public init() {}

        /// The decision of a hook about a request.
        public enum Decision: Sendable {
            /// The request succeeds at once.
            case success
            /// The request waits until the client sends the token.
            case pending
            /// The request is rejected.
            case failure
        }

        /// A message to send.
        public struct Mail: Sendable {
            /// The purpose of a message.
            public enum Purpose: String, Sendable {
                /// Confirms a registration.
                case confirmation
                /// Permits the owner to set a new password.
                case reset
                /// Informs the owner of a confirmed address that it was registered again. The client isn't informed.
                case alreadyRegistered
            }

            /// The purpose of the message.
            public let purpose: Purpose
            /// The address in the spelling of its owner.
            public let address: String
            /// The secret that the client must send, usually by a link in the message; empty if the message needs no
            /// token.
            public let token: String
            /// The id of the token; empty if the message needs no token.
            public let tokenId: String
        }

        /// A registration about which a hook decides.
        public struct Confirmation: Sendable {
            /// The address in the spelling of its owner.
            public let address: String
            /// The secret that the client must send if the decision is `.pending`.
            public let token: String
            /// The id of the token.
            public let tokenId: String
            /// A Boolean value that indicates whether a user has already confirmed the address. The decision shouldn't
            /// depend on it, because that would reveal to clients whether the address is registered; a message to the
            /// address may depend on it.
            public let isKnown: Bool
        }

        /// A new password about which a hook decides.
        public struct PasswordReset: Sendable {
            /// The address in the spelling of the client.
            public let address: String
            /// The new password.
            public let password: String
            /// The additional arguments of the client, an array of Extended JSON.
            public let arguments: String
            /// The secret that the client must send if the decision is `.pending`.
            public let token: String
            /// The id of the token.
            public let tokenId: String
            /// The id of the user; nil if no user has this address. The decision shouldn't depend on it, because that
            /// would reveal to clients whether the address is registered.
            public let user: String?
        }

        /// A user authenticated by an external service.
        public struct ExternalIdentity: Sendable {
            /// The unique id of the user: 1 to 1,000 bytes.
            public let id: String
            /// The members of the profile's `data`, by name.
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
            /// The service to which the function belongs; nil for a function of the app itself.
            public let service: String?
            /// The arguments, an array of Extended JSON.
            public let arguments: String
            /// The custom data of the user; nil if the user has no custom data.
            public let customData: String?
        }
    }

    /// An error whose message the client receives.
    public struct HookError: Error, Sendable {
        /// The message for the client.
        public let message: String

        /// Creates an error with a message for the client.
        public init(_ message: String) { self.message = message }
    }

    /// The error thrown by the hook `call` for an unknown function.
    public struct FunctionNotFound: Error, Sendable {
        /// Creates the error.
        public init() {}
    }
#endif
