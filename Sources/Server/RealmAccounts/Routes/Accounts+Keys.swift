// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    /// The API keys of a user (§1.9).
    extension Accounts {
        private static let maxKeys = 20

        /// This is the only response that contains the secret.
        func makeKey(of user: Live, _ request: HTTPRequest) async throws -> HTTPResponse {
            guard user.app.configuration.allowsKeys else { throw ServiceError.providerNotFound }
            let name = try keyName(try request.document())
            let secret = RandomText.secret()
            let key = Account.Key(
                id: RandomText.identity(at: clock.seconds), name: name, digest: RandomText.digest(secret))
            try await change(user) { account in
                guard !account.keys.contains(where: { $0.name == name }) else { throw ServiceError.keyExists }
                guard account.keys.count < Accounts.maxKeys else {
                    throw ServiceError.invalid("a user has \(Accounts.maxKeys) API keys at most")
                }
                account.keys.append(key)
            }
            return HTTPResponse(201, key.json(secret: secret))
        }

        private func keyName(_ body: HTTPRequest.Document) throws -> String {
            let name = try body.text("name")
            guard Account.Key.isName(name) else { throw ServiceError.invalidKeyName }
            return name
        }

        func list(keysOf user: Live) -> HTTPResponse {
            HTTPResponse(200, .array(user.account.keys.map { $0.json(secret: nil) }))
        }

        func show(key id: String, of user: Live) throws -> HTTPResponse {
            guard let key = user.account.keys.first(where: { $0.id == id }) else { throw ServiceError.keyNotFound }
            return HTTPResponse(200, key.json(secret: nil))
        }

        func remove(key id: String, of user: Live) async throws -> HTTPResponse {
            try await change(user) { account in
                guard let index = account.keys.firstIndex(where: { $0.id == id }) else {
                    throw ServiceError.keyNotFound
                }
                account.keys.remove(at: index)
            }
            return HTTPResponse(done: 204)
        }

        func set(key id: String, _ isDisabled: Bool, of user: Live) async throws -> HTTPResponse {
            try await change(user) { account in
                guard let index = account.keys.firstIndex(where: { $0.id == id }) else {
                    throw ServiceError.keyNotFound
                }
                account.keys[index].isDisabled = isDisabled
            }
            return HTTPResponse(done: 204)
        }

        func change(_ user: Live, _ change: @escaping @Sendable (inout Account) throws -> Void) async throws {
            try await store.write { accounts in
                guard var account = try accounts.account(user.account.id) else { throw ServiceError.invalidSession }
                try change(&account)
                try accounts.put(account)
            }
        }
    }

    extension Account.Key {
        static func isName(_ name: String) -> Bool {
            (1...100).contains(name.utf8.count) && name.utf8.allSatisfy { isNameByte($0) }
        }

        fileprivate func json(secret: String?) -> JSON {
            var members = [JSON.Member("_id", .string(id))]
            if let secret { members.append(.init("key", .string(secret))) }
            members.append(.init("name", .string(name)))
            members.append(.init("disabled", .bool(isDisabled)))
            return .object(members)
        }
    }
#endif
