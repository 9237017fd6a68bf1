// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    /// Registration, confirmation, and password resets (§1.8).
    ///
    /// Responses don't reveal whether an address is registered, except if registrations don't need confirmation: then
    /// the next log-in would reveal it anyway.
    extension Accounts {
        func password(
            _ operation: Route.PasswordOperation, _ request: HTTPRequest, of app: App
        ) async throws -> HTTPResponse {
            guard let settings = app.configuration.passwords else { throw ServiceError.providerNotFound }
            let body = try request.document()
            switch operation {
            case .register: try await register(body, settings, of: app)
            case .confirm: try await confirm(body, of: app)
            case .sendConfirmation: try sendConfirmation(body, settings, of: app)
            case .callConfirmation: try await callConfirmation(body, settings, of: app)
            case .sendReset: try sendReset(body, settings, of: app)
            case .reset: try await reset(body, settings, of: app)
            case .callReset: try await callReset(body, settings, of: app)
            }
            return HTTPResponse(done: operation == .register ? 201 : 200)
        }

        // MARK: Registration

        private func register(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) async throws {
            let address = try address(in: body, of: app)
            let hash = try await newHash(body, settings)
            switch settings.confirmation {
            case .automatic: try await keep(address, hash, .success, nil, of: app)
            case .byMail: registerByMail(address, hash, settings, of: app)
            case .byFunction:
                let token = NewToken(at: clock.seconds, settings)
                let decision = try await decide(about: address, token, of: app)
                try await keep(address, hash, decision, token, of: app)
            }
        }

        private func keep(
            _ address: EmailAddress, _ hash: String, _ decision: AppHooks.Decision, _ token: NewToken?, of app: App
        ) async throws {
            let now = clock.seconds
            try await store.write { accounts in
                let known = try accounts.account(named: address.name(in: app.id))
                if decision == .success, known?.password?.isConfirmed == true { throw ServiceError.addressInUse }
                guard known?.password?.isConfirmed != true else { return }
                var account = known ?? .new(address, hash, in: app.id, at: now)
                if decision == .success {
                    account.setPassword(hash, isConfirmed: true)
                } else if let token {
                    account.add(token, .confirmation, newHash: hash)
                }
                try accounts.put(account)
            }
        }

        /// Runs in the background, because the time of the response must not depend on whether the address is
        /// registered.
        private func registerByMail(
            _ address: EmailAddress, _ hash: String, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) {
            let token = NewToken(at: clock.seconds, settings)
            inBackground { [self] in
                let isKnown = try await store.read {
                    try $0.account(named: address.name(in: app.id))?.password?.isConfirmed == true
                }
                if !isKnown { try await keep(address, hash, .pending, token, of: app) }
                try await app.send(isKnown ? .alreadyRegistered : .confirmation, address.text, isKnown ? nil : token)
            }
        }

        private func decide(about address: EmailAddress, _ token: NewToken, of app: App) async throws
            -> AppHooks.Decision
        {
            guard let confirm = app.hooks.confirm else { throw ServiceError.internalError }
            let isKnown = try await store.read {
                try $0.account(named: address.name(in: app.id))?.password?.isConfirmed == true
            }
            let question = AppHooks.Confirmation(
                address: address.text, token: token.secret, tokenId: token.id, isKnown: isKnown)
            let decision = try await asHook(of: app) { try await confirm(question) }
            guard decision != .failure else { throw ServiceError.badRequest("the confirmation failed") }
            return decision
        }

        // MARK: Confirmation

        private func confirm(_ body: HTTPRequest.Document, of app: App) async throws {
            let (secret, id) = (try body.text("token"), try body.text("tokenId"))
            let now = clock.seconds
            try await store.write { accounts in
                var account = try accounts.account(app.id, owning: id, secret, .confirmation, at: now)
                let token = account.mailTokens.first { $0.id == id }
                account.setPassword(token?.newHash, isConfirmed: true)
                account.mailTokens.removeAll { $0.purpose == .confirmation }
                try accounts.put(account)
            }
        }

        private func sendConfirmation(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) throws {
            guard settings.confirmation == .byMail else {
                throw ServiceError.badRequest("no mail confirms an address here")
            }
            let address = try address(in: body, of: app)
            sendToken(.confirmation, .confirmation, to: address, settings, of: app) { !$0.isConfirmed }
        }

        private func callConfirmation(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) async throws {
            guard settings.confirmation == .byFunction else {
                throw ServiceError.badRequest("no function confirms an address here")
            }
            let address = try address(in: body, of: app)
            let token = NewToken(at: clock.seconds, settings)
            let decision = try await decide(about: address, token, of: app)
            try await store.write { accounts in
                guard var account = try accounts.account(named: address.name(in: app.id)),
                    account.password?.isConfirmed == false
                else { return }
                if decision == .success {
                    account.setPassword(nil, isConfirmed: true)
                } else {
                    account.add(token, .confirmation, newHash: nil)
                }
                try accounts.put(account)
            }
        }

        // MARK: New passwords

        private func sendReset(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) throws {
            guard settings.reset == .byMail else { throw ServiceError.badRequest("no mail resets a password here") }
            sendToken(.reset, .reset, to: try address(in: body, of: app), settings, of: app) { _ in true }
        }

        private func reset(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) async throws {
            let (secret, id) = (try body.text("token"), try body.text("tokenId"))
            let hash = try await newHash(body, settings)
            let now = clock.seconds
            let user = try await store.write { accounts in
                let account = try accounts.account(app.id, owning: id, secret, .reset, at: now)
                return try accounts.replacePassword(of: account, hash)
            }
            changed(user, session: nil)
        }

        private func callReset(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings, of app: App
        ) async throws {
            guard settings.reset == .byFunction, let decide = app.hooks.resetPassword else {
                throw ServiceError.badRequest("no function resets a password here")
            }
            let address = try address(in: body, of: app)
            guard body.json["arguments"].map({ $0.elements != nil }) ?? true else {
                throw ServiceError.missing("arguments")
            }
            let hash = try await newHash(body, settings)
            let account = try await store.read { try $0.account(named: address.name(in: app.id)) }
            let token = NewToken(at: clock.seconds, settings)
            let question = AppHooks.PasswordReset(
                address: address.text, password: try body.text("password", longest: PasswordRule.longest),
                arguments: (body.json["arguments"] ?? .array([])).description, token: token.secret, tokenId: token.id,
                user: account?.id.user)
            let decision = try await asHook(of: app) { try await decide(question) }
            guard decision != .failure else { throw ServiceError.badRequest("the password is not reset") }
            let user: AccountID? = try await store.write { accounts in
                guard var account = try accounts.account(named: address.name(in: app.id)) else { return nil }
                if decision == .success { return try accounts.replacePassword(of: account, hash) }
                account.add(token, .reset, newHash: nil)
                try accounts.put(account)
                return nil
            }
            if let user { changed(user, session: nil) }
        }

        // MARK: Helpers

        private func address(in body: HTTPRequest.Document, of app: App) throws -> EmailAddress {
            let address = try EmailAddress(try body.text("email"))
            try limiter.admitAccount(address.name(in: app.id))
            return address
        }

        private func newHash(
            _ body: HTTPRequest.Document, _ settings: AppConfiguration.PasswordSettings
        ) async throws -> String {
            let password = try body.text("password", longest: PasswordRule.longest)
            try PasswordRule.check(password, settings)
            return try await hasher.hash(password)
        }

        /// Runs in the background. Sends nothing unless the address belongs to a user whose password satisfies `fits`.
        private func sendToken(
            _ purpose: Account.MailToken.Purpose, _ mail: AppHooks.Mail.Purpose, to address: EmailAddress,
            _ settings: AppConfiguration.PasswordSettings, of app: App,
            where fits: @escaping @Sendable (Account.Password) -> Bool
        ) {
            let token = NewToken(at: clock.seconds, settings)
            inBackground { [self] in
                let found: String? = try await store.write { accounts in
                    guard var account = try accounts.account(named: address.name(in: app.id)),
                        let password = account.password, fits(password)
                    else { return nil }
                    account.add(token, purpose, newHash: nil)
                    try accounts.put(account)
                    return password.address
                }
                if let found { try await app.send(mail, found, token) }
            }
        }

        private func inBackground(_ work: @escaping @Sendable () async throws -> Void) {
            Task { [log] in
                do {
                    try await work()
                } catch {
                    log.error("a mail was not sent", metadata: ["error": "\(type(of: error))"])
                }
            }
        }
    }

    extension Accounts.App {
        fileprivate func send(_ purpose: AppHooks.Mail.Purpose, _ address: String, _ token: NewToken?) async throws {
            guard let sendMail = hooks.sendMail else { return }
            let mail = AppHooks.Mail(
                purpose: purpose, address: address, token: token?.secret ?? "", tokenId: token?.id ?? "")
            try await TimeLimit.run(configuration.hookTimeLimit) { try await sendMail(mail) }
        }
    }

    /// The store contains only the digest; the secret exists only in the mail.
    struct NewToken: Sendable {
        let id: String
        let secret = RandomText.secret()
        let expiry: Int64

        init(at now: Int64, _ settings: AppConfiguration.PasswordSettings) {
            id = RandomText.identity(at: now)
            expiry = now + settings.mailTokenLifetime.components.seconds
        }
    }

    extension Account {
        /// Beyond it, the oldest token is removed.
        private static let maxMailTokens = 5

        static func new(_ address: EmailAddress, _ hash: String, in app: String, at now: Int64) -> Account {
            var account = Account.new(in: app, at: now)
            account.add(.password, name: address.folded, at: now)
            account.password = Password(address: address.text, hash: hash, isConfirmed: false)
            return account
        }

        fileprivate mutating func add(_ token: NewToken, _ purpose: MailToken.Purpose, newHash: String?) {
            mailTokens.append(
                MailToken(
                    purpose: purpose, id: token.id, digest: RandomText.digest(token.secret), expiry: token.expiry,
                    newHash: newHash))
            if mailTokens.count > Account.maxMailTokens { mailTokens.removeFirst() }
        }

        /// Leaves the password unchanged if the hash is `nil`.
        mutating func setPassword(_ hash: String?, isConfirmed: Bool) {
            if let hash { password?.hash = hash }
            password?.isConfirmed = isConfirmed
        }
    }

    extension AccountReader {
        /// - Throws: `ServiceError.invalidMailToken` if the token is unknown or expired, or has another purpose.
        fileprivate func account(
            _ app: String, owning id: String, _ secret: String, _ purpose: Account.MailToken.Purpose, at now: Int64
        ) throws -> Account {
            guard let account = try account(named: .mailToken(app, id)),
                let token = account.mailTokens.first(where: { $0.id == id }), token.purpose == purpose,
                token.expiry > now,
                isSameSecret(Array(token.digest.utf8), Array(RandomText.digest(secret).utf8))
            else { throw ServiceError.invalidMailToken }
            return account
        }
    }

    extension AccountWriter {
        /// Removes all sessions and mailed tokens, because the old password may be compromised. The mail has confirmed
        /// the address.
        fileprivate func replacePassword(of account: Account, _ hash: String) throws -> AccountID {
            var account = account
            account.setPassword(hash, isConfirmed: true)
            account.mailTokens.removeAll()
            account.sessions.removeAll()
            try put(account)
            return account.id
        }
    }
#endif
