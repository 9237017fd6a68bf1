// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

#if canImport(Darwin) || Sync
    #if !canImport(Darwin)
        import FoundationNetworking
    #endif
    import RealmSyncCore

    /// A transport that sends requests with Foundation's `URLSession`. It is the default transport of apps.
    ///
    /// Redirects aren't followed; they are returned like other responses. Streams are received with SwiftNIO on
    /// platforms other than Apple's.
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
            let receiver = StreamReceiver(events)
            #if canImport(Darwin)
                guard let sent = URLRequest(request) else {
                    events(.ended(RLMResponse(badURL: request.url)))
                    return {}
                }
                // A session of its own, because the delegate of a session receives the data of all its tasks.
                let session = URLSession(
                    configuration: .ephemeral, delegate: StreamDelegate(receiver), delegateQueue: nil)
                session.dataTask(with: sent).resume()
                return { session.invalidateAndCancel() }
            #else
                let sent = StreamRequest(
                    url: request.url, headers: request.headers.map { ($0, $1) }, silence: request.timeout)
                return linkedStreams().open(sent) { receiver.receive($0) }
            #endif
        }

        /// The app handles redirections: it fetches the server's location again.
        private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) { completionHandler(nil) }
        }
    }

    /// Unchecked, because only the transport of the stream calls it, with one event after the other.
    private final class StreamReceiver: @unchecked Sendable {
        private let events: @Sendable (RLMStreamEvent) -> Void
        private var status: Int?
        private var headers: [String: String] = [:]
        /// The body of a response that isn't a success.
        private var body = Data()

        init(_ events: @escaping @Sendable (RLMStreamEvent) -> Void) { self.events = events }

        private var isSuccess: Bool { status.map { 200..<300 ~= $0 } ?? false }

        func receive(_ event: StreamEvent) {
            switch event {
            case .opened(let status, let headers):
                self.status = status
                for (name, value) in headers { self.headers[name] = value }
                if isSuccess { events(.opened) }
            case .data(let bytes): if isSuccess { events(.data(Data(bytes))) } else { body += bytes }
            case .end(let error): events(.ended(response(error)))
            }
        }

        private func response(_ error: String?) -> RLMResponse {
            guard let status, error == nil else {
                return RLMResponse(
                    body: error ?? "The server sent no HTTP response.",
                    customStatusCode: NSURLErrorBadServerResponse)
            }
            return RLMResponse(body: String(decoding: body, as: UTF8.self), headers: headers, httpStatusCode: status)
        }
    }

    #if canImport(Darwin)
        private final class StreamDelegate: NSObject, URLSessionDataDelegate {
            private let receiver: StreamReceiver

            init(_ receiver: StreamReceiver) { self.receiver = receiver }

            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
                completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
            ) {
                if let response = response as? HTTPURLResponse {
                    receiver.receive(.opened(status: response.statusCode, headers: response.headers))
                }
                completionHandler(.allow)
            }

            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                receiver.receive(.data(Array(data)))
            }

            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                receiver.receive(.end(error: error?.localizedDescription))
                session.finishTasksAndInvalidate()
            }
        }
    #else
        /// Implemented as `platformStreams` of the module `RealmSyncTransport`, which is linked but not imported.
        @_silgen_name("regnum_platform_streams")
        private func linkedStreams() -> any StreamTransport
    #endif

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
            self.init(
                body: String(decoding: data ?? Data(), as: UTF8.self),
                headers: Dictionary(answer.headers) { $1 }, httpStatusCode: answer.statusCode)
        }
    }

    extension HTTPURLResponse {
        fileprivate var headers: [(name: String, value: String)] {
            allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
        }
    }
#endif
