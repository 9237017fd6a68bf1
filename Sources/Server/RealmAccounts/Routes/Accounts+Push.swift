// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmStorage
    import RealmSyncCore

    /// Registrations of devices for push messages (§1.10), which the server only stores.
    extension Accounts {
        /// An account is read and written as a whole.
        private static let maximumRegistrationCount = 100

        func register(_ request: HTTPRequest, _ service: String, of user: Live) async throws -> HTTPResponse {
            guard service.utf8.count <= 1000 else { throw ServiceError.invalid("the name of the service is too long") }
            let token = request.method == "PUT" ? try request.document().text("registrationToken", longest: 4096) : nil
            let session = user.session.id
            try await change(user) { account in
                let sessions = account.sessions
                account.pushRegistrations.removeAll { registration in
                    guard registration.service.isIdentical(to: service), token != nil else {
                        return registration.service.isIdentical(to: service)
                    }
                    // A session that has ended can't replace its registration.
                    return registration.session.isIdentical(to: session)
                        || !sessions.contains { $0.id.isIdentical(to: registration.session) }
                }
                if let token {
                    guard account.pushRegistrations.count < Accounts.maximumRegistrationCount else {
                        throw ServiceError.invalid("the user has too many registered devices")
                    }
                    account.pushRegistrations.append(.init(service: service, session: session, token: token))
                }
            }
            return HTTPResponse(done: 204)
        }
    }
#endif
