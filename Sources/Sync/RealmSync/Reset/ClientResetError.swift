// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The error of a failed client reset. The file is unchanged.
package struct ClientResetError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case schema
        case recovery
        case recoveryNotAllowed
        /// The server requires another reset before the previous one was complete.
        case cycle
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
