// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Foundation
    #if !canImport(Darwin)
        import RealmSwift
    #endif

    /// Retains the token of an observation until it is cancelled, possibly before the token exists. `state` is guarded
    /// by `lock`.
    @usableFromInline final class TokenHolder: @unchecked Sendable {
        private let lock = NSLock()
        private var state = State.empty

        private enum State {
            case empty
            case holding(NotificationToken)
            case over
        }

        func hold(_ token: NotificationToken) {
            let isEnded = lock.withLock {
                if case .over = state { return true }
                state = .holding(token)
                return false
            }
            if isEnded { token.invalidate() }
        }

        func end() {
            let last = lock.withLock {
                defer { state = .over }
                return state
            }
            if case .holding(let token) = last { token.invalidate() }
        }
    }
#endif
