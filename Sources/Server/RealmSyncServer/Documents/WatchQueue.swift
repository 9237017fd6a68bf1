// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import NIOCore

    /// The events of a watch that wait for its client, which one task reads. Unlike a stream, it can lose them.
    final class WatchQueue: Sendable {
        /// The maximum number of events that wait for the client.
        static let longest = 10_000

        private struct State {
            /// Each with the position before it.
            var events = CircularBuffer<(position: WatchPosition, text: String)>()
            var end: (any Error)?
            var reader: CheckedContinuation<String?, any Error>?
        }

        private let state = NIOLockedValueBox(State())

        /// Returns false if the client is too slow.
        func append(_ events: [(WatchPosition, String)]) -> Bool {
            state.withLockedValue { state in
                guard state.end == nil else { return true }
                for (position, text) in events {
                    if let reader = state.reader {
                        state.reader = nil
                        reader.resume(returning: text)
                    } else {
                        guard state.events.count < WatchQueue.longest else { return false }
                        state.events.append((position, text))
                    }
                }
                return true
            }
        }

        /// Returns the position before the first removed event.
        func removeAll() -> WatchPosition? {
            state.withLockedValue { state in
                defer { state.events.removeAll() }
                return state.events.first?.position
            }
        }

        /// Only the first call has an effect.
        ///
        /// - Parameter discards: Whether the waiting events aren't returned any more.
        func end(_ error: any Error, discards: Bool) {
            state.withLockedValue { state in
                if discards { state.events.removeAll() }
                guard state.end == nil else { return }
                state.end = error
                state.reader?.resume(throwing: error)
                state.reader = nil
            }
        }

        /// Waits for the next event.
        ///
        /// - Throws: The error of `end`, `CancellationError`.
        func next() async throws -> String? {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    state.withLockedValue { state in
                        if let event = state.events.popFirst() {
                            continuation.resume(returning: event.text)
                        } else if let end = state.end {
                            continuation.resume(throwing: end)
                        } else {
                            state.reader = continuation
                        }
                    }
                }
            } onCancel: {
                end(CancellationError(), discards: true)
            }
        }
    }
#endif
