// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// What an app decides by code: each member is called at any time and from any thread, several at once.
    ///
    /// Values travel as JSON text, in which values of users are MongoDB's Extended JSON. A hook that throws `HookError`
    /// tells the client its text; of any other error the client learns only that there was one. One that takes longer
    /// than `hookTimeLimit` of its app is cancelled and not waited for any more. It must not block its thread.
    public struct AppHooks: Sendable {
        /// Sends a message to the owner of an e-mail address. Without it nothing can be confirmed or reset by mail.
        public var sendMail: (@Sendable (Mail) async throws -> Void)?
        /// Decides about a registration where the settings say `.byFunction`.
        public var confirm: (@Sendable (Confirmation) async throws -> Decision)?
        /// Decides about a new password where the settings say `.byFunction`.
        public var resetPassword: (@Sendable (PasswordReset) async throws -> Decision)?
        /// Says who logs in with the credentials of a custom function. Without it there is no such provider.
        public var authenticate: (@Sendable (_ credentials: String) async throws -> ExternalIdentity)?
        /// Says whose an access token of Facebook is: its id there. Only Facebook can tell, and whether the token was
        /// issued for this app. A token that is not good is refused by `HookError`. Without it there is no log-in with
        /// Facebook.
        public var authenticateFacebook: (@Sendable (_ accessToken: String) async throws -> ExternalIdentity)?
        /// Answers the call of a function with Extended JSON. Without it there is no function.
        public var call: (@Sendable (FunctionCall) async throws -> String)?
        /// Answers the call of a function that is a stream, with one Extended JSON after another. Without it there are
        /// no streams. An error that it ends with is told as that of `call` is.
        public var stream: (@Sendable (FunctionCall) async throws -> AsyncThrowingStream<String, any Error>)?
        /// Fetches the keys of a token's issuer, where the settings name a URL.
        public var fetchKeys: (@Sendable (_ url: String) async throws -> FetchedKeys)?
        /// Told that tokens of a user ceased to be valid before their time: of one session, or of all where that is
        /// nil.
        public var didRevoke: (@Sendable (_ user: String, _ session: String?) -> Void)?

        /// No hooks.
        public init() {}

        /// What a hook decides.
        public enum Decision: Sendable {
            /// It is done at once.
            case success
            /// It waits until the client shows the token.
            case pending
            /// It is refused.
            case failure
        }

        /// A message to send.
        public struct Mail: Sendable {
            /// Why it is sent.
            public enum Purpose: String, Sendable {
                /// To confirm a registration.
                case confirmation
                /// To set a new password.
                case reset
                /// An address is registered that is confirmed already: its owner is to know, the client is not.
                case alreadyRegistered
            }

            /// Why it is sent.
            public let purpose: Purpose
            /// The address as its owner wrote it.
            public let address: String
            /// The secret that the client has to show, by a link in the message as a rule; empty if there is none.
            public let token: String
            /// The name of the token; empty if there is none.
            public let tokenId: String
        }

        /// A registration to decide about.
        public struct Confirmation: Sendable {
            /// The address as its owner wrote it.
            public let address: String
            /// What the client has to show if the decision is `.pending`.
            public let token: String
            /// The name of the token.
            public let tokenId: String
            /// Whether a user has confirmed the address already. The decision should not depend on it, since clients
            /// would learn of it; a message to the address may.
            public let isKnown: Bool
        }

        /// A new password to decide about.
        public struct PasswordReset: Sendable {
            /// The address as the client wrote it.
            public let address: String
            /// The new password.
            public let password: String
            /// What the client says besides, an array of Extended JSON.
            public let arguments: String
            /// What the client has to show if the decision is `.pending`.
            public let token: String
            /// The name of the token.
            public let tokenId: String
            /// nil if no user has this address. The decision should not depend on it, since clients would learn of it.
            public let user: String?
        }

        /// A user that something else vouches for.
        public struct ExternalIdentity: Sendable {
            /// What tells the user from others: not empty, and 1000 bytes at most.
            public let id: String
            /// Members of the profile's `data`, by name.
            public let profile: [String: String]

            /// Makes the identity of the user that `id` names.
            public init(id: String, profile: [String: String] = [:]) { (self.id, self.profile) = (id, profile) }
        }

        /// The call of a function.
        public struct FunctionCall: Sendable {
            /// The id of the user that calls.
            public let user: String
            /// The name of the function.
            public let name: String
            /// The service that the function is of; nil for one of the app's own.
            public let service: String?
            /// An array of Extended JSON.
            public let arguments: String
            /// The custom data of the user; nil if there is none.
            public let customData: String?
        }
    }

    /// An error whose text a client may see.
    public struct HookError: Error, Sendable {
        /// The text.
        public let message: String

        /// Makes an error with a text for the client.
        public init(_ message: String) { self.message = message }
    }

    /// Thrown by the hook `call` for a name that it does not know.
    public struct FunctionNotFound: Error, Sendable {
        /// Makes the error.
        public init() {}
    }
#endif
