// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// The collection as it is, and then its changes, for as long as the stream is consumed; see
    /// `observe(keyPaths:on:_:)`.
    ///
    /// A consumer that takes long to ask for the next one gets all that has changed meanwhile as one change. Ends when
    /// what the collection belongs to is deleted. To be used where the Realm is confined. An addition to Realm's API.
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

/// Objects with a stream of their changes.
public protocol ObjectChangeStreaming: ObjectBase {}

extension Object: ObjectChangeStreaming {}
extension EmbeddedObject: ObjectChangeStreaming {}

extension ObjectChangeStreaming {
    /// The changes of the object, for as long as the stream is consumed; see `Object.observe(keyPaths:on:_:)`.
    ///
    /// A consumer that takes long to ask for the next one gets all that has changed meanwhile as one change. Ends after
    /// `.deleted`. To be used where the Realm is confined. An addition to Realm's API.
    public func changes(keyPaths: [String]? = nil) -> AsyncStream<ObjectChange<Self>> {
        changeStream(of: Self.self, keyPaths)
    }
}

/// The change that waits until the consumer asks for the next one.
///
/// `state` is guarded by its lock. Changes are not `Sendable`: they go from the place of their Realm to a consumer at
/// that place.
final class ChangeMailbox<Change>: @unchecked Sendable {
    private let state = Locked(State.empty)
    private let observer = Locked<Observer?>(nil)

    fileprivate enum State {
        case empty
        case full(Change, isLast: Bool)
        case waiting(CheckedContinuation<Void, Never>)
        case over
    }

    /// Ends the stream when it goes, which is when the observer's block goes.
    final class End {
        let mailbox: ChangeMailbox
        init(_ mailbox: ChangeMailbox) { self.mailbox = mailbox }
        deinit { mailbox.finish() }
    }

    func end() -> End { End(self) }

    /// Whether there is room for another change.
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

    /// The stream of what an observation tells.
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

    /// nil if there is nothing yet; nil inside if there never will be.
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
        // There may be changes that had no room.
        observer.withLock { $0 }?.wake()
        return taken
    }
}

extension ChangeMailbox.State {
    fileprivate var continuation: CheckedContinuation<Void, Never>? {
        if case .waiting(let continuation) = self { continuation } else { nil }
    }
}
