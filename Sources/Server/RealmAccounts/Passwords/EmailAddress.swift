// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore

    /// Two addresses are equal if they differ only in case or Unicode composition.
    struct EmailAddress: Sendable {
        /// As its owner spells it.
        let text: String
        /// For comparison.
        let folded: String

        private static let longest = 254

        /// - Throws: `ServiceError` if the text is empty or too long, or contains spaces or control characters.
        init(_ text: String) throws(ServiceError) {
            guard (1...EmailAddress.longest).contains(text.utf8.count) else {
                throw .invalid("an e-mail address has 1 to \(EmailAddress.longest) bytes")
            }
            guard
                !text.unicodeScalars.contains(where: {
                    $0.properties.isWhitespace || $0.properties.generalCategory == .control
                })
            else { throw .invalid("an e-mail address has no spaces or control characters") }
            self.text = text
            folded = text.precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
        }

        func name(in app: String) -> LoginName { .identity(app, .password, folded) }
    }

    enum PasswordRule {
        /// In bytes. Longer passwords would only waste hashing time.
        static let longest = 1024

        static func check(_ password: String, _ settings: AppConfiguration.PasswordSettings) throws(ServiceError) {
            guard password.count >= settings.shortestPassword, password.count <= 128 else {
                throw .invalid("a password has \(settings.shortestPassword) to 128 characters")
            }
        }
    }
#endif
