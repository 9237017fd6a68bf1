// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import NIOConcurrencyHelpers

    /// The responses to `/health` and `/ready`, which contain no data and need no key.
    final class ServerHealth: Sendable {
        enum State {
            case running
            /// The server is about to stop.
            case draining
            /// The server has stopped or failed.
            case stopped
        }

        private let current = NIOLockedValueBox(State.running)
        private let stores = NIOLockedValueBox<(any SharedStores)?>(nil)

        var state: State {
            get { current.withLockedValue { $0 } }
            set { current.withLockedValue { $0 = newValue } }
        }

        /// The stores without which the server isn't ready, if nodes share them.
        var shared: (any SharedStores)? {
            get { stores.withLockedValue { $0 } }
            set { stores.withLockedValue { $0 = newValue } }
        }

        /// Returns `nil` for other paths.
        func response(to request: HTTPRequest) -> HTTPResponse? {
            guard request.method == "GET" else { return nil }
            switch request.path {
            case "/health": return state == .stopped ? text(503, "the server has stopped\n") : text(200, "ok\n")
            case "/ready":
                guard state == .running else { return text(503, "the server stops\n") }
                return shared?.isReachable != false
                    ? text(200, "ok\n") : text(503, "the database can't be reached\n")
            default: return nil
            }
        }

        private func text(_ status: Int, _ text: String) -> HTTPResponse {
            var response = HTTPResponse(status, type: "text/plain; charset=utf-8", Array(text.utf8))
            response.closes = true
            return response
        }
    }
#endif
