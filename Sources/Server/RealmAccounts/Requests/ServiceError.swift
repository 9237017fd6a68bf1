// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    /// An error response to a client (§1.2). Its text doesn't contain secrets that the client sent.
    struct ServiceError: Error, Sendable, Equatable {
        let status: Int
        /// `nil` if clients don't have a code for the error.
        let code: String?
        let text: String
        var retryAfter: Int?
        var allowedMethods: [String] = []

        init(_ status: Int, _ code: String?, _ text: String, retryAfter: Int? = nil) {
            (self.status, self.code, self.text, self.retryAfter) = (status, code, text, retryAfter)
        }

        static let invalidSession = ServiceError(401, "InvalidSession", "invalid session")
        static let missingAuthorization = ServiceError(401, "MissingAuthReq", "no token in the header 'Authorization'")
        static let wrongApp = ServiceError(403, "UserAppDomainMismatch", "the token is of another app")
        static let userDisabled = ServiceError(403, "UserDisabled", "the user is disabled")
        static let invalidPassword = ServiceError(401, "InvalidPassword", "invalid username/password")
        static let unconfirmed = ServiceError(401, "AuthError", "confirmation required")
        static let invalidKey = ServiceError(401, "AuthError", "invalid API key")
        static let addressInUse = ServiceError(409, "AccountNameInUse", "name already in use")
        static let identityInUse = ServiceError(409, "AccountNameInUse", "the credentials are those of another user")
        static let invalidMailToken = ServiceError(400, "UserpassTokenInvalid", "invalid token data")
        static let providerNotFound = ServiceError(404, "AuthProviderNotFound", "authentication provider not found")
        static let keyNotFound = ServiceError(404, "APIKeyNotFound", "API key not found")
        static let invalidKeyName = ServiceError.invalid(
            "the name of an API key is 1 to 100 letters, digits, '_' and '-'")
        static let keyExists = ServiceError(409, "APIKeyAlreadyExists", "an API key has this name already")
        static let unknownApp = ServiceError(404, nil, "cannot find an app with this id")
        static let unknownRoute = ServiceError(404, nil, "the resource doesn't exist")
        static let unknownOrigin = ServiceError(403, "DomainNotAllowed", "the origin is not allowed")
        static let internalError = ServiceError(500, "InternalServerError", "internal server error")
        static let busy = ServiceError(503, "InternalServerError", "the server is busy, try again", retryAfter: 1)
        static let bodyTooLarge = ServiceError(413, "BadRequest", "the request is too large")
        static let noJSON = ServiceError(415, "BadRequest", "the content type has to be 'application/json'")

        static func badRequest(_ text: String) -> ServiceError { ServiceError(400, "BadRequest", text) }
        static func missing(_ name: String) -> ServiceError {
            ServiceError(400, "MissingParameter", "'\(name)' is missing or of another type")
        }
        static func invalid(_ text: String) -> ServiceError { ServiceError(400, "InvalidParameter", text) }

        static func tooManyRequests(after seconds: Int) -> ServiceError {
            ServiceError(429, nil, "too many requests, try again later", retryAfter: seconds)
        }

        static func unknownMethod(allowed: [String]) -> ServiceError {
            var error = ServiceError(405, nil, "the resource does not have this method")
            error.allowedMethods = allowed
            return error
        }

        var document: JSON {
            var members: [JSON.Member] = [.init("error", .string(text))]
            if let code { members.append(.init("error_code", .string(code))) }
            return .object(members)
        }

        var response: HTTPResponse {
            var response = HTTPResponse(status, document)
            if let retryAfter { response.headers.append(("Retry-After", String(retryAfter))) }
            if !allowedMethods.isEmpty { response.headers.append(("Allow", allowedMethods.joined(separator: ", "))) }
            return response
        }
    }

    extension HTTPResponse {
        /// Clients recognise errors by exactly this content type.
        init(_ status: Int, _ body: JSON) {
            self.init(
                status: status, headers: [("Content-Type", "application/json")], body: Array(body.description.utf8))
        }

        init(done status: Int) { self.init(status: status) }
    }
#endif
