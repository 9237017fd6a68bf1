// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && canImport(OpenCombine)
    import Dispatch
    import RealmSwift
    import RegnumUI

    // Comparisons for this package's SwiftUI. Apple's compares objects by reference, and evaluates each row of a list.

    extension ObjectBase: EntityObject {
        /// Two versions of an object look the same if no object reachable from it has changed.
        package func showsSame(as other: AnyObject) -> Bool {
            guard let other = other as? ObjectBase, isSameEntity(as: other) else { return false }
            return Resting.admits(self, other) && other.isUnchanged(since: self)
        }

        package func isSameEntity(as other: AnyObject) -> Bool {
            (other as? ObjectBase).map { isSameEntity(as: $0) } ?? false
        }
    }

    extension Projection: EntityObject {
        package func showsSame(as other: AnyObject) -> Bool {
            (other as? Projection).map { type(of: $0) == type(of: self) && rootObject.showsSame(as: $0.rootObject) }
                ?? false
        }

        package func isSameEntity(as other: AnyObject) -> Bool { isSameThing(as: other) }
    }

    /// Releases old versions that idle views retain. A view whose content hasn't changed isn't evaluated, so it retains
    /// its version. Some time after a change, all such views are evaluated once with the newest version.
    @MainActor enum Resting {
        /// The delay after a change, in seconds.
        static var delay = 1.0

        private static var moved: [ObjectIdentifier: () -> Void] = [:]
        private static var isWaiting = false
        /// Set and read on the main thread, where views are compared.
        nonisolated(unsafe) private static var isLettingGo = false

        nonisolated static func admits(_ old: ObjectBase, _ new: ObjectBase) -> Bool {
            guard let realm = new.realm, let before = old.realm, realm != before else { return true }
            if unsafe isLettingGo { return false }
            // The Realm never changes its coordinator, whose lock guards the comparisons.
            nonisolated(unsafe) let kept = realm
            DispatchQueue.main.async { unsafe kept.forgetComparisons() }
            return true
        }

        /// Schedules a call of `evaluate`, which evaluates the view again. Called after the observed Realm has
        /// advanced.
        static func hasMoved(_ following: AnyObject, _ evaluate: @escaping () -> Void) {
            moved[ObjectIdentifier(following)] = evaluate
            guard !isWaiting else { return }
            isWaiting = true
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) {
                MainActor.assumeIsolated {
                    isWaiting = false
                    evict()
                }
            }
        }

        static func evict() {
            let all = moved.values
            moved = [:]
            unsafe isLettingGo = true
            for evaluate in all { evaluate() }
            // The views are evaluated before this block runs on the main queue.
            DispatchQueue.main.async { MainActor.assumeIsolated { unsafe isLettingGo = false } }
        }
    }
#endif
