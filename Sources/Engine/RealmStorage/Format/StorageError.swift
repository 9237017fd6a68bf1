// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An error of the engine's environment: an unreadable, foreign, damaged or busy file, or a failed system call.
///
/// Programmer errors aren't included; the SDK stops the process for them. `RealmSwift` converts storage errors to
/// `Realm.Error` in one file, and the tools print `description`.
@usableFromInline
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case fileAccess
        /// The path isn't that of a regular file. It's a folder, a FIFO or a device, or the path leads through a file
        /// or in a cycle.
        case notAFile
        case permissionDenied
        case notFound
        case alreadyExists
        case outOfSpace
        /// The bytes aren't a Realm file, or contradict the format.
        case invalidDatabase
        /// The file is encrypted with another key, or isn't encrypted.
        case wrongKey
        /// This library can't open the format version in this way.
        case unsupportedFormat(UInt8)
        /// The file has this older format, and the caller doesn't allow an upgrade.
        case upgradeRequired(UInt8)
        /// The history type of a synchronised file.
        case incompatibleHistory
        /// Another process or another library has the file open.
        case alreadyOpen
        /// A commit failed before its end. The file accepts no further writes until it's reopened.
        case writeRefused
        /// The write lock couldn't be acquired within the given time.
        case writeTimeout
        case limitExceeded
        /// An argument is invalid, or refers to something that doesn't exist: a stale key, an absent object, a position
        /// out of bounds.
        case invalidArgument
        case addressSpaceExhausted
    }

    package var code: Code
    /// The problem and its remedy, as one sentence without the path.
    package var message: String
    package var path: String
    /// The data-space offset of the invalid bytes, if known.
    package var offset: Ref?
    /// Whether an invalid argument refers to something that doesn't exist, but may have existed before.
    private var namesNothing = false

    package init(_ code: Code, _ message: String, path: String = "", offset: Ref? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
    }

    /// Creates an error for bytes at `offset` that contradict the format.
    ///
    /// Like all functions that create an error for many callers, it isn't inlined and returns the box to throw. An
    /// error is large, and boxing it in each caller was a tenth of the engine's code.
    @usableFromInline @inline(never) package static func corrupt(_ message: String, at offset: Ref) -> any Error {
        StorageError(.invalidDatabase, message, offset: offset)
    }

    @inline(never) package static func absent(_ message: String) -> any Error {
        var error = StorageError(.invalidArgument, message)
        error.namesNothing = true
        return error
    }

    /// Whether the caller made an invalid request, and the environment is valid. If a caller has verified that the
    /// object of its argument exists, as the SDK does, an absent object isn't a mistake: the file is inconsistent.
    package var isMistake: Bool { code == .invalidArgument && !namesNothing || code == .limitExceeded }

    package func at(path: String) -> StorageError { self.path.isEmpty ? replacing(path: path) : self }

    package func replacing(path: String) -> StorageError {
        var copy = self
        copy.path = path
        return copy
    }

    @usableFromInline package var description: String {
        (path.isEmpty ? "" : path + ": ") + message + (offset.map { " (at offset \($0))" } ?? "")
    }
}
