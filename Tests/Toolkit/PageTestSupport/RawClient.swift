// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

package struct RawAnswer {
    package var status = 0
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
    package var text: String { String(decoding: body, as: UTF8.self) }
}

package struct RawError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// A connection that sends a test's bytes, well-formed or not. It blocks, so use it in `outside`.
package final class RawClient {
    private let file: Int32
    private let port: Int
    private var received: [UInt8] = []

    /// Connects to a local port. Other tests may block the threads of all tasks for minutes, so the timeout in seconds
    /// is long.
    package init(port: Int, patience: Int = 600) throws {
        self.port = port
        #if canImport(Darwin)
            file = socket(AF_INET, SOCK_STREAM, 0)
            var refusesSignals: Int32 = 1
            setsockopt(file, SOL_SOCKET, SO_NOSIGPIPE, &refusesSignals, socklen_t(MemoryLayout<Int32>.size))
        #else
            file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var time = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw RawError(description: "No connection to port \(port): \(errno).") }
    }

    deinit { close(file) }

    /// Sends bytes unchanged. Returns whether all were sent.
    @discardableResult package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                #if canImport(Darwin)
                    Darwin.send(file, $0.baseAddress, $0.count, 0)
                #else
                    Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Closes the sending side. The response can still be read.
    package func endSending() { shutdown(file, Int32(SHUT_WR)) }

    /// Whether the other side has closed the connection, after all data.
    package func isEnded() -> Bool {
        while true {
            var byte: UInt8 = 0
            let count = recv(file, &byte, 1, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
            if count < 0 { return false }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let got = recv(file, &buffer, buffer.count, 0)
            guard got > 0 else { throw RawError(description: "The connection ended or said nothing.") }
            received += buffer[..<got]
        }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    // MARK: Requests

    /// Requests a path. The headers replace those of a browser.
    package func request(
        _ path: String, method: String = "GET", _ headers: [String: String?] = [:]
    ) throws -> RawAnswer {
        var all: [String: String?] = ["Host": "127.0.0.1:\(port)"]
        all.merge(headers) { $1 }
        let lines = all.compactMap { name, value in value.map { "\(name): \($0)" } }
        send(Array((["\(method) \(path) HTTP/1.1"] + lines + ["", ""]).joined(separator: "\r\n").utf8))
        return try answer()
    }

    package func answer() throws -> RawAnswer {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try take(1) }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        var answer = RawAnswer()
        answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                answer.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        answer.body = try take(Int(answer.headers["content-length"] ?? "") ?? 0)
        return answer
    }

    // MARK: Sockets

    /// Opens a socket like the page, except for the headers.
    package func upgrade(_ headers: [String: String?] = [:], path: String = "/socket") throws -> RawAnswer {
        var all: [String: String?] = [
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://127.0.0.1:\(port)",
        ]
        all.merge(headers) { $1 }
        return try request(path, all)
    }

    /// Sends a frame, `copies` times in one write. Operation 1 is a text, 0 a continuation, 8 a close, 9 a ping.
    @discardableResult package func frame(
        _ operation: UInt8, _ data: [UInt8], isLast: Bool = true, isMasked: Bool = true, length: UInt64? = nil,
        copies: Int = 1
    ) -> Bool {
        var bytes: [UInt8] = [(isLast ? 0x80 : 0) | operation]
        let mask: UInt8 = isMasked ? 0x80 : 0
        let count = length ?? UInt64(data.count)
        if count < 126 {
            bytes.append(mask | UInt8(count))
        } else if count < 65_536 {
            bytes += [mask | 126, UInt8(count >> 8), UInt8(count & 255)]
        } else {
            bytes.append(mask | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(count >> UInt64(shift) & 255)) }
        }
        let key: [UInt8] = [1, 2, 3, 4]
        if isMasked { bytes += key }
        let start = bytes.count
        bytes += data
        // Loops, because closures on large frames take most of the time of a test in debug.
        var index = isMasked ? start : bytes.count
        while index < bytes.count {
            bytes[index] ^= key[(index - start) & 3]
            index += 1
        }
        var frames: [UInt8] = []
        for _ in 0..<copies { frames += bytes }
        return send(frames)
    }

    @discardableResult package func sendText(_ text: String) -> Bool { frame(1, Array(text.utf8)) }

    package func nextFrame() throws -> (operation: UInt8, data: [UInt8]) {
        let head = try take(2)
        var count = Int(head[1] & 127)
        if count == 126 {
            count = try take(2).reduce(0) { $0 << 8 | Int($1) }
        } else if count == 127 {
            count = try take(8).reduce(0) { $0 << 8 | Int($1) }
        }
        return (head[0] & 15, try take(count))
    }

    package func receiveText() throws -> String {
        while true {
            let frame = try nextFrame()
            if frame.operation == 1 { return String(decoding: frame.data, as: UTF8.self) }
            if frame.operation == 8 { throw RawError(description: "The socket was closed.") }
        }
    }

    /// Returns the close code after all other frames, or nil.
    package func closing() -> Int? {
        while let frame = try? nextFrame() {
            if frame.operation == 8 { return frame.data.count >= 2 ? Int(frame.data[0]) << 8 | Int(frame.data[1]) : 0 }
        }
        return nil
    }
}

package func outside<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
