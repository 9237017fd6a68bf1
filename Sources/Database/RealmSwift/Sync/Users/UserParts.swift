// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// Whether a user is logged in. The raw values are those of the file that users are kept in.
public enum UserState: UInt, Sendable {
    /// Known on this device, and without tokens.
    case loggedOut = 0
    /// With tokens.
    case loggedIn = 1
    /// Forgotten. Its files go when the app is made next.
    case removed = 2
}

/// One of the accounts of a user: `linkUser(credentials:)` of ``User`` adds one.
public struct UserIdentity: Hashable, Sendable {
    /// The name of the way to log in: the raw value of a ``Provider``.
    public let providerType: String
    /// What the provider calls the user.
    public let identifier: String

    /// Makes an identity.
    public init(providerType: String, identifier: String) {
        self.providerType = providerType
        self.identifier = identifier
    }

    /// Whether both are the same account.
    public static func == (lhs: UserIdentity, rhs: UserIdentity) -> Bool {
        lhs.providerType.isIdentical(to: rhs.providerType) && lhs.identifier.isIdentical(to: rhs.identifier)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteText(providerType))
        hasher.combine(ByteText(identifier))
    }
}

/// What the server knows of a user, as far as the way it logged in tells.
public struct UserProfile: Sendable {
    /// All of it.
    public let metadata: Document

    /// Makes a profile that says nothing.
    public init() { metadata = [:] }

    init(_ metadata: Document) { self.metadata = metadata }

    private func text(_ name: String) -> String? { metadata[name]??.stringValue }

    /// The full name.
    public var name: String? { text("name") }
    /// The address for e-mail.
    public var email: String? { text("email") }
    /// Where a picture is.
    public var pictureURL: String? { text("picture_url") }
    /// The first name.
    public var firstName: String? { text("first_name") }
    /// The family name.
    public var lastName: String? { text("last_name") }
    /// The gender.
    public var gender: String? { text("gender") }
    /// The day of birth.
    public var birthday: String? { text("birthday") }
    /// The least age that the user may have.
    public var minAge: String? { text("min_age") }
    /// The greatest age that the user may have.
    public var maxAge: String? { text("max_age") }
}

/// A key that a user logs in with from elsewhere: see ``APIKeyAuth``.
public struct UserAPIKey: Sendable {
    /// What the server calls the key.
    public let objectId: ObjectId
    /// What its user calls it.
    public let name: String
    /// Whether the server refuses it at present.
    public let disabled: Bool
    /// The key itself: only right after it was created.
    public let key: String?

    /// Nil unless it has an identifier and a name.
    init?(_ json: JSON) {
        guard let text = json["_id"]?.text, let bits = ObjectIdBytes(hexadecimal: text), let name = json["name"]?.text
        else { return nil }
        objectId = ObjectId(bits: bits)
        self.name = name
        disabled = json["disabled"]?.bool ?? false
        key = json["key"]?.text
    }
}
