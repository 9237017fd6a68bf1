// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// The state of a user. Raw values are those of the file that stores users.
public enum UserState: UInt, Sendable {
    /// The user is known on this device, but has no tokens.
    case loggedOut = 0
    /// The user has tokens.
    case loggedIn = 1
    /// The user is removed. Its files are deleted the next time the app is created.
    case removed = 2
}

/// An account of a user. `linkUser(credentials:)` of ``User`` adds one.
public struct UserIdentity: Hashable, Sendable {
    /// The name of the authentication provider: the raw value of a ``Provider``.
    public let providerType: String
    /// The provider's identifier of the user.
    public let identifier: String

    /// Creates an identity.
    public init(providerType: String, identifier: String) {
        self.providerType = providerType
        self.identifier = identifier
    }

    /// Returns whether both identify the same account.
    public static func == (lhs: UserIdentity, rhs: UserIdentity) -> Bool {
        lhs.providerType.isIdentical(to: rhs.providerType) && lhs.identifier.isIdentical(to: rhs.identifier)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteText(providerType))
        hasher.combine(ByteText(identifier))
    }
}

/// The server's data about a user, as supplied by the authentication provider.
public struct UserProfile: Sendable {
    /// The complete data.
    public let metadata: Document

    /// Creates an empty profile.
    public init() { metadata = [:] }

    init(_ metadata: Document) { self.metadata = metadata }

    private func text(_ name: String) -> String? { metadata[name]??.stringValue }

    /// The full name.
    public var name: String? { text("name") }
    /// The email address.
    public var email: String? { text("email") }
    /// The URL of a picture of the user.
    public var pictureURL: String? { text("picture_url") }
    /// The first name.
    public var firstName: String? { text("first_name") }
    /// The family name.
    public var lastName: String? { text("last_name") }
    /// The gender.
    public var gender: String? { text("gender") }
    /// The date of birth.
    public var birthday: String? { text("birthday") }
    /// The minimum age of the user.
    public var minAge: String? { text("min_age") }
    /// The maximum age of the user.
    public var maxAge: String? { text("max_age") }
}

/// An API key with which a user logs in from other devices or programs: see ``APIKeyAuth``.
public struct UserAPIKey: Sendable {
    /// The server's identifier of the key.
    public let objectId: ObjectId
    /// The name that the user gave the key.
    public let name: String
    /// A Boolean value that indicates whether the key is disabled.
    public let disabled: Bool
    /// The secret itself, which is present only in the result of the key's creation.
    public let key: String?

    init?(_ json: JSON) {
        guard let text = json["_id"]?.text, let bits = ObjectIdBytes(hexadecimal: text), let name = json["name"]?.text
        else { return nil }
        objectId = ObjectId(bits: bits)
        self.name = name
        disabled = json["disabled"]?.bool ?? false
        key = json["key"]?.text
    }
}
