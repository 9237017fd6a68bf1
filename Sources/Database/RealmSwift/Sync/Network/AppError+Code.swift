// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension AppError {
    /// What went wrong.
    public enum Code: Int, Sendable, CaseIterable {
        /// Anything without a better code.
        case unknown = -1
        /// The request failed, or was answered with a status alone.
        case httpRequestFailed = 1
        /// The user is not logged in any more, or its session is not valid.
        case invalidSession
        /// The request is malformed.
        case badRequest
        /// There is no such user.
        case userNotFound
        /// The user is not one of this app.
        case userAppDomainMismatch
        /// Addresses of this domain are not admitted.
        case domainNotAllowed
        /// The answer would be too large.
        case readSizeLimitExceeded
        /// A parameter has a value that is not admitted.
        case invalidParameter
        /// A parameter is missing.
        case missingParameter
        /// The function failed.
        case functionExecutionError
        /// The server failed.
        case internalServerError
        /// The app has no such way to log in.
        case authProviderNotFound
        /// There is no such value.
        case valueNotFound
        /// There is such a value already.
        case valueAlreadyExists
        /// There is a value of this name already.
        case valueDuplicateName
        /// There is no such function.
        case functionNotFound
        /// There is such a function already.
        case functionAlreadyExists
        /// There is a function of this name already.
        case functionDuplicateName
        /// The function is not written correctly.
        case functionSyntaxError
        /// The function cannot be used.
        case functionInvalid
        /// There is no such key.
        case apiKeyNotFound
        /// There is such a key already.
        case apiKeyAlreadyExists
        /// The function took too long.
        case executionTimeLimitExceeded
        /// The function may not be called.
        case notCallable
        /// The address of the user is confirmed already.
        case userAlreadyConfirmed
        /// The user is disabled.
        case userDisabled
        /// The user could not be authenticated.
        case authError
        /// There is a user of this name already.
        case accountNameInUse
        /// The password is wrong, or is not admitted.
        case invalidPassword
        /// The server is under maintenance.
        case maintenanceInProgress
        /// The token of a confirmation or of a reset is not valid.
        case userpassTokenInvalid

        /// Lets `catch AppError.invalidPassword` match by code.
        public static func ~= (pattern: Code, error: any Error) -> Bool { (error as? AppError)?.code == pattern }

        /// The code of a name that servers send, `.unknown` for names without one.
        init(wireName name: String) {
            self = Code.byWireName[name] ?? .unknown
        }

        /// Servers write the names with a capital.
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

/// The codes as `catch AppError.invalidPassword` names them.
extension AppError {
    /// Anything without a better code.
    public static let unknown = Code.unknown
    /// The request failed, or was answered with a status alone.
    public static let httpRequestFailed = Code.httpRequestFailed
    /// The user is not logged in any more, or its session is not valid.
    public static let invalidSession = Code.invalidSession
    /// The request is malformed.
    public static let badRequest = Code.badRequest
    /// There is no such user.
    public static let userNotFound = Code.userNotFound
    /// The user is not one of this app.
    public static let userAppDomainMismatch = Code.userAppDomainMismatch
    /// Addresses of this domain are not admitted.
    public static let domainNotAllowed = Code.domainNotAllowed
    /// The answer would be too large.
    public static let readSizeLimitExceeded = Code.readSizeLimitExceeded
    /// A parameter has a value that is not admitted.
    public static let invalidParameter = Code.invalidParameter
    /// A parameter is missing.
    public static let missingParameter = Code.missingParameter
    /// The function failed.
    public static let functionExecutionError = Code.functionExecutionError
    /// The server failed.
    public static let internalServerError = Code.internalServerError
    /// The app has no such way to log in.
    public static let authProviderNotFound = Code.authProviderNotFound
    /// There is no such value.
    public static let valueNotFound = Code.valueNotFound
    /// There is such a value already.
    public static let valueAlreadyExists = Code.valueAlreadyExists
    /// There is a value of this name already.
    public static let valueDuplicateName = Code.valueDuplicateName
    /// There is no such function.
    public static let functionNotFound = Code.functionNotFound
    /// There is such a function already.
    public static let functionAlreadyExists = Code.functionAlreadyExists
    /// There is a function of this name already.
    public static let functionDuplicateName = Code.functionDuplicateName
    /// The function is not written correctly.
    public static let functionSyntaxError = Code.functionSyntaxError
    /// The function cannot be used.
    public static let functionInvalid = Code.functionInvalid
    /// There is no such key.
    public static let apiKeyNotFound = Code.apiKeyNotFound
    /// There is such a key already.
    public static let apiKeyAlreadyExists = Code.apiKeyAlreadyExists
    /// The function took too long.
    public static let executionTimeLimitExceeded = Code.executionTimeLimitExceeded
    /// The function may not be called.
    public static let notCallable = Code.notCallable
    /// The address of the user is confirmed already.
    public static let userAlreadyConfirmed = Code.userAlreadyConfirmed
    /// The user is disabled.
    public static let userDisabled = Code.userDisabled
    /// The user could not be authenticated.
    public static let authError = Code.authError
    /// There is a user of this name already.
    public static let accountNameInUse = Code.accountNameInUse
    /// The password is wrong, or is not admitted.
    public static let invalidPassword = Code.invalidPassword
    /// The server is under maintenance.
    public static let maintenanceInProgress = Code.maintenanceInProgress
    /// The token of a confirmation or of a reset is not valid.
    public static let userpassTokenInvalid = Code.userpassTokenInvalid
}
