// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    extension AppConfiguration {
        /// Apple and Google issue OpenID tokens and publish their keys at a URL.
        var tokenSettings: [Provider: CustomTokenSettings] {
            var settings: [Provider: CustomTokenSettings] = [:]
            settings[.customToken] = customTokens
            if !appleClients.isEmpty { settings[.apple] = .apple(clients: appleClients) }
            if !googleClients.isEmpty { settings[.google] = .google(clients: googleClients) }
            return settings
        }
    }

    extension AppConfiguration.CustomTokenSettings {
        fileprivate static func apple(clients: [String]) -> AppConfiguration.CustomTokenSettings {
            var settings = AppConfiguration.CustomTokenSettings(
                keys: [.keySetURL("https://appleid.apple.com/auth/keys")])
            (settings.audiences, settings.issuers) = (clients, ["https://appleid.apple.com"])
            settings.profile = ["email": "email"]
            return settings
        }

        fileprivate static func google(clients: [String]) -> AppConfiguration.CustomTokenSettings {
            var settings = AppConfiguration.CustomTokenSettings(
                keys: [.keySetURL("https://www.googleapis.com/oauth2/v3/certs")])
            (settings.audiences, settings.issuers) = (clients, ["https://accounts.google.com", "accounts.google.com"])
            settings.profile = [
                "name": "name", "email": "email", "picture": "picture_url", "given_name": "first_name",
                "family_name": "last_name",
            ]
            return settings
        }
    }
#endif
