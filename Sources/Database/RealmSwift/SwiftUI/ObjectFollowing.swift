// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// One object, projection or collection that a view follows, managed or not.
    @MainActor final class ObjectFollowing<T: ThreadConfined>: Following<T> {
        private let makeSpare: () -> T
        private(set) var given: T
        private var isFollowing = false
        private var live: T?
        private var spare: T?

        /// `makeSpare` makes what is shown in the place of what is gone.
        init(_ given: T, _ makeSpare: @escaping () -> T) {
            (self.given, self.makeSpare) = (given, makeSpare)
        }

        /// Takes what the view was given, and follows another thing only if it is one.
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

        /// Begins to follow, also what has come to be managed since.
        private func start() {
            guard given.realm != nil else {
                UnmanagedThings.follow(self, of: given)
                return
            }
            isFollowing = true
            live = given.isInvalidated ? nil : given.isFrozen ? given.thaw() : given
            // A frozen one would keep its version.
            if let live { given = live }
            follow()
        }

        /// The thing where it can be changed; nil if it is gone.
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
            // What a write in progress has made has no copy yet.
            guard let realm = target.realm, !realm.isInWriteTransaction else { return target }
            return target.freeze()
        }
    }

    /// The views that follow what no Realm manages: such things do not tell of their changes, so that bindings do it.
    @MainActor enum UnmanagedThings {
        private struct Follower {
            weak var following: AnyObject?
            let announce: @MainActor () -> Void
        }

        private static var followers: [ObjectIdentifier: [Follower]] = [:]

        /// A view that follows an object follows a collection in it.
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

        /// Tells the views that follow a thing that it is about to change.
        static func announce(_ thing: Any) {
            guard let id = Self.id(of: thing), let told = followers[id] else { return }
            for follower in told { follower.announce() }
            if told.allSatisfy({ $0.following == nil }) { followers[id] = nil }
        }

        private static func id(of thing: Any) -> ObjectIdentifier? {
            if let projection = thing as? any ProjectionObservable { return ObjectIdentifier(projection.rootObject) }
            return ObjectIdentifier(thing as AnyObject)
        }
    }
#endif
