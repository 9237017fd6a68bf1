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

    /// Combine's publishers lock themselves, but aren't declared `Sendable`.
    private struct ChangePublisher: @unchecked Sendable {
        let publisher = ObservableObjectPublisher()
    }

    /// Something in a Realm that a view follows, with the unchanging copy of it that the view shows.
    ///
    /// A copy is made when a view reads it first in a version, and is the same while that lasts. At rest there is at
    /// most one.
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

        /// Makes a copy of the thing as it is now. Subclasses know how.
        func makeCopy() -> Value { preconditionFailure("\(Self.self) does not say what it follows.") }

        /// Begins to watch the thing; nil if that is not possible yet. Subclasses know how.
        func watch(_ changed: @escaping () -> Void) -> NotificationToken? { NotificationToken() }

        /// Finds the thing again that `Realm.invalidate()` took, and returns whether it did. Subclasses know how.
        func renew() -> Bool { false }

        /// The live Realm that the thing is in. Subclasses know it.
        var followedRealm: Realm? { nil }

        /// The thing as it was when it was read first after its last change.
        var value: Value {
            if let copy, !isStale { return copy }
            let made = makeCopy()
            (copy, isStale) = (made, false)
            return made
        }

        /// The thing as the view shows it, which may lag behind between a change and the next evaluation.
        var shown: Value { shownCopy ?? value }

        /// The view is about to be evaluated.
        func willEvaluate() { shownCopy = value }

        /// Follows from now on what the subclass says, of which nothing is known yet.
        func follow() {
            token?.invalidate()
            (copy, isStale) = (nil, false)
            begin()
            followMoves()
        }

        /// A copy keeps its version, and with it space of the file: of a newer version that has nothing else to show,
        /// one is made when it is read.
        private func followMoves() {
            guard let realm = followedRealm, !realm.isFrozen, !realm.configuration.isImmutable else {
                return moves = nil
            }
            moves = realm.watchMoves { [weak self] in MainActor.assumeIsolated { self?.moved() } }
        }

        private func moved() {
            guard !isMoving else { return }
            isMoving = true
            // Whether something has changed is told in the same turn.
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
            // A write that has changed something already is in progress: what comes of it is seen after it.
            DispatchQueue.main.async { [weak self] in
                guard let self, token == nil else { return }
                begin()
                if token != nil { announce() }
            }
        }

        /// Tells the view that the thing has changed.
        func announce() {
            guard !isStale else { return }
            isStale = true
            objectWillChange.send()
            // A view that does not read it lets go of the copy too.
            DispatchQueue.main.async { [weak self] in
                guard let self, isStale else { return }
                (copy, shownCopy) = (nil, nil)
            }
        }
    }
#endif
