// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What the world did to the engine: an unreadable, foreign, damaged or busy file, or a failed system call.
///
/// Programmer errors never appear here; they stop the process at the SDK's edge. `RealmSwift` turns these into
/// `Realm.Error` in one file, and the tools print `description`.
@usableFromInline
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// A system call failed.
        case fileAccess
        /// The path is not that of a file: it is a folder's, a fifo's or a device's, or leads through a file, or in
        /// circles.
        case notAFile
        case permissionDenied
        case notFound
        /// There is a file already where a new one was to be made.
        case alreadyExists
        case outOfSpace
        /// The bytes are not a Realm file, or contradict the format.
        case invalidDatabase
        /// The file is encrypted with another key, or not encrypted at all.
        case wrongKey
        /// A format version that this library does not open this way.
        case unsupportedFormat(UInt8)
        /// A file of this older format, which the caller does not allow to upgrade.
        case upgradeRequired(UInt8)
        /// The history type of a synchronised file.
        case incompatibleHistory
        /// Another process or another library has the file open.
        case alreadyOpen
        /// A commit failed half-way; the file takes no further writes until it is opened anew.
        case writeRefused
        /// The write lock could not be acquired within the given time.
        case writeTimeout
        /// A value or a key that the format cannot hold.
        case limitExceeded
        /// An argument names nothing: a stale key, an absent object, a position out of bounds.
        case invalidArgument
        case addressSpaceExhausted
    }

    package var code: Code
    /// What is wrong and what to do about it, as one sentence without the path.
    package var message: String
    /// The file; empty where the engine does not know it yet.
    package var path: String
    /// The data-space offset of the offending bytes, where there is one.
    package var offset: Ref?
    /// Of an invalid argument: whether it names what is not there, and may have been before.
    private var namesNothing = false

    package init(_ code: Code, _ message: String, path: String = "", offset: Ref? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
    }

    /// Bytes that contradict the format, at `offset`.
    ///
    /// Like whatever makes an error for many places, it is called and returns the box that is thrown: an error is
    /// large, and boxing it at each place was a tenth of the engine.
    @usableFromInline @inline(never) package static func corrupt(_ message: String, at offset: Ref) -> any Error {
        StorageError(.invalidDatabase, message, offset: offset)
    }

    /// An argument that names nothing.
    @inline(never) package static func absent(_ message: String) -> any Error {
        var error = StorageError(.invalidArgument, message)
        error.namesNothing = true
        return error
    }

    /// Whether the caller has asked for something that cannot be, while nothing is wrong with the world. Where a caller
    /// knows that what it names is there, as the SDK does, an argument that names nothing is no mistake: the file
    /// contradicts itself.
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
