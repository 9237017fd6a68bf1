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

    /// Guarded by its lock.
    package final class RevocationObservers: @unchecked Sendable {
        private let lock = Lock()
        private var observers: [@Sendable (Revocation) -> Void] = []

        package init() {}

        package func add(_ observer: @escaping @Sendable (Revocation) -> Void) {
            lock.locked { observers.append(observer) }
        }

        package func publish(_ revocation: Revocation) {
            for observer in lock.locked({ observers }) { observer(revocation) }
        }
    }
#endif
