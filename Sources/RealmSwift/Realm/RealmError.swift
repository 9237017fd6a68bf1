// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

extension Realm {
    /// What the world did to a Realm: a missing, foreign, damaged or busy file, a full disk, a schema that does not
    /// suit the models.
    ///
    /// Usable as `catch Realm.Error.fileNotFound`. Programmer errors are not thrown; they end the process.
    public struct Error: Swift.Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
        /// What went wrong. The raw values are the original's.
        public enum Code: Int, Sendable {
            case fail = 1
            case fileAccess = 2
            case filePermissionDenied = 3
            case fileExists = 4
            case fileNotFound = 5
            case fileFormatUpgradeRequired = 6
            case incompatibleLockFile = 8
            case addressSpaceExhausted = 9
            case schemaMismatch = 10
            case alreadyOpen = 12
            case invalidInput = 13
            case outOfDiskSpace = 14
            case incompatibleSession = 15
            case unsupportedFileFormatVersion = 16
            case fileOperationFailed = 19
            case invalidDatabase = 20
            case incompatibleHistories = 21

            /// Lets `catch Realm.Error.fileNotFound` match by code.
            public static func ~= (pattern: Code, error: any Swift.Error) -> Bool {
                (error as? Realm.Error)?.code == pattern
            }
        }

        public let code: Code
        /// What is wrong, where, and what to do about it.
        public let message: String
        /// The file that the error is about.
        public let fileURL: URL?

        /// The domain under which the original reported its errors.
        public static var errorDomain: String { "io.realm" }
        public var errorCode: Int { code.rawValue }
        public var errorDescription: String? { message }
        public var description: String { message }

        public init(_ code: Code, _ message: String = "", fileURL: URL? = nil) {
            self.code = code
            self.message = message
            self.fileURL = fileURL
        }

        /// Whether both have the same code.
        public static func == (a: Error, b: Error) -> Bool { a.code == b.code }

        public static let fail = Code.fail
        public static let fileAccess = Code.fileAccess
        public static let filePermissionDenied = Code.filePermissionDenied
        public static let fileExists = Code.fileExists
        public static let fileNotFound = Code.fileNotFound
        public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
        public static let incompatibleLockFile = Code.incompatibleLockFile
        public static let addressSpaceExhausted = Code.addressSpaceExhausted
        public static let schemaMismatch = Code.schemaMismatch
        public static let alreadyOpen = Code.alreadyOpen
        public static let invalidInput = Code.invalidInput
        public static let outOfDiskSpace = Code.outOfDiskSpace
        public static let incompatibleSession = Code.incompatibleSession
        public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
        public static let fileOperationFailed = Code.fileOperationFailed
        public static let invalidDatabase = Code.invalidDatabase
        public static let incompatibleHistories = Code.incompatibleHistories
    }
}

extension Realm.Error {
    /// Any error of the layers below; the only place where they become errors of the API.
    init(_ error: any Swift.Error) {
        switch error {
        case let error as Realm.Error: self = error
        case let error as StorageError: self.init(error)
        case let error as SystemError: self.init(StorageError(error))
        default: self.init(.fail, "\(error)")
        }
    }

    private init(_ error: StorageError) {
        let url = error.path.isEmpty ? nil : URL(fileURLWithPath: error.path)
        let place = error.path.isEmpty ? "" : " at path '\(error.path)'"
        switch error.code {
        case .permissionDenied:
            self.init(
                .filePermissionDenied,
                """
                Failed to open Realm file\(place): Permission denied. Please use a path where your app has read-write \
                permissions.
                """, fileURL: url)
        case .upgradeRequired: self.init(.fileFormatUpgradeRequired, error.message, fileURL: url)
        case .unsupportedFormat(let version):
            self.init(
                .unsupportedFileFormatVersion,
                "Database has an unsupported version (\(version)) and cannot be upgraded: \(error.message)",
                fileURL: url)
        default:
            self.init(
                Realm.Error.code(of: error.code), "Failed to open Realm file\(place): \(error.message)", fileURL: url)
        }
    }

    private static func code(of code: StorageError.Code) -> Code {
        switch code {
        case .fileAccess: .fileAccess
        case .permissionDenied: .filePermissionDenied
        case .notFound: .fileNotFound
        case .alreadyExists: .fileExists
        case .outOfSpace: .outOfDiskSpace
        case .invalidDatabase: .invalidDatabase
        case .unsupportedFormat: .unsupportedFileFormatVersion
        case .upgradeRequired: .fileFormatUpgradeRequired
        case .incompatibleHistory: .incompatibleHistories
        case .alreadyOpen: .incompatibleLockFile
        case .writeRefused, .limitExceeded: .fail
        case .invalidArgument: .invalidInput
        case .addressSpaceExhausted: .addressSpaceExhausted
        }
    }
}
