// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Foundation
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
    #endif

    /// Starts `work` immediately, and publishes its result.
    func future<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Future<Value, Error> {
        future(work) { $0 }
    }

    func future<Result: Sendable, Value>(
        _ work: @escaping @Sendable () async throws -> Result, _ convert: @escaping @Sendable (Result) -> Value
    ) -> Future<Value, Error> {
        Future { promise in
            // Called once, only by the task.
            nonisolated(unsafe) let promise = promise
            Task {
                do { unsafe promise(.success(convert(try await work()))) } catch { unsafe promise(.failure(error)) }
            }
        }
    }

    /// Ends an observation when called or deallocated. All state is guarded by the lock.
    @usableFromInline final class ChangeEnd: @unchecked Sendable {
        private let lock = NSLock()
        private var end: (@Sendable () -> Void)?
        private var hasEnded = false

        var isOver: Bool { lock.withLock { hasEnded } }

        func hold(_ end: @escaping @Sendable () -> Void) {
            let isLate = lock.withLock {
                if !hasEnded { self.end = end }
                return hasEnded
            }
            if isLate { end() }
        }

        func call() {
            let end = lock.withLock {
                defer { self.end = nil }
                hasEnded = true
                return self.end
            }
            end?()
        }

        deinit { end?() }
    }
#endif
