// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension AppError {
    /// The kind of an app error.
    public enum Code: Int, Sendable, CaseIterable {
        /// An error without a more specific code.
        case unknown = -1
        /// The request failed, or the response consisted only of a status.
        case httpRequestFailed = 1
        /// The user is logged out, or its session isn't valid.
        case invalidSession
        /// The request is malformed.
        case badRequest
        /// The user doesn't exist.
        case userNotFound
        /// The user belongs to another app.
        case userAppDomainMismatch
        /// The server doesn't accept addresses of this domain.
        case domainNotAllowed
        /// The response would be too large.
        case readSizeLimitExceeded
        /// A parameter has a value that isn't allowed.
        case invalidParameter
        /// A parameter is missing.
        case missingParameter
        /// The function failed.
        case functionExecutionError
        /// The server failed.
        case internalServerError
        /// The app doesn't have this authentication provider.
        case authProviderNotFound
        /// The value doesn't exist.
        case valueNotFound
        /// The value already exists.
        case valueAlreadyExists
        /// A value with this name already exists.
        case valueDuplicateName
        /// The function doesn't exist.
        case functionNotFound
        /// The function already exists.
        case functionAlreadyExists
        /// A function with this name already exists.
        case functionDuplicateName
        /// The function has a syntax error.
        case functionSyntaxError
        /// The function is invalid.
        case functionInvalid
        /// The API key doesn't exist.
        case apiKeyNotFound
        /// The API key already exists.
        case apiKeyAlreadyExists
        /// The function took too long.
        case executionTimeLimitExceeded
        /// The function can't be called.
        case notCallable
        /// The user's address is already confirmed.
        case userAlreadyConfirmed
        /// The user is disabled.
        case userDisabled
        /// The user could not be authenticated.
        case authError
        /// A user with this name already exists.
        case accountNameInUse
        /// The password is wrong, or doesn't meet the requirements.
        case invalidPassword
        /// The server is under maintenance.
        case maintenanceInProgress
        /// The token for confirming a user or resetting a password isn't valid.
        case userpassTokenInvalid

        /// Returns whether an error has this code, so that `catch AppError.invalidPassword` matches.
        public static func ~= (pattern: Code, error: any Error) -> Bool { (error as? AppError)?.code == pattern }

        init(wireName name: String) {
            self = Code.byWireName[name] ?? .unknown
        }

        /// Servers capitalize the names.
        private static let byWireName: [String: Code] = {
            var names: [String: Code] = [
                "APIKeyNotFound": .apiKeyNotFound, "APIKeyAlreadyExists": .apiKeyAlreadyExists,
            ]
            for code in allCases where code.rawValue > Code.httpRequestFailed.rawValue {
                let name = "\(code)"
                names[name.prefix(1).uppercased() + name.dropFirst()] = code
            }
            return names
        }()
    }
}

/// Codes as static members, for `catch AppError.invalidPassword`.
extension AppError {
    /// An error without a more specific code.
    public static let unknown = Code.unknown
    /// The request failed, or the response had only a status.
    public static let httpRequestFailed = Code.httpRequestFailed
    /// The user is logged out, or its session isn't valid.
    public static let invalidSession = Code.invalidSession
    /// The request is malformed.
    public static let badRequest = Code.badRequest
    /// The user doesn't exist.
    public static let userNotFound = Code.userNotFound
    /// The user belongs to another app.
    public static let userAppDomainMismatch = Code.userAppDomainMismatch
    /// The server doesn't accept addresses of this domain.
    public static let domainNotAllowed = Code.domainNotAllowed
    /// The response would be too large.
    public static let readSizeLimitExceeded = Code.readSizeLimitExceeded
    /// A parameter has a value that isn't allowed.
    public static let invalidParameter = Code.invalidParameter
    /// A parameter is missing.
    public static let missingParameter = Code.missingParameter
    /// The function failed.
    public static let functionExecutionError = Code.functionExecutionError
    /// The server failed.
    public static let internalServerError = Code.internalServerError
    /// The app doesn't have this authentication provider.
    public static let authProviderNotFound = Code.authProviderNotFound
    /// The value doesn't exist.
    public static let valueNotFound = Code.valueNotFound
    /// The value already exists.
    public static let valueAlreadyExists = Code.valueAlreadyExists
    /// A value with this name already exists.
    public static let valueDuplicateName = Code.valueDuplicateName
    /// The function doesn't exist.
    public static let functionNotFound = Code.functionNotFound
    /// The function already exists.
    public static let functionAlreadyExists = Code.functionAlreadyExists
    /// A function with this name already exists.
    public static let functionDuplicateName = Code.functionDuplicateName
    /// The function has a syntax error.
    public static let functionSyntaxError = Code.functionSyntaxError
    /// The function is invalid.
    public static let functionInvalid = Code.functionInvalid
    /// The API key doesn't exist.
    public static let apiKeyNotFound = Code.apiKeyNotFound
    /// The API key already exists.
    public static let apiKeyAlreadyExists = Code.apiKeyAlreadyExists
    /// The function took too long.
    public static let executionTimeLimitExceeded = Code.executionTimeLimitExceeded
    /// The function can't be called.
    public static let notCallable = Code.notCallable
    /// The user's address is already confirmed.
    public static let userAlreadyConfirmed = Code.userAlreadyConfirmed
    /// The user is disabled.
    public static let userDisabled = Code.userDisabled
    /// The user could not be authenticated.
    public static let authError = Code.authError
    /// A user with this name already exists.
    public static let accountNameInUse = Code.accountNameInUse
    /// The password is wrong, or doesn't meet the requirements.
    public static let invalidPassword = Code.invalidPassword
    /// The server is under maintenance.
    public static let maintenanceInProgress = Code.maintenanceInProgress
    /// The token for confirming a user or resetting a password isn't valid.
    public static let userpassTokenInvalid = Code.userpassTokenInvalid
}
