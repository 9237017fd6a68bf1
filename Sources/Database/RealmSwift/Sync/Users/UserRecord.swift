// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

struct UserRecord: Sendable, Equatable {
    var identity: String
    var accessToken = ""
    var refreshToken = ""
    var identities: [UserIdentity] = []
    var state = UserState.loggedOut
    var deviceId = ""
    /// The profile as Extended JSON.
    var profile = ""

    var isAnonymous: Bool { identities.map(\.providerType) == [Provider.anonymous.rawValue] }

    func ended(_ state: UserState) -> UserRecord {
        var record = self
        record.accessToken = ""
        record.refreshToken = ""
        record.state = state
        return record
    }

    /// Applies the response to a login (§1.4).
    ///
    /// - Throws: `AppError.unknown` if a token is missing or malformed.
    mutating func take(login answer: JSON) throws {
        try take(accessToken: answer)
        guard let refresh = answer["refresh_token"]?.text, Token(refresh) != nil else {
            throw AppError(.unknown, "The server's response to the login has no refresh token.")
        }
        refreshToken = refresh
        deviceId = answer["device_id"]?.text ?? ""
        state = .loggedIn
    }

    mutating func take(accessToken answer: JSON) throws {
        guard let access = answer["access_token"]?.text, Token(access) != nil else {
            throw AppError(.unknown, "The server's response has no access token.")
        }
        accessToken = access
    }

    /// Applies a profile (§1.6).
    ///
    /// - Throws: `AppError.unknown` if the identities or the data are missing.
    mutating func take(profile answer: JSON) throws {
        guard let identities = answer["identities"]?.elements, let data = answer["data"], Document(json: data) != nil
        else { throw AppError(.unknown, "The server's profile of the user '\(identity)' is incomplete.") }
        self.identities = try identities.map { entry in
            guard let id = entry["id"]?.text, let provider = entry["provider_type"]?.text else {
                throw AppError(.unknown, "An identity of the user '\(identity)' is incomplete.")
            }
            return UserIdentity(providerType: provider, identifier: id)
        }
        profile = data.description
    }
}
