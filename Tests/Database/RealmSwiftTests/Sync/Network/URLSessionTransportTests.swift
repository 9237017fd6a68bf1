// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || Sync
    import Foundation
    import Testing

    @testable import RealmSwift

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The default transport of apps, with a socket that sends scripted responses.
    @Suite struct URLSessionTransportTests {
        private func send(
            _ method: RLMHTTPMethod, to server: SocketServer, body: String = "", timeout: TimeInterval = 10
        ) async -> RLMResponse {
            let request = RLMRequest(
                method: method, url: "http://127.0.0.1:\(server.port)/path?x=1",
                headers: ["Accept": "application/json"],
                body: body, timeout: timeout)
            return await withCheckedContinuation { continuation in
                URLSessionTransport().sendRequest(toServer: request) { continuation.resume(returning: $0) }
            }
        }

        @Test func requestsAndAnswersAreCarried() async throws {
            let server = try SocketServer(
                "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
            let response = await send(.post, to: server, body: #"{"a":1}"#)
            #expect(response.httpStatusCode == 401 && response.customStatusCode == 0 && response.body == "{}")
            #expect(response.header("content-type") == "application/json" && !response.isSuccess)
            let request = server.request
            #expect(request.hasPrefix("POST /path?x=1 HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\n{\"a\":1}"))
            #expect(request.contains("Accept: application/json\r\n"))
        }

        @Test func redirectionsAreAnswers() async throws {
            let server = try SocketServer(
                "HTTP/1.1 308 Permanent Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
            let response = await send(.get, to: server)
            #expect(response.httpStatusCode == 308 && response.customStatusCode == 0)
        }

        @Test func aServerThatIsNotThereIsAnError() async throws {
            let server = try SocketServer(nil)
            let response = await send(.get, to: server)
            #expect(response.customStatusCode != 0 && !response.body.isEmpty)
            #expect(AppError(refusal: response).code == .httpRequestFailed)
        }
    }

    /// A local socket that responds to one request. Without a response, it is closed at once, and its port is free. The
    /// text is guarded by the lock.
    private final class SocketServer: Sendable {
        let port: UInt16
        private let received = Locked("")

        var request: String { received.withLock { $0 } }

        init(_ answer: String?) throws {
            #if canImport(Darwin) || canImport(Musl)
                let socket = socket(AF_INET, SOCK_STREAM, 0)
            #else
                let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #endif
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let port = withUnsafeMutableBytes(of: &address) { bytes -> UInt16 in
                guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    bind(socket, pointer, length) == 0, listen(socket, 1) == 0,
                    getsockname(socket, pointer, &length) == 0
                else { return 0 }
                return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
            }
            self.port = port
            try #require(port != 0)
            guard let answer else {
                close(socket)
                return
            }
            let received = received
            Thread.detachNewThread {
                let connection = accept(socket, nil, nil)
                var bytes = [UInt8](repeating: 0, count: 65536)
                var text = ""
                while !SocketServer.isComplete(text) {
                    let count = recv(connection, &bytes, bytes.count, 0)
                    guard count > 0 else { break }
                    text += String(decoding: bytes[..<count], as: UTF8.self)
                }
                received.withLock { $0 = text }
                _ = Array(answer.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
                close(connection)
                close(socket)
            }
        }

        private static func isComplete(_ text: String) -> Bool {
            guard let end = text.range(of: "\r\n\r\n") else { return false }
            let length = text[..<end.lowerBound].components(separatedBy: "\r\n").lazy
                .map { $0.lowercased() }.first { $0.hasPrefix("content-length: ") }
                .flatMap { Int($0.dropFirst("content-length: ".count)) }
            return text[end.upperBound...].utf8.count >= length ?? 0
        }
    }
#endif
