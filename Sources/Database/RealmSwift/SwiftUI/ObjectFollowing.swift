// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    @MainActor final class ObjectFollowing<T: ThreadConfined>: Following<T> {
        private let makeSpare: () -> T
        private(set) var given: T
        private var isFollowing = false
        private var live: T?
        private var spare: T?

        init(_ given: T, _ makeSpare: @escaping () -> T) {
            (self.given, self.makeSpare) = (given, makeSpare)
        }

        /// Called with the view's current value. Restarts the observation only if it is a different object.
        func install(_ new: T) {
            let isSame = (given as? any Watchable)?.isSameThing(as: new) ?? false
            if !isSame { replace(by: new) } else if !isFollowing { start() }
            willEvaluate()
        }

        func replace(by new: T) {
            UnmanagedThings.forget(self, of: given)
            (given, isFollowing, live, spare) = (new, false, nil, nil)
            start()
        }

        /// Called again when an unmanaged value has become managed.
        private func start() {
            guard given.realm != nil else {
                UnmanagedThings.follow(self, of: given)
                return
            }
            isFollowing = true
            live = given.isInvalidated ? nil : given.isFrozen ? given.thaw() : given
            // A frozen value would pin its version.
            if let live { given = live }
            follow()
        }

        var target: T? {
            if !isFollowing, given.realm != nil { start() }
            guard isFollowing else { return given }
            _ = renew()
            return live.flatMap { $0.isInvalidated ? nil : $0 }
        }

        override func renew() -> Bool {
            guard let live, live.isInvalidated, let renewed = live.renewed() else { return false }
            (given, self.live) = (renewed, renewed)
            follow()
            return true
        }

        override var followedRealm: Realm? { live?.realm }

        override func watch(_ changed: @escaping () -> Void) -> NotificationToken? {
            (live as? any Watchable)?.watch(nil, changed) ?? (live == nil ? NotificationToken() : nil)
        }

        override func makeCopy() -> T {
            guard let target else {
                if let spare { return spare }
                let made = makeSpare()
                spare = made
                return made
            }
            // An object created in the current write transaction can't be frozen yet.
            guard let realm = target.realm, !realm.isInWriteTransaction else { return target }
            return target.freeze()
        }
    }

    /// The views that observe unmanaged values. These values don't notify observers of changes, so bindings do.
    @MainActor enum UnmanagedThings {
        private struct Follower {
            weak var following: AnyObject?
            let announce: @MainActor () -> Void
        }

        private static var followers: [ObjectIdentifier: [Follower]] = [:]

        static func link(_ collection: Any, to object: Any) {
            guard let id = Self.id(of: collection), let owner = Self.id(of: object) else { return }
            followers[id] = followers[owner]?.filter { $0.following != nil }
        }

        static func follow<T>(_ following: ObjectFollowing<T>, of thing: Any) {
            guard let id = Self.id(of: thing) else { return }
            forget(following, of: thing)
            followers[id, default: []].append(
                Follower(following: following) { [weak following] in following?.announce() })
        }

        static func forget(_ following: AnyObject, of thing: Any) {
            guard let id = Self.id(of: thing) else { return }
            followers[id]?.removeAll { $0.following == nil || $0.following === following }
            if followers[id]?.isEmpty == true { followers[id] = nil }
        }

        /// Called before the value changes.
        static func announce(_ thing: Any) {
            guard let id = Self.id(of: thing), let known = followers[id] else { return }
            for follower in known { follower.announce() }
            if known.allSatisfy({ $0.following == nil }) { followers[id] = nil }
        }

        private static func id(of thing: Any) -> ObjectIdentifier? {
            if let projection = thing as? any ProjectionObservable { return ObjectIdentifier(projection.rootObject) }
            return ObjectIdentifier(thing as AnyObject)
        }
    }
#endif
