// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    package struct HTTPResponse: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// Sent after the body, until they end or the client disconnects.
        package var events: EventStream?
        package var closes = false

        package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }

        package init(_ status: Int = 200, type: String, _ body: [UInt8]) {
            self.init(status: status, headers: [("Content-Type", type)], body: body)
        }

        package static func refusal(_ status: Int, _ text: String, closes: Bool = false) -> HTTPResponse {
            var response = HTTPResponse(status, type: "text/plain; charset=utf-8", Array((text + "\n").utf8))
            response.closes = closes
            return response
        }
    }

    /// Used by one task.
    package struct EventStream: Sendable {
        /// Returns `nil` at the end. Returns early if its task is cancelled.
        package let next: @Sendable () async -> [UInt8]?
        /// Whether the client is still allowed to receive the events. Checked before each beat.
        package let isAllowed: @Sendable () async -> Bool

        package init(
            next: @escaping @Sendable () async -> [UInt8]?, isAllowed: @escaping @Sendable () async -> Bool
        ) {
            (self.next, self.isAllowed) = (next, isAllowed)
        }

        /// A comment that clients ignore. Sending it detects disconnected clients.
        static let beat = Array(":\n\n".utf8)
        static let beatInterval = Duration.seconds(30)
    }
#endif
