// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What requests need of Apple's Foundation. Elsewhere it is in FoundationNetworking, which cannot be read beside the
// stand-in of Darwin.

import Foundation

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}

public struct URLRequest: Sendable {
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {}

    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy
    }

    public var httpMethod: String? {
        get { nil }
        set {}
    }
    public var httpBody: Data? {
        get { nil }
        set {}
    }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    open func resume() {}
    open var response: URLResponse? { nil }
}

open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    public enum CloseCode: Int, Sendable {
        case invalid = 0
        case normalClosure = 1000
    }

    public enum Message: Sendable {
        case data(Data)
        case string(String)
    }

    open var maximumMessageSize: Int {
        get { 0 }
        set {}
    }
    open func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    open func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

// What is optional there.
extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

open class URLSession: NSObject, @unchecked Sendable {
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
    ) {}

    open func finishTasksAndInvalidate() {}
    open func invalidateAndCancel() {}
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { URLSessionWebSocketTask() }
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { URLSessionDataTask() }
}
