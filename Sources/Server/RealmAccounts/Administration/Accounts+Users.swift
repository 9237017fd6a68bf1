// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    extension Accounts {
        private static let maxPage = 1000
        /// The maximum number of accounts that a search examines for one page.
        private static let maxExamined = 5000

        /// - Parameter text: In lowercase.
        func users(
            of app: String, matching text: String, after position: String?, limit: Int
        ) async throws -> UserPage {
            let id = try self.app(app).id
            var start: Int64?
            if let position {
                start = Int64(position)
                guard start != nil else { throw ServiceError.invalid("'\(position)' isn't a position in the users") }
            }
            let (first, now) = (start, clock.seconds)
            let limit = min(max(1, limit), Accounts.maxPage)
            return try await store.read { accounts in
                var page = UserPage(users: [])
                let examined = text.isEmpty ? limit : Accounts.maxExamined
                let ids = try accounts.positions(of: id, after: first, limit: examined + 1)
                for (index, position) in ids.enumerated() {
                    guard index < examined, page.users.count < limit else { break }
                    page.next = index + 1 < ids.count ? String(position) : nil
                    guard let account = try accounts.account(at: position) else { continue }
                    let user = ServerUser(account, at: now)
                    if user.matches(text) { page.users.append(user) }
                }
                return page
            }
        }

        func createUser(email: String, password: String, in app: String) async throws -> ServerUser {
            let app = try self.app(app)
            guard let settings = app.configuration.passwords else { throw ServiceError.providerNotFound }
            let address = try EmailAddress(email)
            try PasswordRule.check(password, settings)
            let hash = try await hasher.hash(password)
            let now = clock.seconds
            return try await store.write { accounts in
                let known = try accounts.account(named: address.name(in: app.id))
                guard known?.password?.isConfirmed != true else { throw ServiceError.addressInUse }
                var account = known ?? .new(address, hash, in: app.id, at: now)
                account.setPassword(hash, isConfirmed: true)
                account.mailTokens.removeAll()
                try accounts.put(account)
                return ServerUser(account, at: now)
            }
        }

        /// Returns whether the user existed.
        func remove(_ id: AccountID) async throws -> Bool {
            let existed = try await store.write { accounts in
                let existed = try accounts.account(id) != nil
                try accounts.remove(id)
                return existed
            }
            if existed { changed(id, session: nil) }
            return existed
        }

        func userCount(of app: String) async throws -> Int {
            try await store.read { try $0.positions(of: app, after: nil, limit: .max).count }
        }
    }
#endif
