// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The app's decisions made by code. Each member may be called at any time, from any thread, and concurrently.
    ///
    /// Values are passed as JSON text, in which values of users are MongoDB's Extended JSON. If a hook throws
    /// `HookError`, the client receives its text; for any other error the client receives only a generic message. A
    /// hook that exceeds the `hookTimeLimit` of its app is cancelled, and its result is ignored. A hook must not block
    /// its thread.
    public struct AppHooks: Sendable {
        /// Sends a message to the owner of an e-mail address. If it's nil, nothing can be confirmed or reset by mail.
        public var sendMail: (@Sendable (Mail) async throws -> Void)?
        /// Decides a registration if the settings say `.byFunction`.
        public var confirm: (@Sendable (Confirmation) async throws -> Decision)?
        /// Decides a password reset if the settings say `.byFunction`.
        public var resetPassword: (@Sendable (PasswordReset) async throws -> Decision)?
        /// Returns the user who logs in with the credentials of a custom function. If it's nil, the provider is
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
        /// Called after tokens of a user are revoked before their expiry: those of one session, or all of the user if
        /// the session is nil.
        public var didRevoke: (@Sendable (_ user: String, _ session: String?) -> Void)?

        /// Creates an empty set of hooks.
        public init() {}

        /// The decision of a hook.
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
                /// Sets a new password.
                case reset
                /// Informs the owner of a confirmed address that it was registered again. The client isn't informed.
                case alreadyRegistered
            }

            /// The purpose of the message.
            public let purpose: Purpose
            /// The address as its owner wrote it.
            public let address: String
            /// The secret that the client must send, usually by a link in the message; empty if the message needs no
            /// token.
            public let token: String
            /// The name of the token; empty if the message needs no token.
            public let tokenId: String
        }

        /// A registration to decide about.
        public struct Confirmation: Sendable {
            /// The address as its owner wrote it.
            public let address: String
            /// The secret that the client must send if the decision is `.pending`.
            public let token: String
            /// The name of the token.
            public let tokenId: String
            /// A Boolean value that indicates whether a user has already confirmed the address. The decision should not
            /// depend on it, because it would reveal this to clients; a message to the address may.
            public let isKnown: Bool
        }

        /// A new password to decide about.
        public struct PasswordReset: Sendable {
            /// The address as the client wrote it.
            public let address: String
            /// The new password.
            public let password: String
            /// The additional arguments of the client, an array of Extended JSON.
            public let arguments: String
            /// The secret that the client must send if the decision is `.pending`.
            public let token: String
            /// The name of the token.
            public let tokenId: String
            /// The id of the user; nil if no user has this address. The decision should not depend on it, because it
            /// would reveal this to clients.
            public let user: String?
        }

        /// A user authenticated by an external service.
        public struct ExternalIdentity: Sendable {
            /// The unique id of the user: not empty, and at most 1000 bytes.
            public let id: String
            /// The members of the profile's `data`, by name.
            public let profile: [String: String]

            /// Creates the identity of the user that `id` names.
            public init(id: String, profile: [String: String] = [:]) { (self.id, self.profile) = (id, profile) }
        }

        /// The call of a function.
        public struct FunctionCall: Sendable {
            /// The id of the calling user.
            public let user: String
            /// The name of the function.
            public let name: String
            /// The service of the function; nil for a function of the app itself.
            public let service: String?
            /// The arguments, an array of Extended JSON.
            public let arguments: String
            /// The custom data of the user; nil if the user has no custom data.
            public let customData: String?
        }
    }

    /// An error whose text a client may see.
    public struct HookError: Error, Sendable {
        /// The text.
        public let message: String

        /// Creates an error with a text for the client.
        public init(_ message: String) { self.message = message }
    }

    /// The error thrown by the hook `call` for an unknown function.
    public struct FunctionNotFound: Error, Sendable {
        /// Creates the error.
        public init() {}
    }
#endif
