// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Why a file could not be reset. It is as it was before.
package struct ClientResetError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The classes of the file cannot become those of the server.
        case schema
        /// A change of the file cannot be made again.
        case recovery
        /// The server does not allow to make changes again.
        case recoveryNotAllowed
        /// The server wants another reset before the one before was complete.
        case cycle
        /// One of the files could not be read or written, or is none that can be used.
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
