// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && canImport(OpenCombine)
    import Dispatch
    import RealmSwift
    import RegnumUI

    // What our own SwiftUI asks of objects. Apple's compares them by reference, and evaluates every row of a list.

    extension ObjectBase: EntityObject {
        /// Whether a view would show the same of both: of two versions, if nothing has changed that the object leads
        /// to.
        package func showsSame(as other: AnyObject) -> Bool {
            guard let other = other as? ObjectBase, isSameEntity(as: other) else { return false }
            return Resting.admits(self, other) && other.isUnchanged(since: self)
        }

        /// Whether both are one row.
        package func isSameEntity(as other: AnyObject) -> Bool {
            (other as? ObjectBase).map { isSameEntity(as: $0) } ?? false
        }
    }

    extension Projection: EntityObject {
        /// As of the objects that both show.
        package func showsSame(as other: AnyObject) -> Bool {
            (other as? Projection).map { type(of: $0) == type(of: self) && rootObject.showsSame(as: $0.rootObject) }
                ?? false
        }

        /// Whether both show one row.
        package func isSameEntity(as other: AnyObject) -> Bool { isSameThing(as: other) }
    }

    /// Lets views that were not evaluated, because nothing has changed that they show, let go of the versions that they
    /// were given: some time after a change all are evaluated once, with what is the newest version then.
    @MainActor enum Resting {
        /// How long after a change that is, in seconds.
        static var delay = 1.0

        private static var moved: [ObjectIdentifier: () -> Void] = [:]
        private static var isWaiting = false
        /// Set and read on the main thread, where views are compared.
        nonisolated(unsafe) private static var isLettingGo = false

        /// Whether views may keep the one object for the other.
        nonisolated static func admits(_ old: ObjectBase, _ new: ObjectBase) -> Bool {
            guard let realm = new.realm, let before = old.realm, realm != before else { return true }
            if unsafe isLettingGo { return false }
            nonisolated(unsafe) let kept = realm
            DispatchQueue.main.async { unsafe kept.forgetComparisons() }
            return true
        }

        /// What a view follows is in a Realm that has moved on. `evaluate` has the view evaluated again.
        static func hasMoved(_ following: AnyObject, _ evaluate: @escaping () -> Void) {
            moved[ObjectIdentifier(following)] = evaluate
            guard !isWaiting else { return }
            isWaiting = true
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) {
                MainActor.assumeIsolated {
                    isWaiting = false
                    letGo()
                }
            }
        }

        static func letGo() {
            let all = moved.values
            moved = [:]
            unsafe isLettingGo = true
            for evaluate in all { evaluate() }
            // The evaluation comes before this on the main queue.
            DispatchQueue.main.async { MainActor.assumeIsolated { unsafe isLettingGo = false } }
        }
    }
#endif
