// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The key in the `userInfo` of a `Realm.Error` for the name of its code.
public let RLMErrorCodeNameKey = "Error Name"

/// The key in the `userInfo` of a `Realm.Error` for the configuration of a backup. This library never sets it.
public let RLMBackupRealmConfigurationErrorKey = "RLMBackupRealmConfiguration"

/// The name of ``Realm/Error`` in the Objective-C half of Realm's SDK.
public typealias RLMError = Realm.Error

extension Realm {
    /// An error caused by the environment, such as a missing, foreign, damaged or busy file, a full disk, or a schema
    /// that doesn't match the models.
    ///
    /// ```swift
    /// do { try Realm(configuration: configuration) } catch Realm.Error.fileNotFound { … }
    /// ```
    ///
    /// Programmer errors aren't thrown; they trap.
    public struct Error: Swift.Error, Hashable, Sendable, CustomNSError, LocalizedError, CustomStringConvertible {
        /// The kind of error. Raw values are those of Realm's SDK, except for additions.
        public enum Code: Int, Sendable, CaseIterable {
            /// An error without a more specific code.
            case fail = 1
            /// A failure to read or write the file.
            case fileAccess = 2
            /// The process isn't permitted to use the file as the configuration requires.
            case filePermissionDenied = 3
            /// A file already exists at the destination.
            case fileExists = 4
            /// The file, or its directory, doesn't exist.
            case fileNotFound = 5
            /// The file is of an older format, and the configuration forbids upgrading it.
            case fileFormatUpgradeRequired = 6
            /// An attempt to open a file that another library has open.
            case incompatibleLockFile = 8
            /// The file can't be mapped into memory.
            case addressSpaceExhausted = 9
            /// The file's schema doesn't match the models.
            case schemaMismatch = 10
            /// The Realm is already open.
            case alreadyOpen = 12
            /// An argument is invalid.
            case invalidInput = 13
            /// The disk, or the quota, is full.
            case outOfDiskSpace = 14
            /// An attempt to open a Realm that another process has open with incompatible settings.
            case incompatibleSession = 15
            /// The format of the file isn't supported.
            case unsupportedFileFormatVersion = 16
            /// An attempt to synchronise the Realm from more than one process.
            case multipleSyncAgents = 17
            /// A subscription was rejected.
            case subscriptionFailed = 18
            /// The operation isn't possible for this path, for example because it is a directory.
            case fileOperationFailed = 19
            /// The file isn't a Realm file, is damaged, or has another encryption key.
            case invalidDatabase = 20
            /// A synchronised file was opened as a local one, or a local file as a synchronised one.
            case incompatibleHistories = 21
            /// A written object isn't covered by any subscription.
            case noSubscriptionForWrite = 22
            /// A write waited for the write lock for longer than `Realm.Configuration.Storage.writeTimeout` allows. An
            /// addition to Realm's API.
            case writeTimeout = 1001
            /// The file no longer has the version of a `Realm.ChangeFeed.ResumeToken`. An addition to Realm's API.
            case versionNotFound = 1002

            /// Returns whether an error has this code, so that `catch Realm.Error.fileNotFound` matches.
            public static func ~= (pattern: Code, error: any Swift.Error) -> Bool {
                (error as? Realm.Error)?.code == pattern
            }
        }

        /// The kind of error.
        public let code: Code
        /// The Foundation error, which stores the values of `userInfo` of any type.
        private let foundation: NSError

        /// Creates an error. `userInfo` uses Foundation's keys.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            self.code = code
            foundation = NSError(domain: Error.errorDomain, code: code.rawValue, userInfo: userInfo)
        }

