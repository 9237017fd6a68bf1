// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// Can be used from any thread.
    protocol EngineTransport: AnyObject, Sendable {
        /// Calls `engine.didSend` when another message can be sent.
        func send(_ message: [UInt8])
        /// The client has read the responses of the messages with this total cost.
        func didConsume(_ cost: Int)
        func setSilence(milliseconds: UInt64)
        /// Schedules a call of `engine.checkExpiry`.
        func setExpiry(seconds: Int64)
        /// Closes the connection after the messages sent before.
        func close(_ reason: TransportEnd)
    }

    enum TransportEnd: Sendable {
        /// The client reconnects later. Also used when the server stops, because clients report any other code to their
        /// apps as an error (§2.3).
        case normal
        /// The client requests a new token, or logs the user out.
        case unauthorized
    }
#endif
