// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// Unchecked, because Combine's publishers use locks, but aren't declared `Sendable`.
    private struct ChangePublisher: @unchecked Sendable {
        let publisher = ObservableObjectPublisher()
    }

    /// A live value in a Realm that a view observes, and its frozen copy that the view shows.
    ///
    /// The copy is created on the first read in a version, and reused until the Realm advances. At most one copy exists
    /// between evaluations.
    @MainActor class Following<Value>: ObservableObject {
        nonisolated var objectWillChange: ObservableObjectPublisher { changes.publisher }
        nonisolated private let changes = ChangePublisher()
        private var token: NotificationToken?
        private var copy: Value?
        private var shownCopy: Value?
        private var isStale = false
        private var moves: NotificationToken?
        private var isMoving = false

        init() {}

        /// Overridden by subclasses.
        func makeCopy() -> Value { preconditionFailure("\(Self.self) must override makeCopy().") }

        /// Starts to observe the value. Returns nil if that isn't possible yet. Overridden by subclasses.
        func watch(_ changed: @escaping () -> Void) -> NotificationToken? { NotificationToken() }

        /// Finds the value again after `Realm.invalidate()`. Returns whether that was necessary and succeeded.
        /// Overridden by subclasses.
        func renew() -> Bool { false }

        var followedRealm: Realm? { nil }

        /// The copy, created on the first read after the last change.
        var value: Value {
            if let copy, !isStale { return copy }
            let made = makeCopy()
            (copy, isStale) = (made, false)
            return made
        }

        /// The copy shown by the view, which may be outdated between a change and the next evaluation.
        var shown: Value { shownCopy ?? value }

        func willEvaluate() { shownCopy = value }

        /// Restarts the observation, and discards the copy.
        func follow() {
            token?.invalidate()
            (copy, isStale) = (nil, false)
            begin()
            followMoves()
        }

        /// A copy pins its version, and so space in the file. If the Realm advances without a change of the value, the
        /// copy is released, and the next read creates one of the newer version.
        private func followMoves() {
            guard let realm = followedRealm, !realm.isFrozen, !realm.configuration.isImmutable else {
                return moves = nil
            }
            moves = realm.watchMoves { [weak self] in MainActor.assumeIsolated { self?.moved() } }
        }

        private func moved() {
            guard !isMoving else { return }
            isMoving = true
            // A change of the value is notified in the same turn, so `isStale` is set before this block runs.
            DispatchQueue.main.async { [weak self] in self?.hasMoved() }
        }

        private func hasMoved() {
            isMoving = false
            if renew() { return announce() }
            if !isStale { (copy, shownCopy) = (nil, nil) }
            #if !canImport(Darwin)
                Resting.hasMoved(self) { [weak self] in self?.objectWillChange.send() }
            #endif
        }

        private func begin() {
            token = watch { [weak self] in MainActor.assumeIsolated { self?.announce() } }
            guard token == nil else { return }
            // The current write transaction has already changed something. Observation begins after it ends.
            DispatchQueue.main.async { [weak self] in
                guard let self, token == nil else { return }
                begin()
                if token != nil { announce() }
            }
        }

        func announce() {
            guard !isStale else { return }
            isStale = true
            objectWillChange.send()
            // Releases the copy, even if no view reads the value again.
            DispatchQueue.main.async { [weak self] in
                guard let self, isStale else { return }
                (copy, shownCopy) = (nil, nil)
            }
        }
    }
#endif
