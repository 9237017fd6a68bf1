// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// A change of an account that concerns the connections of its user, on each server.
    package enum AccountEvent: Sendable, Equatable {
        /// The tokens of a session are revoked, or those of all sessions if it's `nil`.
        case revocation(session: String?)
        /// The identities, the profile, or the custom data have changed.
        case userChange

        /// Returns the events between two states of an account, which are `nil` if it doesn't exist.
        static func events(from old: Account?, to new: Account?) -> [AccountEvent] {
            guard let old else { return [] }
            guard let new else { return [.revocation(session: nil)] }
            var events: [AccountEvent] = []
            if new.isDisabled && !old.isDisabled {
                events.append(.revocation(session: nil))
            } else {
                let ended = old.sessions.filter { new.session($0.id) == nil }
                events = ended.map { .revocation(session: $0.id) }
            }
            let isSame =
                old.customData == new.customData && old.profile == new.profile && old.identities == new.identities
            return isSame ? events : events + [.userChange]
        }
    }

    /// An event, and its account.
    package struct AccountChange: Sendable, Equatable {
        package let account: AccountID
        package let event: AccountEvent
    }
#endif
