// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Sends GET requests whose responses are passed on as they arrive. Usable from any thread.
package protocol StreamTransport: Sendable {
    /// Sends a request. Calls `handle` with one event after the other, on any thread. The last event is `end`.
    ///
    /// - Returns: A function that drops the connection.
    func open(_ request: StreamRequest, _ handle: @escaping @Sendable (StreamEvent) -> Void) -> @Sendable () -> Void
}

package struct StreamRequest: Sendable {
    /// The scheme is `http` or `https`.
    package var url: String
    package var headers: [(name: String, value: String)]
    /// The time without data after which the connection counts as lost, in seconds.
    package var silence: Double

    package init(url: String, headers: [(name: String, value: String)], silence: Double) {
        (self.url, self.headers, self.silence) = (url, headers, silence)
    }
}

package enum StreamEvent: Sendable {
    case opened(status: Int, headers: [(name: String, value: String)])
    case data([UInt8])
    /// The response is complete if there's no error.
    case end(error: String?)
}
