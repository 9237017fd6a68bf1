// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    extension Account {
        package var document: JSON {
            var members: [JSON.Member] = [.init("created", .int(created))]
            if isDisabled { members.append(.init("disabled", true)) }
            if wasUsed { members.append(.init("used", true)) }
            members.append(.init("identities", .array(identities.map(\.document))))
            if let password { members.append(.init("password", password.document)) }
            if !mailTokens.isEmpty { members.append(.init("mailTokens", .array(mailTokens.map(\.document)))) }
            if !keys.isEmpty { members.append(.init("keys", .array(keys.map(\.document)))) }
            if !sessions.isEmpty { members.append(.init("sessions", .array(sessions.map(\.document)))) }
            if !profile.isEmpty { members.append(.init("profile", .object(profile))) }
            if let customData { members.append(.init("customData", customData)) }
            if !pushRegistrations.isEmpty {
                members.append(.init("push", .array(pushRegistrations.map(\.document))))
            }
            return .object(members)
        }

        package init?(id: AccountID, _ document: JSON) {
            guard let created: Int64 = document["created"]?.integer(),
                let identities = all(document["identities"], Identity.init), let keys = all(document["keys"], Key.init),
                let sessions = all(document["sessions"], Session.init),
                let mailTokens = all(document["mailTokens"], MailToken.init),
                let pushRegistrations = all(document["push"], PushRegistration.init)
            else { return nil }
            self.init(id: id, created: created)
            (self.identities, self.keys, self.sessions, self.mailTokens) = (identities, keys, sessions, mailTokens)
            self.pushRegistrations = pushRegistrations
            isDisabled = document["disabled"]?.bool == true
            wasUsed = document["used"]?.bool == true
            if let stored = document["password"] {
                guard let password = Password(stored) else { return nil }
                self.password = password
            }
            profile = document["profile"]?.members ?? []
            customData = document["customData"]
        }
    }

    /// The array can be missing. Returns `nil` if an element is invalid.
    private func all<Element>(_ json: JSON?, _ element: (JSON) -> Element?) -> [Element]? {
        guard let json else { return [] }
        guard let elements = json.elements else { return nil }
        let read = elements.compactMap(element)
        return read.count == elements.count ? read : nil
    }

    extension Account.Identity {
        fileprivate var document: JSON {
            ["id": .string(id), "provider": .string(provider.rawValue), "name": .string(name)]
        }

        fileprivate init?(_ json: JSON) {
            guard let id = json["id"]?.text, let name = json["name"]?.text,
                let provider = json["provider"]?.text.flatMap(Provider.init(rawValue:))
            else { return nil }
            self.init(id: id, provider: provider, name: name)
        }
    }

    extension Account.Password {
        fileprivate var document: JSON {
            ["address": .string(address), "hash": .string(hash), "confirmed": .bool(isConfirmed)]
        }

        fileprivate init?(_ json: JSON) {
            guard let address = json["address"]?.text, let hash = json["hash"]?.text,
                let isConfirmed = json["confirmed"]?.bool
            else { return nil }
            self.init(address: address, hash: hash, isConfirmed: isConfirmed)
        }
    }

    extension Account.MailToken {
        fileprivate var document: JSON {
            var members: [JSON.Member] = [
                .init("purpose", .string(purpose.rawValue)), .init("id", .string(id)),
                .init("digest", .string(digest)), .init("expiry", .int(expiry)),
            ]
            if let newHash { members.append(.init("newHash", .string(newHash))) }
            return .object(members)
        }

        fileprivate init?(_ json: JSON) {
            guard let purpose = json["purpose"]?.text.flatMap(Purpose.init(rawValue:)), let id = json["id"]?.text,
                let digest = json["digest"]?.text, let expiry: Int64 = json["expiry"]?.integer()
            else { return nil }
            self.init(purpose: purpose, id: id, digest: digest, expiry: expiry, newHash: json["newHash"]?.text)
        }
    }

    extension Account.Key {
        fileprivate var document: JSON {
            ["id": .string(id), "name": .string(name), "digest": .string(digest), "disabled": .bool(isDisabled)]
        }

        fileprivate init?(_ json: JSON) {
            guard let id = json["id"]?.text, let name = json["name"]?.text, let digest = json["digest"]?.text,
                let isDisabled = json["disabled"]?.bool
            else { return nil }
            self.init(id: id, name: name, digest: digest, isDisabled: isDisabled)
        }
    }

    extension Account.PushRegistration {
        fileprivate var document: JSON {
            ["service": .string(service), "session": .string(session), "token": .string(token)]
        }

        fileprivate init?(_ json: JSON) {
            guard let service = json["service"]?.text, let session = json["session"]?.text,
                let token = json["token"]?.text
            else { return nil }
            self.init(service: service, session: session, token: token)
        }
    }

    extension Account.Session {
        fileprivate var document: JSON {
            [
                "id": .string(id), "device": .string(device), "provider": .string(provider.rawValue),
                "expiry": .int(expiry),
            ]
        }

        fileprivate init?(_ json: JSON) {
            guard let id = json["id"]?.text, let device = json["device"]?.text,
                let provider = json["provider"]?.text.flatMap(Provider.init(rawValue:)),
                let expiry: Int64 = json["expiry"]?.integer()
            else { return nil }
            self.init(id: id, device: device, provider: provider, expiry: expiry)
        }
    }
#endif
