// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// The settings with which an app reaches its server. They are read once, when the ``App`` is created.
///
/// A configuration can be used from any thread.
public final class AppConfiguration: Sendable {
    struct Settings: Sendable {
        var baseURL = AppClient.standardServer
        var transport: (any RLMNetworkTransport)?
        var defaultRequestTimeoutMS: UInt = 60_000
        var enableSessionMultiplexing = true
        var syncTimeouts: SyncTimeoutOptions?
        var rootDirectory: URL?
        var metadataEncryptionKey: Data?
        var localAppName: String?
        var localAppVersion: String?
    }

    private let stored: Locked<Settings>

    var settings: Settings { stored.withLock { $0 } }

    /// Creates a configuration; an argument that is `nil` gets its default.
    public init(
        baseURL: String? = nil, transport: (any RLMNetworkTransport)? = nil, defaultRequestTimeoutMS: UInt? = nil,
        enableSessionMultiplexing: Bool? = nil, syncTimeouts: SyncTimeoutOptions? = nil
    ) {
        var settings = Settings()
        settings.transport = transport
        settings.syncTimeouts = syncTimeouts
        if let baseURL { settings.baseURL = baseURL }
        if let defaultRequestTimeoutMS { settings.defaultRequestTimeoutMS = defaultRequestTimeoutMS }
        if let enableSessionMultiplexing { settings.enableSessionMultiplexing = enableSessionMultiplexing }
        stored = Locked(settings)
    }

    /// Creates a configuration; an argument that is `nil` gets its default.
    @available(
        *, deprecated,
        message: "localAppName and localAppVersion are not used for anything and should not be supplied"
    )
    public convenience init(
        baseURL: String? = nil, transport: (any RLMNetworkTransport)? = nil, localAppName: String?,
        localAppVersion: String?, defaultRequestTimeoutMS: UInt? = nil, enableSessionMultiplexing: Bool? = nil,
        syncTimeouts: SyncTimeoutOptions? = nil
    ) {
        self.init(
            baseURL: baseURL, transport: transport, defaultRequestTimeoutMS: defaultRequestTimeoutMS,
            enableSessionMultiplexing: enableSessionMultiplexing, syncTimeouts: syncTimeouts)
        change {
            $0.localAppName = localAppName
            $0.localAppVersion = localAppVersion
        }
    }

    init(_ settings: Settings) { stored = Locked(settings) }

    private func change(_ body: (inout Settings) -> Void) { stored.withLock { body(&$0) } }

    /// The URL of the server. The default is `https://services.cloud.mongodb.com`, which its vendor has switched off.
    /// Never `nil`; setting `nil` restores the default.
    public var baseURL: String! {
        get { settings.baseURL }
        set { change { $0.baseURL = newValue ?? AppClient.standardServer } }
    }

    /// The transport of HTTP requests; `nil` for Foundation's `URLSession`.
    public var transport: (any RLMNetworkTransport)? {
        get { settings.transport }
        set { change { $0.transport = newValue } }
    }

    /// The time in milliseconds after which a request without a response fails. The default is 60,000.
    public var defaultRequestTimeoutMS: UInt {
        get { settings.defaultRequestTimeoutMS }
        set { change { $0.defaultRequestTimeoutMS = newValue } }
    }

    /// Has no effect here: the sessions of a user always share one connection. The default is true.
    public var enableSessionMultiplexing: Bool {
        get { settings.enableSessionMultiplexing }
        set { change { $0.enableSessionMultiplexing = newValue } }
    }

    /// The time limits of synchronisation; `nil` for the defaults.
    public var syncTimeouts: SyncTimeoutOptions? {
        get { settings.syncTimeouts }
        set { change { $0.syncTimeouts = newValue } }
    }

    /// The folder that contains `mongodb-realm`, the folder of users and synchronised Realms; `nil` for the folder of
    /// the default Realm. An addition to Realm's API.
    public var rootDirectory: URL? {
        get { settings.rootDirectory }
        set { change { $0.rootDirectory = newValue } }
    }

    /// The 64-byte key that encrypts the file of users, which contains their tokens; `nil` for an unencrypted file.
    /// Creating the app traps if the key has another length. An addition to Realm's API.
    ///
    /// A file that was created with another key, or without one, can't be read. Its users have to log in again, and
    /// logged-in users aren't saved.
    public var metadataEncryptionKey: Data? {
        get { settings.metadataEncryptionKey }
        set { change { $0.metadataEncryptionKey = newValue } }
    }

    /// A name for the app. Has no effect here.
    @available(*, deprecated, message: "localAppName is not used for anything and should not be supplied")
    public var localAppName: String? {
        get { settings.localAppName }
        set { change { $0.localAppName = newValue } }
    }

    /// A version of the app. Has no effect here.
    @available(*, deprecated, message: "localAppVersion is not used for anything and should not be supplied")
    public var localAppVersion: String? {
        get { settings.localAppVersion }
        set { change { $0.localAppVersion = newValue } }
    }
}
