// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSystem

    package struct Revocation: Sendable {
        package var app: String
        package var user: String
        /// `nil` for all sessions of the user.
        package var session: String?

        package init(app: String, user: String, session: String?) {
            (self.app, self.user, self.session) = (app, user, session)
        }

        package func concerns(_ grant: AccessGrant) -> Bool {
            app.isIdentical(to: grant.app) && user.isIdentical(to: grant.user)
                && session?.isIdentical(to: grant.session) != false
        }
    }

    /// A change of a user's custom data, profile, or identities.
    package struct UserChange: Sendable {
        package var app: String
        package var user: String

        package init(app: String, user: String) { (self.app, self.user) = (app, user) }
    }

    /// Guarded by its lock.
    package final class EventObservers<Event: Sendable>: @unchecked Sendable {
        private let lock = Lock()
        private var observers: [@Sendable (Event) -> Void] = []

        package init() {}

        package func add(_ observer: @escaping @Sendable (Event) -> Void) {
            lock.locked { observers.append(observer) }
        }

        package func removeAll() { lock.locked { observers = [] } }

        package func publish(_ event: Event) {
            for observer in lock.locked({ observers }) { observer(event) }
        }
    }
#endif
