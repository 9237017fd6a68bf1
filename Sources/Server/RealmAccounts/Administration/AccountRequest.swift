// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// An operation on accounts, as `realm-server users` and the admin page send it to a server.
    package struct AccountRequest: Codable, Sendable {
        package enum Action: String, Codable, Sendable {
            case list, create, disable, enable, revoke, delete
            case setCustomData = "set-custom-data"
            case makeKey = "make-key"
        }

        package var action: Action
        package var app: String
        /// The user of `disable`, `enable`, `revoke`, `delete`, and `setCustomData`.
        package var user: String?
        /// The e-mail address and the password of `create`.
        package var email: String?
        package var password: String?
        /// The name of `makeKey`.
        package var name: String?
        /// The object of `setCustomData`.
        package var customData: String?
        /// The parameters of `list`.
        package var text: String?
        package var after: String?
        package var limit: Int?

        package init(_ action: Action, app: String) { (self.action, self.app) = (action, app) }

        /// - Throws: `AccountError` if a member is missing or the operation fails.
        package func perform(on accounts: ServerAccounts) async throws -> AccountResponse {
            var response = AccountResponse()
            switch action {
            case .list:
                response.page = try await accounts.users(
                    of: app, matching: text ?? "", after: after, limit: limit ?? 100)
            case .create:
                response.user = try await accounts.createUser(
                    email: try required(email, "email"), password: try required(password, "password"), in: app)
            case .makeKey: response.key = try await accounts.createKey(named: try required(name, "name"), in: app)
            case .disable: try await accounts.disable(try required(user, "user"), in: app)
            case .enable: try await accounts.enable(try required(user, "user"), in: app)
            case .revoke: try await accounts.revokeSessions(of: try required(user, "user"), in: app)
            case .delete: try await accounts.delete(try required(user, "user"), in: app)
            case .setCustomData:
                try await accounts.setCustomData(customData, of: try required(user, "user"), in: app)
            }
            return response
        }

        private func required(_ value: String?, _ name: String) throws -> String {
            guard let value else { throw AccountError(.invalid, "'\(name)' is missing") }
            return value
        }
    }

    /// The result of an `AccountRequest`.
    package struct AccountResponse: Codable, Sendable {
        package var page: UserPage?
        package var user: ServerUser?
        package var key: ServerKey?
    }
#endif
