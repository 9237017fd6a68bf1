// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension RealmCollection {
    /// Returns a stream of the collection's current state and its subsequent changes; see `observe(keyPaths:on:_:)`.
    ///
    /// The collection is observed while the stream is consumed. If a consumer is slow to request the next element, all
    /// changes made in the meantime are combined into one. The stream ends when the collection's owner is deleted. Call
    /// this only from the Realm's actor, queue, or thread. An addition to Realm's API.
    public func changes(keyPaths: [String]? = nil) -> AsyncStream<RealmCollectionChange<Self>> {
        let mailbox = ChangeMailbox<RealmCollectionChange<Self>>()
        let end = mailbox.end()
        let observing = observing(keyPaths) { change in end.mailbox.put(change) }
        return mailbox.stream(observing)
    }
}

extension ObjectBase {
    fileprivate func changeStream<Subject: ObjectBase>(
        of _: Subject.Type, _ keyPaths: [String]?
    ) -> AsyncStream<ObjectChange<Subject>> {
        let mailbox = ChangeMailbox<ObjectChange<Subject>>()
        let end = mailbox.end()
        return mailbox.stream(observing(keyPaths) { (change: ObjectChange<Subject>) in end.mailbox.put(change) })
    }
}

/// An object that provides a stream of its changes. `Object` and `EmbeddedObject` conform to it.
public protocol ObjectChangeStreaming: ObjectBase {}

extension Object: ObjectChangeStreaming {}
extension EmbeddedObject: ObjectChangeStreaming {}

extension ObjectChangeStreaming {
    /// Returns a stream of the object's changes; see `Object.observe(keyPaths:on:_:)`.
    ///
    /// The object is observed while the stream is consumed. If a consumer is slow to request the next element, all
    /// changes made in the meantime are combined into one. The stream ends after `.deleted`. Call this only from the
    /// Realm's actor, queue, or thread. An addition to Realm's API.
    public func changes(keyPaths: [String]? = nil) -> AsyncStream<ObjectChange<Self>> {
        changeStream(of: Self.self, keyPaths)
    }
}

/// Stores the next change until the consumer requests it.
///
/// `state` is guarded by its lock. Changes aren't `Sendable`: producer and consumer are both confined to the Realm's
/// actor, queue or thread.
final class ChangeMailbox<Change>: @unchecked Sendable {
    private let state = Locked(State.empty)
    private let observer = Locked<Observer?>(nil)

    fileprivate enum State {
        case empty
        case full(Change, isLast: Bool)
        case waiting(CheckedContinuation<Void, Never>)
        case over
    }

    /// Ends the stream when it is deallocated, together with the observer's block.
    final class End {
        let mailbox: ChangeMailbox
        init(_ mailbox: ChangeMailbox) { self.mailbox = mailbox }
        deinit { mailbox.finish() }
    }

    func end() -> End { End(self) }

    /// Whether another change can be stored.
    var hasRoom: Bool { state.withLock { if case .full = $0 { false } else { true } } }

    func put(_ change: Change) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let waiting = state.continuation
            if case .over = state { return nil }
            state = .full(change, isLast: false)
            return waiting
        }
        waiting?.resume()
    }

    private func finish() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let waiting = state.continuation
            if case .full(let change, _) = state { state = .full(change, isLast: true) } else { state = .over }
            return waiting
        }
        waiting?.resume()
    }

    func stream<Target>(_ observing: ObservationRequest<Target>) -> AsyncStream<Change> {
        let token = observing.here(while: { [weak self] in self?.hasRoom ?? false })
        observer.withLock { $0 = token.current as? Observer }
        return AsyncStream {
            await withTaskCancellationHandler {
                await self.next()
            } onCancel: {
                token.invalidate()
            }
        }
    }

    private func next() async -> Change? {
        while true {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard case .empty = state else { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
            if case .some(let taken) = take() { return taken }
        }
    }

    /// Returns nil if no change is stored, and a nested nil if the stream has ended.
    private func take() -> Change?? {
        let taken = state.withLock { state -> Change?? in
            switch state {
            case .empty, .waiting: return .none
            case .over: return .some(nil)
            case .full(let change, let isLast):
                state = isLast ? .over : .empty
                return change
            }
        }
        // Further changes may have been held back until now.
        observer.withLock { $0 }?.wake()
        return taken
    }
}

extension ChangeMailbox.State {
    fileprivate var continuation: CheckedContinuation<Void, Never>? {
        if case .waiting(let continuation) = self { continuation } else { nil }
    }
}
