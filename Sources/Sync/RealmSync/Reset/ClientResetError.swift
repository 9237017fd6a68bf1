// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The error of a failed client reset. The file is unchanged.
package struct ClientResetError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The classes of the file can't be changed to those of the server.
        case schema
        /// A change of the file can't be recovered.
        case recovery
        /// The server doesn't allow recovery of changes.
        case recoveryNotAllowed
        /// The server requires another reset before the previous one was complete.
        case cycle
        /// An unusable file, or a failure to read or write one.
        case file
    }

    package let reason: Reason
    package let message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    package var description: String { message }
}
