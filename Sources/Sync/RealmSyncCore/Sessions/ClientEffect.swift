// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An action that a `ClientConnection` requests. Execute the actions in order.
package enum ClientEffect: Hashable, Sendable {
    /// Open the transport, then call `didConnect` or `didDisconnect`.
    case connect
    /// Drop the transport. No call follows.
    case disconnect
    /// Send a message, then call `didSend` as soon as the transport can accept the next one.
    case send([UInt8])
    /// Call `fire` after this time. Replaces the timer's earlier setting.
    case setTimer(ClientTimer, milliseconds: UInt64)
    case cancelTimer(ClientTimer)
    /// Get a new access token or location, then call `didRefresh`.
    case refresh(location: Bool)
    /// All data that the server had when the mark was requested is integrated.
    case marked(session: UInt64, request: UInt64)
    /// A download was integrated. The progress of the file has changed, and maybe its content.
    case integrated(session: UInt64, entries: Int)
    /// The state of a set of subscriptions changed.
    case subscriptionsChanged(session: UInt64)
    /// A session has ended, is waiting, or received a warning. The receiver executes the error's `action`.
    case failed(session: UInt64?, ClientFailure)
    /// The server has also closed the session, so another session may use its file.
    case closed(session: UInt64)
    case log(session: UInt64?, JSON)
}

package enum ClientTimer: Hashable, Sendable {
    /// Limits the time for opening the transport.
    case connect
    case reconnect
    /// Resets the back-off of a connection that has lasted long enough.
    case settled
    case ping
    case pong
    /// Closes a connection without sessions.
    case linger
    case resume(session: UInt64)
}

package struct ClientFailure: Hashable, Sendable {
    /// A number of §2.9, or one that only the server defines.
    package var code: Int
    package var error: ServerError

    package init(code: Int, _ error: ServerError) {
        self.code = code
        self.error = error
    }

    package var action: ServerError.Action { error.action }
}

/// The reason for the loss of a transport. It determines the reaction (§2.3).
package enum ClientDisconnection: Hashable, Sendable {
    case retry
    case refreshUser
    case refreshLocation
    case logOut
    /// The server reports that a message was too large; the client has to reset itself.
    case clientReset
    case fatal(String)

    package init(status: Int) {
        switch status {
        case 301, 308: self = .refreshLocation
        case 401: self = .refreshUser
        case 403: self = .logOut
        case 300..<400, 500..<600: self = .retry
        default: self = .fatal("the server answered the upgrade with status \(status)")
        }
    }

    package init(closeCode: Int) {
        switch closeCode {
        case 1009: self = .clientReset
        case 4001: self = .refreshUser
        case 4002: self = .logOut
        case 4003: self = .refreshLocation
        default: self = .retry
        }
    }
}
