// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Carries the HTTP requests of an app to its server. ``AppConfiguration/transport`` takes one of your own, to log,
/// redirect or answer requests.
///
/// ```swift
/// final class Recorder: RLMNetworkTransport {
///     let next: any RLMNetworkTransport = URLSessionTransport()
///     func sendRequest(toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock) {
///         print(request.method, request.url)
///         next.sendRequest(toServer: request, completion: completion)
///     }
/// }
/// ```
///
/// It is called from any thread, for several requests at once.
public protocol RLMNetworkTransport: Sendable {
    /// Sends a request and calls `completion` once, on any thread, with the answer or with what kept it from coming.
    func sendRequest(toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock)
}

/// Receives the answer to a request.
public typealias RLMNetworkTransportCompletionBlock = @Sendable (RLMResponse) -> Void

/// The method of an HTTP request.
public enum RLMHTTPMethod: UInt, Sendable {
    /// Reads.
    case get
    /// Creates or calls.
    case post
    /// Changes a part.
    case patch
    /// Replaces.
    case put
    /// Deletes.
    case delete

    /// As HTTP writes it.
    public var name: String { "\(self)".uppercased() }
}

/// A request to the server of an app. Change it only before it is sent.
public final class RLMRequest: @unchecked Sendable {
    // Unchecked, because users of the original's API change requests. Only the maker does so, before it hands one over.

    /// The method.
    public var method: RLMHTTPMethod
    /// The whole address.
    public var url: String
    /// The headers by name.
    public var headers: [String: String]
    /// The body, JSON or empty.
    public var body: String
    /// After how many seconds without an answer the request has failed.
    public var timeout: TimeInterval

    /// Makes a request.
    public init(
        method: RLMHTTPMethod = .get, url: String = "", headers: [String: String] = [:], body: String = "",
        timeout: TimeInterval = 60
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// The answer to a request. Change it only before it is handed over.
public final class RLMResponse: @unchecked Sendable {
    // Unchecked, because users of the original's API fill answers in. Only the maker does so, before it hands one over.

    /// The body, or what kept the answer from coming where `customStatusCode` is not 0.
    public var body: String
    /// The headers by name.
    public var headers: [String: String]
    /// The status of HTTP; 0 counts as a success.
    public var httpStatusCode: Int
    /// Not 0 if no answer came: the code of the transport's own error.
    public var customStatusCode: Int

    /// Makes an answer.
    public init(
        body: String = "", headers: [String: String] = [:], httpStatusCode: Int = 0, customStatusCode: Int = 0
    ) {
        self.body = body
        self.headers = headers
        self.httpStatusCode = httpStatusCode
        self.customStatusCode = customStatusCode
    }

    var isSuccess: Bool { customStatusCode == 0 && (httpStatusCode == 0 || 200..<300 ~= httpStatusCode) }

    /// The value of a header, whatever the case of its name.
    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name }?.value
    }
}
