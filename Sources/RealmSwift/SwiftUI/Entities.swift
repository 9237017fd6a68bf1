// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && canImport(OpenCombine)
    import Dispatch
    import RealmSwift
    import RegnumUI

    // What our own SwiftUI asks of objects. Apple's compares them by reference, and evaluates every row of a list.

    extension ObjectBase: EntityObject {
        /// Whether a view would show the same of both: of two versions, if nothing has changed that the object leads to.
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

    /// Lets views that were not evaluated, because nothing has changed that they show, let go of the versions they were
    /// given, once changes have ceased to come for a while.
    @MainActor enum Resting {
        /// How long there must have been no change, in seconds.
        static var delay = 1.0

        private static var changed: [ObjectIdentifier: () -> Void] = [:]
        private static var turn = 0
        /// Set and read on the main thread, where views are compared.
        nonisolated(unsafe) private static var isLettingGo = false

        /// Whether views may keep the one object for the other.
        nonisolated static func admits(_ old: ObjectBase, _ new: ObjectBase) -> Bool {
            guard let realm = new.realm, let before = old.realm, realm != before else { return true }
            if isLettingGo { return false }
            nonisolated(unsafe) let kept = realm
            DispatchQueue.main.async { kept.forgetComparisons() }
            return true
        }

        /// A view shows another version of something. `announce` has it evaluated again.
        static func hasChanged(_ following: AnyObject, _ announce: @escaping () -> Void) {
            changed[ObjectIdentifier(following)] = announce
            turn += 1
            let now = turn
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) {
                MainActor.assumeIsolated { if turn == now { letGo() } }
            }
        }

        static func letGo() {
            let all = changed.values
            changed = [:]
            isLettingGo = true
            for announce in all { announce() }
            // The evaluation comes before this on the main queue.
            DispatchQueue.main.async { MainActor.assumeIsolated { isLettingGo = false } }
        }
    }
#endif
