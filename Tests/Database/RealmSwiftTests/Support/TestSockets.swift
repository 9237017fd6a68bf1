// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmSyncCore

@testable import RealmSwift

/// WebSockets that open, receive, and end on a test's command.
final class TestSockets: WebSocketTransport {
    private let requests: AsyncStream<WebSocketRequest>
    private let requested: AsyncStream<WebSocketRequest>.Continuation
    private let handle = Locked<(@Sendable (WebSocketEvent) -> Void)?>(nil)

    init() { (requests, requested) = AsyncStream.makeStream() }

    func open(_ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void) -> any WebSocket {
        self.handle.withLock { $0 = handle }
        requested.yield(request)
        return Socket()
    }

    func next() async -> WebSocketRequest? {
        var iterator = requests.makeAsyncIterator()
        return await iterator.next()
    }

    func deliver(_ event: WebSocketEvent) { handle.withLock { $0 }?(event) }

    private struct Socket: WebSocket {
        func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void) {}
        func close() {}
    }
}

/// A session that records its errors. Used on the queue of its connection.
final class TestSession: SyncConnectionSession {
    private(set) var failures: [ClientFailure] = []

    func didReachMark(_ request: UInt64) {}
    func didIntegrate() {}
    func subscriptionsDidChange() {}
    func didFail(_ failure: ClientFailure) { failures.append(failure) }
    func connectionDidChange(_ state: SyncSession.ConnectionState, _ error: (any Error)?) {}
    func didLoseUser(_ error: SyncError) {}
}
