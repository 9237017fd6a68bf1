// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The users of flexible apps whose rights are decided again during their sessions. Confined to the engine's
    /// thread.
    struct RightsDesk {
        struct User: Hashable, Sendable {
            let app: ByteText
            let holder: ByteText

            init(_ grant: AccessGrant) { (app, holder) = (ByteText(grant.app), ByteText(grant.rightsHolder)) }
        }

        typealias Decision = Result<UserRights, SessionError>

        private struct Request {
            let grant: AccessGrant
            var state = State.waiting
            var changes: [RightsChange] = []
        }

        private enum State {
            case waiting
            /// The rights have changed again since the decision began.
            case deciding(isOutdated: Bool)
            /// The documents were busy.
            case decided(Decision)
        }

        /// A hook is called for so many users at once.
        private static let maxDecisions = 64

        private var requests: [User: Request] = [:]
        private var queue: ArraySlice<User> = []
        private var decidingCount = 0
        /// Some may be waiting for another decision again.
        private var decided: [User] = []

        /// Requests a decision for each user. `change` ends when the last one is in effect.
        mutating func request(_ grants: some Sequence<AccessGrant>, _ change: RightsChange?) {
            for grant in grants {
                let user = User(grant)
                var request = requests[user] ?? Request(grant: grant)
                if let change, !request.changes.contains(where: { $0 === change }) {
                    change.begin()
                    request.changes.append(change)
                }
                switch request.state {
                case .waiting: if requests[user] == nil { queue.append(user) }
                case .deciding: request.state = .deciding(isOutdated: true)
                case .decided:
                    request.state = .waiting
                    queue.append(user)
                }
                requests[user] = request
            }
        }

        /// Returns the users whose decisions begin now.
        mutating func takeDue() -> [AccessGrant] {
            var due: [AccessGrant] = []
            while decidingCount < RightsDesk.maxDecisions, let user = queue.popFirst() {
                guard let grant = requests[user]?.grant else { continue }
                requests[user]?.state = .deciding(isOutdated: false)
                decidingCount += 1
                due.append(grant)
            }
            return due
        }

        mutating func take(_ decision: Decision, of user: User) {
            decidingCount -= 1
            guard case .deciding(let isOutdated)? = requests[user]?.state else { return }
            requests[user]?.state = isOutdated ? .waiting : .decided(decision)
            if isOutdated { queue.append(user) } else { decided.append(user) }
        }

        /// Passes the decisions to `apply`, which returns false if a decision has to wait.
        mutating func apply(_ apply: (User, Decision) -> Bool) {
            if decided.isEmpty { return }
            decided.removeAll { user in
                guard let request = requests[user], case .decided(let decision) = request.state else { return true }
                guard apply(user, decision) else { return false }
                requests[user] = nil
                for change in request.changes { change.end() }
                return true
            }
        }

        var isEmpty: Bool { requests.isEmpty }

        /// Called when the engine stops.
        mutating func abandonAll() {
            for request in requests.values { for change in request.changes { change.end() } }
            (requests, queue, decided) = ([:], [], [])
        }
    }

    extension AccessGrant {
        /// The user and the request, on which rules can depend: sessions with the same holder have the same rights.
        var rightsHolder: String {
            guard let request else { return user }
            return request.headers.reduce("\(user)\(GrantedRights.separator)\(request.address.string)") {
                "\($0)\(GrantedRights.separator)\($1.name.string):\($1.value.string)"
            }
        }
    }

    /// A reported change of rights, which is over when it's in effect for all connected users.
    ///
    /// Unchecked `Sendable`: the engine's thread guards `count`.
    final class RightsChange: @unchecked Sendable {
        /// Nil for all apps.
        let app: ByteText?
        /// Nil for all users.
        let user: ByteText?
        private let didEnd: @Sendable () -> Void
        private var count = 0

        init(app: String?, user: String?, _ didEnd: @escaping @Sendable () -> Void = {}) {
            (self.app, self.user, self.didEnd) = (app.map { ByteText($0) }, user.map { ByteText($0) }, didEnd)
        }

        func concerns(_ grant: AccessGrant) -> Bool {
            (app == nil || app == ByteText(grant.app)) && (user == nil || user == ByteText(grant.user))
        }

        /// Called if the engine has stopped.
        func cancel() { didEnd() }

        func begin() { count += 1 }

        func end() {
            count -= 1
            if count == 0 { didEnd() }
        }
    }
#endif
