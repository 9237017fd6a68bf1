// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing

    struct AdminPage: HTTPService {
        /// `nil` if another factory exports the metrics.
        let metrics: PrometheusMetrics?

        static func options(port: Int) -> HTTPServer.Options {
            let count = DescriptorBudget.adminConnections
            var options = HTTPServer.Options(
                Connections.Limits(all: count, admitted: count, strangersOfPeer: count), patience: .seconds(10))
            options.port = port
            return options
        }

        func peer(of address: String) -> String? { nil }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            let (status, text) = answer(request)
            var response = HTTPResponse(status, type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
            response.closes = true
            return response
        }

        private func answer(_ request: HTTPRequest) -> (Int, String) {
            guard let host = request.onlyValue("host"), LoopbackNames.contains(header: host) else {
                return (403, "The header Host has to name this machine, as in localhost.\n")
            }
            switch request.path {
            case "/metrics":
                guard let metrics else { return (404, "The server's metrics factory exports the metrics itself.\n") }
                return (200, metrics.text)
            case "/health": return (200, "ok\n")
            default: return (404, "There are /metrics and /health.\n")
            }
        }
    }
#endif
