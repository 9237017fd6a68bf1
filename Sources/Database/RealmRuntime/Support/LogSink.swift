// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The severity of a message of the runtime.
package enum LogSeverity: Sendable {
    case error, warning, debug
}

/// A receiver of the runtime's log messages: the logger of the API.
package protocol LogSink: Sendable {
    /// Delivers a message. It is evaluated only if the level requires it.
    func write(_ severity: LogSeverity, _ message: @autoclosure () -> String)
}
