// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    enum Credential: Sendable {
        case anonymous
        /// `hash` is the hash at the time of verification. `newHash` replaces it unless that is `nil`.
        case password(AccountID, address: String, hash: String, newHash: String?)
        case key(LoginName, digest: String)
        case external(Provider, ExternalUser)

        var provider: Provider {
            switch self {
            case .anonymous: .anonymous
            case .password: .password
            case .key: .key
            case .external(let provider, _): provider
            }
        }

        /// Creates the account of an anonymous or external user that doesn't exist.
        func account(in accounts: any AccountWriter, _ app: String, at now: Int64) throws -> Account {
            switch self {
            case .anonymous:
                var account = Account.new(in: app, at: now)
                account.add(provider, name: account.id.user, at: now)
                return account
            case .password(let id, _, let hash, let newHash):
                return try passwordAccount(id, hash, newHash, in: accounts)
            case .key(let name, let digest):
                guard let account = try accounts.account(named: name),
                    account.keys.contains(where: { $0.digest == digest && !$0.isDisabled })
                else { throw ServiceError.invalidKey }
                return account
            case .external(let provider, let user):
                var account =
                    try accounts.account(named: .identity(app, provider, user.id)) ?? .new(in: app, at: now)
                if account.identities.isEmpty { account.add(provider, name: user.id, at: now) }
                account.merge(user.profile)
                return account
            }
        }

        /// The password may have changed since it was verified.
        private func passwordAccount(
            _ id: AccountID, _ hash: String, _ newHash: String?, in accounts: any AccountWriter
        ) throws -> Account {
            guard var account = try accounts.account(id), account.password?.hash == hash else {
                throw ServiceError.invalidPassword
            }
            if let newHash { account.password?.hash = newHash }
            return account
        }

        /// Moves a password from its own user if that has never logged in. An identity that another user has isn't
        /// moved.
        func link(to account: inout Account, in accounts: any AccountWriter, at now: Int64) throws {
            switch self {
            case .anonymous, .key: throw ServiceError.invalid("such credentials cannot be linked to a user")
            case .password(let id, let address, let hash, let newHash):
                if id == account.id { return }
                let other = try passwordAccount(id, hash, newHash, in: accounts)
                guard !other.wasUsed else { throw ServiceError.identityInUse }
                guard account.password == nil else { throw ServiceError.invalid("the user has a password already") }
                try accounts.remove(id)
                account.password = other.password
                account.add(.password, name: address, at: now)
            case .external(let provider, let user):
                let name = LoginName.identity(account.id.app, provider, user.id)
                if let other = try accounts.account(named: name) {
                    guard other.id == account.id else { throw ServiceError.identityInUse }
                    return
                }
                account.add(provider, name: user.id, at: now)
                account.merge(user.profile)
            }
        }
    }

    extension Account {
        static func new(in app: String, at now: Int64) -> Account {
            Account(id: AccountID(app: app, user: RandomText.identity(at: now)), created: now)
        }

        mutating func add(_ provider: Provider, name: String, at now: Int64) {
            identities.append(Identity(id: RandomText.identity(at: now), provider: provider, name: name))
        }

        /// The last value of a member wins.
        mutating func merge(_ members: [JSON.Member]) {
            for member in members {
                profile.removeAll { $0.name == member.name }
                profile.append(member)
            }
        }
    }
#endif
