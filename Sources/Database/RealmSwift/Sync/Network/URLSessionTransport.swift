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
            guard let sent = URLRequest(request) else { return completion(RLMResponse(badURL: request.url)) }
            session.dataTask(with: sent) { data, answer, error in
                completion(RLMResponse(data, answer as? HTTPURLResponse, error))
            }.resume()
        }

        public func streamRequest(
            toServer request: RLMRequest, events: @escaping @Sendable (RLMStreamEvent) -> Void
        ) -> @Sendable () -> Void {
            guard let sent = URLRequest(request) else {
                events(.ended(RLMResponse(badURL: request.url)))
                return {}
            }
            // A session of its own, because the delegate of a session receives the data of all its tasks.
            let session = URLSession(
                configuration: .ephemeral, delegate: StreamReceiver(events), delegateQueue: nil)
            session.dataTask(with: sent).resume()
            return { session.invalidateAndCancel() }
        }

        /// The app handles redirections: it fetches the server's location again.
        private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) { completionHandler(nil) }
        }
    }

    /// Unchecked, because only the session calls the delegate, on one queue.
    private final class StreamReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        private let events: @Sendable (RLMStreamEvent) -> Void
        private var response: HTTPURLResponse?
        /// The body of a response that isn't a success.
        private var body = Data()

        init(_ events: @escaping @Sendable (RLMStreamEvent) -> Void) { self.events = events }

        private var isSuccess: Bool { response.map { 200..<300 ~= $0.statusCode } ?? false }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            self.response = response as? HTTPURLResponse
            if isSuccess { events(.opened) }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            if isSuccess { events(.data(data)) } else { body += data }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            events(.ended(RLMResponse(body, response, error)))
            session.finishTasksAndInvalidate()
        }
    }

    extension URLRequest {
        fileprivate init?(_ request: RLMRequest) {
            guard let url = URL(string: request.url) else { return nil }
            self.init(url: url, timeoutInterval: request.timeout)
            httpMethod = request.method.name
            for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
            if !request.body.isEmpty { httpBody = Data(request.body.utf8) }
        }
    }

    extension RLMResponse {
        fileprivate convenience init(badURL url: String) {
            self.init(body: "'\(url)' is not a URL.", customStatusCode: NSURLErrorBadURL)
        }

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
