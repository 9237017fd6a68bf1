// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

#if canImport(Darwin) || Sync
    #if !canImport(Darwin)
        import FoundationNetworking
    #endif

    /// A transport that sends requests with Foundation's `URLSession`. It is the default transport of apps.
    ///
    /// Redirects aren't followed; they are returned like other responses.
    public final class URLSessionTransport: RLMNetworkTransport {
        private let session: URLSession

        /// Creates a transport with its own connections, without cookies and without a cache.
        public init() {
            session = URLSession(configuration: .ephemeral, delegate: RedirectRefusal(), delegateQueue: nil)
        }

        deinit { session.finishTasksAndInvalidate() }

        public func sendRequest(
            toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock
        ) {
            guard let url = URL(string: request.url) else {
                completion(RLMResponse(body: "'\(request.url)' is not a URL.", customStatusCode: NSURLErrorBadURL))
                return
            }
            var sent = URLRequest(url: url, timeoutInterval: request.timeout)
            sent.httpMethod = request.method.name
            for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
            if !request.body.isEmpty { sent.httpBody = Data(request.body.utf8) }
            session.dataTask(with: sent) { data, answer, error in
                completion(RLMResponse(data, answer as? HTTPURLResponse, error))
            }.resume()
        }

        /// The app handles redirections: it fetches the server's location again.
        private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) { completionHandler(nil) }
        }
    }

    extension RLMResponse {
        fileprivate convenience init(_ data: Data?, _ answer: HTTPURLResponse?, _ error: (any Error)?) {
            guard let answer, error == nil else {
                let error = error as NSError?
                self.init(
                    body: error?.localizedDescription ?? "The server sent no HTTP response.",
                    customStatusCode: error.map { $0.code == 0 ? -1 : $0.code } ?? NSURLErrorBadServerResponse)
                return
            }
            var headers: [String: String] = [:]
            for (name, value) in answer.allHeaderFields { headers["\(name)"] = "\(value)" }
            self.init(
                body: String(decoding: data ?? Data(), as: UTF8.self), headers: headers,
                httpStatusCode: answer.statusCode)
        }
    }
#endif