        package init(_ code: Code, _ message: String, fileURL: URL? = nil) {
            var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, RLMErrorCodeNameKey: code.name]
            userInfo[NSFilePathErrorKey] = fileURL?.path
            self.init(code, userInfo: userInfo)
        }

        /// Details of the error: its description, the path of the file under `NSFilePathErrorKey`, and the name of the
        /// code under `RLMErrorCodeNameKey`.
        public var userInfo: [String: Any] { foundation.userInfo }
        /// The URL of the file to which the error refers.
        public var fileURL: URL? { (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) } }
        /// A description of the problem, its location, and a remedy.
        public var message: String { userInfo[NSLocalizedDescriptionKey] as? String ?? code.name }

        /// The domain of Realm's errors.
        public static var errorDomain: String { "io.realm" }
        public var errorCode: Int { code.rawValue }
        public var errorUserInfo: [String: Any] { userInfo }
        public var errorDescription: String? { message }
        public var description: String { message }

        /// Returns whether both have the same code.
        public static func == (a: Error, b: Error) -> Bool { a.code == b.code }

        public func hash(into hasher: inout Hasher) { hasher.combine(code) }

        /// An error without a known cause.
        public static let callFailed = Realm.Error(
            Realm.Error.fail, userInfo: [NSLocalizedDescriptionKey: "Call failed"])
    }
}

/// Codes as static members, for `catch Realm.Error.fileNotFound`.
extension Realm.Error {
    /// An error without a more specific code.
    public static let fail = Code.fail
    /// A failure to read or write the file.
    public static let fileAccess = Code.fileAccess
    /// The process isn't permitted to use the file as the configuration requires.
    public static let filePermissionDenied = Code.filePermissionDenied
    /// A file already exists at the destination.
    public static let fileExists = Code.fileExists
    /// The file, or its directory, doesn't exist.
    public static let fileNotFound = Code.fileNotFound
    /// The file is of an older format, and the configuration forbids upgrading it.
    public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
    /// An attempt to open a file that another library has open.
    public static let incompatibleLockFile = Code.incompatibleLockFile
    /// The file can't be mapped into memory.
    public static let addressSpaceExhausted = Code.addressSpaceExhausted
    /// The file's schema doesn't match the models.
    public static let schemaMismatch = Code.schemaMismatch
    /// The Realm is already open.
    public static let alreadyOpen = Code.alreadyOpen
    /// An argument is invalid.
    public static let invalidInput = Code.invalidInput
    /// The disk, or the quota, is full.
    public static let outOfDiskSpace = Code.outOfDiskSpace
    /// An attempt to open a Realm that another process has open with incompatible settings.
    public static let incompatibleSession = Code.incompatibleSession
    /// The format of the file isn't supported.
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    /// An attempt to synchronise the Realm from more than one process.
    public static let multipleSyncAgents = Code.multipleSyncAgents
    /// A subscription was rejected.
    public static let subscriptionFailed = Code.subscriptionFailed
    /// The operation isn't possible for this path, for example because it is a directory.
    public static let fileOperationFailed = Code.fileOperationFailed
    /// The file isn't a Realm file, is damaged, or has another encryption key.
    public static let invalidDatabase = Code.invalidDatabase
    /// A synchronised file was opened as a local one, or a local file as a synchronised one.
    public static let incompatibleHistories = Code.incompatibleHistories
    /// A written object isn't covered by any subscription.
    public static let noSubscriptionForWrite = Code.noSubscriptionForWrite
    /// A write waited for the write lock for longer than `Configuration.Storage.writeTimeout` allows. An addition to
    /// Realm's API.
    public static let writeTimeout = Code.writeTimeout
    /// The file no longer has the version of a `Realm.ChangeFeed.ResumeToken`. An addition to Realm's API.
    public static let versionNotFound = Code.versionNotFound
}

extension Realm.Error.Code {
    /// `FileNotFound` for `.fileNotFound`.
    var name: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}

/// Returns whether both errors have the same domain and the same code.
public func == (lhs: any Error, rhs: any Error) -> Bool {
    lhs._domain == rhs._domain && lhs._code == rhs._code
}
