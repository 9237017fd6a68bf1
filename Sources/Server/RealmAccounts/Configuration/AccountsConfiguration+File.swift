// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    extension AccountsConfiguration {
        /// Creates a configuration from JSON: an object with the members `apps`, `publicURL`, `allowedOrigins`,
        /// `limits`, and `trustedProxies`. Only `apps` is required. Set the hooks afterwards.
        ///
        /// - Throws: `ConfigurationError`, whose description names an invalid or unknown member.
        public init(json bytes: [UInt8]) throws {
            let json: JSON
            do {
                json = try JSON(parsing: bytes)
            } catch {
                // The text at this offset may be a secret.
                throw ConfigurationError("the configuration isn't JSON at byte \(error.offset)")
            }
            let members = try Members(
                json, "the configuration", known: ["apps", "publicURL", "allowedOrigins", "limits", "trustedProxies"])
            guard let elements = members["apps"]?.elements else { throw ConfigurationError("'apps' isn't an array") }
            self.init(apps: try elements.map { try AppConfiguration($0) })
            publicURL = try members.text("publicURL")
            allowedOrigins = try members.texts("allowedOrigins")
            if let json = members["limits"] { limits = try RateLimits(json) }
            trustedProxies = try (members.texts("trustedProxies") ?? []).map { text in
                if let range = AddressRange(text) { return range }
                throw ConfigurationError("'trustedProxies': '\(text)' isn't an address or a range such as 10.0.0.0/8")
            }
        }
    }

    extension AccountsConfiguration.RateLimits {
        fileprivate init(_ json: JSON) throws {
            self.init()
            let members = try Members(json, "'limits'", known: ["requests", "credentials", "account"])
            func limit(_ name: String) throws -> Limit? {
                guard let json = members[name] else { return nil }
                let values = try Members(json, "'\(name)' of 'limits'", known: ["burst", "perMinute"])
                guard let burst = try values.number("burst"), let perMinute = try values.number("perMinute") else {
                    throw ConfigurationError("'\(name)' of 'limits' has both 'burst' and 'perMinute'")
                }
                return Limit(burst: Int(burst), perMinute: Int(perMinute))
            }
            requests = try limit("requests") ?? requests
            credentials = try limit("credentials") ?? credentials
            account = try limit("account") ?? account
        }
    }

    extension AppConfiguration {
        fileprivate init(_ json: JSON) throws {
            guard let id = json["id"]?.text else { throw ConfigurationError("an app has no 'id'") }
            let members = try Members(
                json, "app '\(id)'",
                known: [
                    "id", "anonymous", "passwords", "keys", "customTokens", "accessLifetime", "refreshLifetime",
                    "hookTimeLimit", "appleClients", "googleClients",
                ])
            self.init(id: id)
            allowsAnonymousUsers = try members.bool("anonymous") ?? allowsAnonymousUsers
            allowsKeys = try members.bool("keys") ?? allowsKeys
            accessLifetime = try members.number("accessLifetime").map { .seconds($0) } ?? accessLifetime
            refreshLifetime = try members.number("refreshLifetime").map { .seconds($0) } ?? refreshLifetime
            hookTimeLimit = try members.number("hookTimeLimit").map { .seconds($0) } ?? hookTimeLimit
            if let passwords = members["passwords"] {
                self.passwords = passwords.bool == false ? nil : try PasswordSettings(passwords, of: id)
            }
            appleClients = try members.texts("appleClients") ?? []
            googleClients = try members.texts("googleClients") ?? []
            customTokens = try members["customTokens"].map { try CustomTokenSettings($0, of: id) }
        }
    }

    extension AppConfiguration.PasswordSettings {
        fileprivate init(_ json: JSON, of app: String) throws {
            self.init()
            if json.bool == true { return }
            let place = "'passwords' of app '\(app)'"
            let members = try Members(
                json, place, known: ["confirmation", "reset", "shortestPassword", "mailTokenLifetime"])
            if let text = try members.text("confirmation") {
                guard let value = Confirmation(rawValue: text) else {
                    throw ConfigurationError("\(place): 'confirmation' is 'automatic', 'byMail' or 'byFunction'")
                }
                confirmation = value
            }
            if let text = try members.text("reset") {
                guard let value = Reset(rawValue: text) else {
                    throw ConfigurationError("\(place): 'reset' is 'none', 'byMail' or 'byFunction'")
                }
                reset = value
            }
            shortestPassword = try members.number("shortestPassword").map { Int($0) } ?? shortestPassword
            mailTokenLifetime = try members.number("mailTokenLifetime").map { .seconds($0) } ?? mailTokenLifetime
        }
    }

    extension AppConfiguration.CustomTokenSettings {
        fileprivate init(_ json: JSON, of app: String) throws {
            let place = "'customTokens' of app '\(app)'"
            let members = try Members(
                json, place,
                known: [
                    "secrets", "publicKeys", "keySets", "keySetURLs", "audiences", "issuers", "profile",
                ])
            self.init(keys: [])
            keys += (try members.texts("secrets") ?? []).map { Key.secret(Array($0.utf8)) }
            keys += (try members.texts("publicKeys") ?? []).map { Key.publicKey(pem: $0) }
            keys += (members["keySets"].map { $0.elements ?? [$0] } ?? []).map { Key.keySet($0.description) }
            keys += (try members.texts("keySetURLs") ?? []).map { Key.keySetURL($0) }
            guard !keys.isEmpty else { throw ConfigurationError("\(place) has no key") }
            audiences = try members.texts("audiences")
            issuers = try members.texts("issuers")
            for member in members["profile"]?.members ?? [] {
                guard let name = member.value.text else {
                    throw ConfigurationError("\(place): 'profile' gives each claim the name of a member")
                }
                profile[member.name] = name
            }
        }
    }
#endif
