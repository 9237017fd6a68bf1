// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a `ClientConnection` wants done, in this order.
package enum ClientEffect: Hashable, Sendable {
    /// Open the transport, which `didConnect` or `didDisconnect` answers.
    case connect
    /// Drop the transport. No answer is expected.
    case disconnect
    /// Send a message, which `didSend` answers as soon as the next one can be taken.
    case send([UInt8])
    /// Call `fire` after so many milliseconds, in place of what was set for the same timer before.
    case setTimer(ClientTimer, milliseconds: UInt64)
    case cancelTimer(ClientTimer)
    /// Get a new access token or location, then call `didRefresh`.
    case refresh(location: Bool)
    /// The server has taken in what a mark was asked for: all that it had then has been integrated.
    case marked(session: UInt64, request: UInt64)
    /// A download was integrated: the progress of the file, and maybe its content, are others.
    case integrated(session: UInt64, entries: Int)
    /// A session has ended, or waits, or only was told something: what `action` says is up to the receiver.
    case failed(session: UInt64?, ClientFailure)
    /// A session that was closed is gone from the server too, so that its file may be used by another one.
    case closed(session: UInt64)
    case log(session: UInt64?, JSON)
    case test(session: UInt64, request: UInt64, String)
}

/// The timers of a connection.
package enum ClientTimer: Hashable, Sendable {
    /// The transport takes too long to open.
    case connect
    case reconnect
    /// The connection has lived long enough to forget earlier failures.
    case settled
    case ping
    case pong
    /// A connection without sessions is kept for a while.
    case linger
    case resume(session: UInt64)
}

/// What went wrong with a session, or with a whole connection.
package struct ClientFailure: Hashable, Sendable {
    /// A number of §2.9, or one that only the server knows.
    package var code: Int
    package var error: ServerError

    package init(code: Int, _ error: ServerError) {
        self.code = code
        self.error = error
    }

    package var action: ServerError.Action { error.action }
}

/// Why a transport is gone, and with it what to do (§2.3).
package enum ClientDisconnection: Hashable, Sendable {
    case retry
    case refreshUser
    case refreshLocation
    case logOut
    /// The server says that a message was too big: the client has to reset itself.
    case clientReset
    case fatal(String)

    /// What a plain HTTP status means in place of the upgrade.
    package init(status: Int) {
        switch status {
        case 301, 308: self = .refreshLocation
        case 401: self = .refreshUser
        case 403: self = .logOut
        case 300..<400, 500..<600: self = .retry
        default: self = .fatal("the server answered the upgrade with status \(status)")
        }
    }

    /// What the code of a close frame means.
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
