// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmSyncCore

/// A type that receives the events of a ``ChangeStream``. Its methods are called on the stream's queue.
public protocol ChangeEventDelegate: AnyObject {
    /// The server has opened the stream.
    func changeStreamDidOpen(_ changeStream: ChangeStream)
    /// The stream has ended, with an error unless it was closed.
    func changeStreamDidClose(with error: Error?)
    /// The server has sent an error.
    func changeStreamDidReceive(error: Error)
    /// A document was changed. The event is a document with the members `operationType`, `documentKey`, and
    /// `fullDocument`.
    func changeStreamDidReceive(changeEvent: AnyBSON?)
}

/// The changes of a collection's documents, as the server sends them.
///
/// It continues until it's closed, or until the connection ends. When the access token of the user expires, it
/// continues with a new one.
public final class ChangeStream: Sendable {
    private let task = Locked<Task<Void, Never>?>(nil)

    /// Ends the stream.
    public func close() { task.withLock { $0 }?.cancel() }

    func start(_ work: @escaping @Sendable () async -> Void) { task.withLock { $0 = Task { await work() } } }
}

/// Unchecked, because the delegate is only used on the queue.
private struct StreamDelegate: @unchecked Sendable {
    weak var delegate: (any ChangeEventDelegate)?
    let queue: DispatchQueue

    func call(_ body: @escaping @Sendable (any ChangeEventDelegate) -> Void) {
        queue.async { if let delegate { body(delegate) } }
    }
}

extension MongoCollection {
    // MARK: Delegates

    /// Watches all documents. On a server with partitions, use `watch(matchFilter:delegate:queue:)`.
    public func watch(delegate: ChangeEventDelegate, queue: DispatchQueue = .main) -> ChangeStream {
        watch([], delegate, queue)
    }

    /// Watches the documents that satisfy a filter of events, such as `["fullDocument.name": "Rex"]`.
    public func watch(
        matchFilter: Document, delegate: ChangeEventDelegate, queue: DispatchQueue = .main
    ) -> ChangeStream {
        watch([.init("filter", matchFilter.json)], delegate, queue)
    }

    /// Watches the documents with the given values of `_id`.
    public func watch(
        filterIds: [ObjectId], delegate: ChangeEventDelegate, queue: DispatchQueue = .main
    ) -> ChangeStream {
        watch([.init("ids", MongoCollection.ids(filterIds))], delegate, queue)
    }

    static func ids(_ ids: [ObjectId]) -> JSON { .array(ids.map { AnyBSON.objectId($0).json }) }

    private func watch(
        _ members: [JSON.Member], _ delegate: any ChangeEventDelegate, _ queue: DispatchQueue
    ) -> ChangeStream {
        let stream = ChangeStream()
        let target = StreamDelegate(delegate: delegate, queue: queue)
        stream.start {
            do {
                let events = self.events(members) { target.call { $0.changeStreamDidOpen(stream) } }
                for try await event in events { target.call { $0.changeStreamDidReceive(changeEvent: event) } }
                target.call { $0.changeStreamDidClose(with: nil) }
            } catch {
                target.call {
                    $0.changeStreamDidReceive(error: error)
                    $0.changeStreamDidClose(with: error)
                }
            }
        }
        return stream
    }

    // MARK: Asynchronous sequences

    /// The changes of all documents. On a server with partitions, use `changeEvents(matchFilter:)`.
    public var changeEvents: AsyncThrowingStream<AnyBSON, Error> { events([]) {} }

    /// Returns the changes of all documents.
    ///
    /// - Parameter onOpen: A function that is called when the server has opened the stream.
    public func changeEvents(onOpen: @Sendable @escaping () -> Void) -> AsyncThrowingStream<AnyBSON, Error> {
        events([], onOpen)
    }

