// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

extension Realm.Error {
    /// Converts any error of the lower layers to an error of the API.
    ///
    /// With `path`, the error occurred while that file was opened. The result then names that file, even if an
    /// auxiliary file caused the error.
    init(_ error: any Swift.Error, opening path: String? = nil) {
        switch error {
        case let error as Realm.Error: self = error
        case let error as StorageError: self.init(error, opening: path)
        case let error as SystemError: self.init(StorageError(error), opening: path)
        default: self.init(.fail, "\(error)", fileURL: path.map { URL(fileURLWithPath: $0) })
        }
    }

    private init(_ error: StorageError, opening opened: String?) {
        let isBeside = opened.map { error.path.hasPrefix($0 + ".") } ?? false
        let path = isBeside || error.path.isEmpty ? opened ?? error.path : error.path
        let place = path.isEmpty ? "" : " at path '\(path)'"
        let offset = error.offset.map { " (at offset \($0))" } ?? ""
        let cause = error.message + offset + (isBeside ? ", for '\(error.path)'" : "")
        self.init(
            Realm.Error.code(of: error.code), Realm.Error.text(error.code, place, cause, isOpening: opened != nil),
            fileURL: path.isEmpty ? nil : URL(fileURLWithPath: path))
    }

    private static func text(
        _ code: StorageError.Code, _ place: String, _ cause: String, isOpening: Bool
    ) -> String {
        switch code {
        case .permissionDenied:
            """
            Failed to open Realm file\(place): Permission denied. Please use a path where your app has read-write \
            permissions.
            """
        case .notAFile:
            """
            Failed to \(isOpening ? "open" : "use") Realm file\(place): \(cause). Please use a path that names a file \
            in a folder.
            """
        case .wrongKey: "Failed to open Realm file\(place): Realm file decryption failed (\(cause))"
        case .upgradeRequired: cause
        case .writeTimeout: "Failed to begin a write of the Realm file\(place): \(cause)"
        case .unsupportedFormat(let version):
            "Database has an unsupported version (\(version)) and cannot be upgraded: \(cause)"
        default: "Failed to \(isOpening ? "open" : "use") Realm file\(place): \(cause)"
        }
    }

    private static func code(of code: StorageError.Code) -> Code {
        switch code {
        case .fileAccess: .fileAccess
        case .notAFile: .fileOperationFailed
        case .permissionDenied: .filePermissionDenied
        case .notFound: .fileNotFound
        case .alreadyExists: .fileExists
        case .outOfSpace: .outOfDiskSpace
        case .invalidDatabase, .wrongKey: .invalidDatabase
        case .unsupportedFormat: .unsupportedFileFormatVersion
        case .upgradeRequired: .fileFormatUpgradeRequired
        case .incompatibleHistory: .incompatibleHistories
        case .alreadyOpen: .incompatibleLockFile
        case .writeRefused, .limitExceeded: .fail
        case .writeTimeout: .writeTimeout
        case .invalidArgument: .invalidInput
        case .addressSpaceExhausted: .addressSpaceExhausted
        }
    }
}
