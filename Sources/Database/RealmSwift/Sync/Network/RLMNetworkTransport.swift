// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A type that sends the HTTP requests of an app to its server. To log, redirect or answer requests, set
/// ``AppConfiguration/transport`` to your own implementation.
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
/// Methods are called from any thread, possibly for several requests at once.
public protocol RLMNetworkTransport: Sendable {
    /// Sends a request and calls `completion` once, on any thread, with the response, or with a description of the
    /// error that prevented it.
    func sendRequest(toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock)

    /// Sends a request and passes the parts of the response to `events` as they arrive, on any thread. An addition to
    /// Realm's API.
    ///
    /// The default implementation ends with an error.
    ///
    /// - Returns: A function that cancels the request.
    func streamRequest(
        toServer request: RLMRequest, events: @escaping @Sendable (RLMStreamEvent) -> Void
    ) -> @Sendable () -> Void
}

extension RLMNetworkTransport {
    public func streamRequest(
        toServer request: RLMRequest, events: @escaping @Sendable (RLMStreamEvent) -> Void
    ) -> @Sendable () -> Void {
        events(.ended(RLMResponse(body: "The transport of the app doesn't support streams.", customStatusCode: -1)))
        return {}
    }
}

/// A part of the response to a streaming request.
public enum RLMStreamEvent: Sendable {
    /// The server responded successfully.
    case opened
    /// Bytes of the body.
    case data(Data)
    /// The end of the response, or the response if it isn't a success. The last event.
    case ended(RLMResponse)
}

/// A function that receives the response to a request.
public typealias RLMNetworkTransportCompletionBlock = @Sendable (RLMResponse) -> Void

/// The method of an HTTP request.
public enum RLMHTTPMethod: UInt, Sendable {
    /// Reads a resource.
    case get
    /// Creates a resource or calls a function.
    case post
    /// Changes part of a resource.
    case patch
    /// Replaces a resource.
    case put
    /// Deletes a resource.
    case delete

    /// The name of the method in HTTP.
    public var name: String { "\(self)".uppercased() }
}

/// An HTTP request to the server of an app. Change it only before it is sent.
public final class RLMRequest: @unchecked Sendable {
    // Unchecked, because users of the original API change requests. Only the creator does so, before it passes the
    // request on.

    /// The HTTP method.
    public var method: RLMHTTPMethod
    /// The URL of the request.
    public var url: String
    /// The headers by name.
    public var headers: [String: String]
    /// The body of the request: JSON, or empty.
    public var body: String
    /// The time in seconds after which a request without a response fails.
    public var timeout: TimeInterval

    /// Creates a request.
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

/// The response to an HTTP request. Change it only before you pass it to the completion block.
public final class RLMResponse: @unchecked Sendable {
    // Unchecked, because users of the original API fill in responses. Only the creator does so, before it passes the
    // response on.

    /// The body of the response, or a description of the error if `customStatusCode` isn't 0.
    public var body: String
    /// The headers by name.
    public var headers: [String: String]
    /// The HTTP status. 0 counts as success.
    public var httpStatusCode: Int
    /// An error code of the transport if no response was received, otherwise 0.
    public var customStatusCode: Int

    /// Creates a response.
    public init(
        body: String = "", headers: [String: String] = [:], httpStatusCode: Int = 0, customStatusCode: Int = 0
    ) {
        self.body = body
        self.headers = headers
        self.httpStatusCode = httpStatusCode
        self.customStatusCode = customStatusCode
    }

    var isSuccess: Bool { customStatusCode == 0 && (httpStatusCode == 0 || 200..<300 ~= httpStatusCode) }

    /// Returns the value of a header; the name is case-insensitive.
    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name }?.value
    }
}
