// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSystem

    /// A service of the server that responds to function calls with its name (§1.10): the documents of an app.
    package protocol DocumentService: Sendable {
        var name: String { get }

        /// Returns the result as Extended JSON.
        ///
        /// - Throws: `ServiceRefusal`, whose message is sent to the client.
        func call(_ call: ServiceCall) async throws -> String

        /// Returns the results of a streaming call, each as Extended JSON.
        ///
        /// - Throws: `ServiceRefusal`. It can also end the stream, as can `StreamExpiry`.
        func stream(_ call: ServiceCall) async throws -> AsyncThrowingStream<String, any Error>
    }

    package struct ServiceCall: Sendable {
        /// The user and the app.
        package var grant: AccessGrant
        package var name: String
        package var arguments: JSON

        package init(_ grant: AccessGrant, name: String, arguments: JSON) {
            (self.grant, self.name, self.arguments) = (grant, name, arguments)
        }
    }

    package struct ServiceRefusal: Error, Sendable, Equatable {
        package enum Reason: String, Sendable {
            case missing = "MissingParameter"
            case invalid = "InvalidParameter"
            case unknownCommand = "ServiceCommandNotFound"
            case notPermitted = "NoMatchingRuleFound"
            /// A document with the `_id` exists.
            case conflict = "MongoDBError"
            case tooLarge = "ReadSizeLimitExceeded"
            case unavailable = "InternalServerError"
        }

        package let reason: Reason
        package let message: String

        package init(_ reason: Reason, _ message: String) { (self.reason, self.message) = (reason, message) }
    }

    /// The end of a stream whose access token has expired. A new token continues it.
    package struct StreamExpiry: Error, Equatable {
        /// The value of `resumeAfter._data` for the next stream, or `nil` if this one hasn't begun.
        package let position: String?

        package init(position: String?) { self.position = position }

        var document: JSON {
            let position = position.map { JSON.Member("resumeAfter", .object([.init("_data", .string($0))])) }
            return .object((ServiceError.expiredSession.document.members ?? []) + [position].compactMap(\.self))
        }
    }

    extension ServiceError {
        static let expiredSession = ServiceError(401, "InvalidSession", "the access token has expired")

        init(_ refusal: ServiceRefusal) {
            let status =
                switch refusal.reason {
                case .missing, .invalid, .tooLarge: 400
                case .notPermitted: 403
                case .unknownCommand: 404
                case .conflict: 409
                case .unavailable: 503
                }
            self.init(status, refusal.reason.rawValue, refusal.message)
        }
    }

    /// Guarded by its lock.
    final class DocumentServiceSlot: @unchecked Sendable {
        private let lock = Lock()
        private var stored: (any DocumentService)?

        func set(_ service: (any DocumentService)?) { lock.locked { stored = service } }

        /// Returns the service if it has this name.
        func service(named name: String?) -> (any DocumentService)? {
            guard let name else { return nil }
            return lock.locked { stored.flatMap { $0.name == name ? $0 : nil } }
        }
    }
#endif
