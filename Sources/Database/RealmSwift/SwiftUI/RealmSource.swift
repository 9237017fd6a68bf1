// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// The Realm used by views: the Realm of a configuration, or a given one, which is retained.
    struct RealmSource: Equatable {
        let configuration: Realm.Configuration
        let realm: Realm?

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

        /// Whether both name the same database. An equal configuration that is created again must not evaluate a view.
        static func == (a: RealmSource, b: RealmSource) -> Bool {
            Place(a.configuration) == Place(b.configuration) && a.realm == b.realm
        }

        /// The current default configuration; in previews a database in memory, so that the app's file isn't changed.
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

        /// Returns the Realm for the main actor. If the given Realm is confined elsewhere, its configuration is opened
        /// here.
        func open() throws -> Realm {
            if let realm, realm.isHere { return realm }
            return try Realm(configuration: configuration)
        }
    }

    extension EnvironmentValues {
        private struct SourceKey: EnvironmentKey { static var defaultValue: RealmSource? { nil } }
        private struct ErrorKey: EnvironmentKey { static var defaultValue: RealmErrorHandler? { nil } }

        var realmSource: RealmSource? {
            get { self[SourceKey.self] }
            set { self[SourceKey.self] = newValue }
        }

        /// The configuration of the Realm used by views that don't specify one. The default is
        /// `Realm.Configuration.defaultConfiguration`.
        public var realmConfiguration: Realm.Configuration {
            get { (realmSource ?? .standard).configuration }
            set { realmSource = RealmSource(newValue) }
        }

        /// The Realm used by views that don't specify one. Setting it retains the Realm, even one in memory. Reading it
        /// opens the configured Realm if necessary, and terminates the process if that fails.
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

        /// A closure that is called with the error, once for each view whose Realm couldn't be opened. Such a view
        /// shows no objects. Without this closure, the error terminates the process. An addition to Realm's API.
        public var realmError: (@MainActor (any Error) -> Void)? {
            get { self[ErrorKey.self]?.handle }
            set { self[ErrorKey.self] = newValue.map(RealmErrorHandler.init) }
        }

        var realmErrorHandler: RealmErrorHandler? { self[ErrorKey.self] }
    }

    // An assignment through a key path first reads the previous value. Reading `\.realm` opens the default Realm if
    // none is set. To avoid that, these overloads replace SwiftUI's own modifiers for Realms.

    extension View {
        /// Sets the Realm of the views below, without opening another one.
        nonisolated public func environment(
            _ keyPath: WritableKeyPath<EnvironmentValues, Realm>, _ value: Realm
        ) -> some View {
            environment(\.[setting: keyPath], value)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    extension Scene {
        /// Sets the Realm of the views in all windows, without opening another one.
        nonisolated public func environment(
            _ keyPath: WritableKeyPath<EnvironmentValues, Realm>, _ value: Realm
        ) -> some Scene {
            environment(\.[setting: keyPath], value)
        }
    }

    extension EnvironmentValues {
        /// A Realm that can be set without reading the previous one.
        subscript(setting keyPath: WritableKeyPath<EnvironmentValues, Realm>) -> Realm? {
            get { nil }
            set {
                guard let newValue else { return }
                if keyPath == \.realm { realm = newValue } else { self[keyPath: keyPath] = newValue }
            }
        }
    }

    /// The handler of errors in opening a Realm. All handlers are equal, so that a new closure doesn't evaluate the
    /// view.
    struct RealmErrorHandler: Equatable {
        let handle: @MainActor (any Error) -> Void

        static func == (a: RealmErrorHandler, b: RealmErrorHandler) -> Bool { true }
    }
#endif