    /// Returns the changes of the documents with the given values of `_id`.
    ///
    /// - Parameters:
    ///   - filterIds: The values of `_id`.
    ///   - onOpen: A function that is called when the server has opened the stream.
    public func changeEvents(
        filterIds: [ObjectId], onOpen: (@Sendable () -> Void)? = nil
    ) -> AsyncThrowingStream<AnyBSON, Error> {
        events([.init("ids", MongoCollection.ids(filterIds))], onOpen ?? {})
    }

    /// Returns the changes of the documents that satisfy a filter of events, such as `["fullDocument.name": "Rex"]`.
    ///
    /// - Parameters:
    ///   - matchFilter: The condition on events.
    ///   - onOpen: A function that is called when the server has opened the stream.
    public func changeEvents(
        matchFilter: Document, onOpen: (@Sendable () -> Void)? = nil
    ) -> AsyncThrowingStream<AnyBSON, Error> {
        events([.init("filter", matchFilter.json)], onOpen ?? {})
    }

    package func events(
        _ members: [JSON.Member], _ onOpen: @escaping @Sendable () -> Void
    ) -> AsyncThrowingStream<AnyBSON, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: AnyBSON.self, throwing: (any Error).self)
        let task = Task {
            do {
                try await read(members, onOpen, continuation)
                continuation.finish()
            } catch is CancellationError {
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Returns when the server has ended the stream. When the access token expires, another one continues it.
    private func read(
        _ members: [JSON.Member], _ onOpen: @escaping @Sendable () -> Void,
        _ continuation: AsyncThrowingStream<AnyBSON, any Error>.Continuation
    ) async throws {
        let user = database.client.user
        var (members, onOpen) = (members, onOpen)
        while true {
            do {
                var reader = EventReader()
                for try await part in try await user.stream(request("watch", members), onOpen) {
                    for event in try reader.events(part) {
                        guard let json = try? JSON(parsing: event),
                            let value = ExtendedJSON(json).flatMap({ AnyBSON($0) })
                        else { throw invalidAnswer("watch") }
                        continuation.yield(value)
                    }
                }
                return
            } catch let end as ExpiredStream {
                members.removeAll { $0.name == "resumeAfter" }
                members.append(.init("resumeAfter", end.position))
                onOpen = {}
                try await user.renewAccessToken()
            }
        }
    }
}

/// The end of a stream whose access token has expired. A stream with `resumeAfter` continues it.
struct ExpiredStream: Error {
    let position: JSON
}

/// Reads server-sent events from chunks of bytes.
struct EventReader {
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []

    /// A server isn't trusted to end its lines.
    private static let longestLine = 64 << 20

    /// Returns the data of the events that end in the bytes.
    ///
    /// - Throws: The `AppError` that an event contains, or `ExpiredStream`.
    mutating func events(_ bytes: [UInt8]) throws -> [String] {
        var events: [String] = []
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0, let event = try endLine() { events.append(event) }
            line += part.element
            guard line.count <= EventReader.longestLine else {
                throw AppError(.unknown, "The server sent an event that is too long.")
            }
        }
        return events
    }

    private mutating func endLine() throws -> String? {
        var text = String(decoding: line, as: UTF8.self)
        line = []
        if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
        guard !text.isEmpty else { return try endEvent() }
        let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = sides.count > 1 ? sides[1] : ""
        if value.first == " " { value.removeFirst() }
        switch sides[0] {
        case "event": name = String(value)
        case "data": data.append(String(value))
        default: break
        }
        return nil
    }

    private mutating func endEvent() throws -> String? {
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return nil }
        let text = data.joined(separator: "\n").replacingOccurrences(of: "%0A", with: "\n")
            .replacingOccurrences(of: "%0D", with: "\r").replacingOccurrences(of: "%25", with: "%")
        guard name == "error" else { return text }
        if let position = (try? JSON(parsing: text))?["resumeAfter"] { throw ExpiredStream(position: position) }
        throw AppError(
            refusal: RLMResponse(body: text, headers: ["content-type": "application/json"], httpStatusCode: 400))
    }
}
