// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// Which Realm views use: that of a configuration, or a given one, which is kept open.
    struct RealmSource: Equatable {
        let configuration: Realm.Configuration
        let realm: Realm?

        /// What tells databases apart.
        struct Place: Equatable {
            let file: URL?
            let identifier: String?
            let schemaVersion: UInt64

            init(_ configuration: Realm.Configuration) {
                file = configuration.fileURL
                identifier = configuration.inMemoryIdentifier
                schemaVersion = configuration.schemaVersion
            }
        }

        init(_ configuration: Realm.Configuration, _ realm: Realm? = nil) {
            (self.configuration, self.realm) = (configuration, realm)
        }

        /// Whether both are one database. A view is not evaluated because a configuration was made anew.
        static func == (a: RealmSource, b: RealmSource) -> Bool {
            Place(a.configuration) == Place(b.configuration) && a.realm == b.realm
        }

        /// What is used where no view says anything: the default configuration as it is now; in previews a database in
        /// memory, so that they leave the file of the app alone.
        static var standard: RealmSource {
            let configuration = Realm.Configuration.defaultConfiguration
            let isPreview = ProcessInfo.processInfo.environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
            guard isPreview, configuration.fileURL == Realm.Configuration().fileURL else {
                return RealmSource(configuration)
            }
            var preview = configuration
            preview.inMemoryIdentifier = "previews"
            return RealmSource(preview)
        }

        /// The Realm of the main actor. A given one of another place is opened here by its configuration.
        func open() throws -> Realm {
            if let realm, realm.isHere { return realm }
            return try Realm(configuration: configuration)
        }
    }

    extension EnvironmentValues {
        private struct SourceKey: EnvironmentKey { static var defaultValue: RealmSource? { nil } }
        private struct ErrorKey: EnvironmentKey { static var defaultValue: RealmErrorHandler? { nil } }

        /// The Realm that a view above has chosen.
        var realmSource: RealmSource? {
            get { self[SourceKey.self] }
            set { self[SourceKey.self] = newValue }
        }

        /// The configuration of the Realm that views use which name none themselves; where no view above sets it, the
        /// default configuration as it is when it is asked for.
        public var realmConfiguration: Realm.Configuration {
            get { (realmSource ?? .standard).configuration }
            set { realmSource = RealmSource(newValue) }
        }

        /// The Realm that views use which name none themselves. Setting it keeps that very Realm open, a Realm in
        /// memory too. Reading it opens the configured one if need be, and ends the process if it cannot be opened.
        public var realm: Realm {
            get {
                do {
                    return try (realmSource ?? .standard).open()
                } catch {
                    throwRealmException("\(error)")
                }
            }
            set { realmSource = RealmSource(newValue.configuration, newValue) }
        }

        /// Is told, once for each view, that its Realm could not be opened; the view shows no objects then. Without it
        /// such an error ends the process. An addition to Realm's API.
        public var realmError: (@MainActor (any Error) -> Void)? {
            get { self[ErrorKey.self]?.handle }
            set { self[ErrorKey.self] = newValue.map(RealmErrorHandler.init) }
        }

        var realmErrorHandler: RealmErrorHandler? { self[ErrorKey.self] }
    }

    // To assign through a key path, Swift reads what was there before, and to read `\.realm` opens the default Realm
    // where there is no other. So these take the place of SwiftUI's own modifiers for Realms.

    extension View {
        /// Has the views below use a Realm, and opens no other.
        nonisolated public func environment(
            _ keyPath: WritableKeyPath<EnvironmentValues, Realm>, _ value: Realm
        ) -> some View {
            environment(\.[setting: keyPath], value)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    extension Scene {
        /// Has the views of the windows use a Realm, and opens no other.
        nonisolated public func environment(
            _ keyPath: WritableKeyPath<EnvironmentValues, Realm>, _ value: Realm
        ) -> some Scene {
            environment(\.[setting: keyPath], value)
        }
    }

    extension EnvironmentValues {
        /// A Realm that is set and was not read before.
        subscript(setting keyPath: WritableKeyPath<EnvironmentValues, Realm>) -> Realm? {
            get { nil }
            set {
                guard let newValue else { return }
                if keyPath == \.realm { realm = newValue } else { self[keyPath: keyPath] = newValue }
            }
        }
    }

    /// What is done about a Realm that cannot be opened. Two of them are the same to a view, so that a closure that is
    /// made anew does not have it evaluated.
    struct RealmErrorHandler: Equatable {
        let handle: @MainActor (any Error) -> Void

        static func == (a: RealmErrorHandler, b: RealmErrorHandler) -> Bool { true }
    }
#endif
