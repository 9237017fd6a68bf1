// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The synchronisation settings of an app's Realms: see ``App/syncManager``. It can be used from any thread.
public final class SyncManager: Sendable {
    private struct Settings {
        var errorHandler: ErrorReportingBlock?
        var userAgent = ""
        var authorizationHeaderName: String?
        var customRequestHeaders: [String: String]?
        var timeouts: SyncTimeoutOptions?
        var logLevel = SyncLogLevel.info
        var logger: (@Sendable (SyncLogLevel, String) -> Void)?
    }

    private let settings: Locked<Settings>

    init(timeouts: SyncTimeoutOptions?) {
        settings = Locked(Settings(timeouts: timeouts))
    }

    /// The handler of errors that no call can report, such as errors of the server or of the connection. It is called
    /// on any thread.
    @preconcurrency public var errorHandler: ErrorReportingBlock? {
        get { settings.withLock { $0.errorHandler } }
        set { settings.withLock { $0.errorHandler = newValue } }
    }

    /// A string that is appended to the client name sent to servers.
    public var userAgent: String {
        get { settings.withLock { $0.userAgent } }
        set { settings.withLock { $0.userAgent = newValue } }
    }

    /// The HTTP header that carries the token in requests to the synchronisation endpoint; `nil` for `Authorization`.
    public var authorizationHeaderName: String? {
        get { settings.withLock { $0.authorizationHeaderName } }
        set { settings.withLock { $0.authorizationHeaderName = newValue } }
    }

    /// Additional headers that are sent to the synchronisation endpoint.
    public var customRequestHeaders: [String: String]? {
        get { settings.withLock { $0.customRequestHeaders } }
        set { settings.withLock { $0.customRequestHeaders = newValue } }
    }

    /// The time limits; nil for the defaults.
    public var timeoutOptions: SyncTimeoutOptions? {
        get { settings.withLock { $0.timeouts } }
        set { settings.withLock { $0.timeouts = newValue } }
    }

    /// The minimum severity of the messages passed to `logger`.
    @available(*, deprecated, message: "Use Logger")
    public var logLevel: SyncLogLevel {
        get { settings.withLock { $0.logLevel } }
        set { settings.withLock { $0.logLevel = newValue } }
    }

    /// The receiver of synchronisation messages; `nil` for ``Logger/shared``.
    @available(*, deprecated, message: "Use Logger")
    @preconcurrency public var logger: (@Sendable (SyncLogLevel, String) -> Void)? {
        get { settings.withLock { $0.logger } }
        set { settings.withLock { $0.logger = newValue } }
    }

    /// Passes a message to this app's logger.
    package func log(_ level: SyncLogLevel, _ message: @autoclosure () -> String) {
        let (threshold, function) = settings.withLock { ($0.logLevel, $0.logger) }
        guard let function else { return Logger.shared.log(LogLevel(rawValue: level.rawValue) ?? .info, message()) }
        if level != .off, level.rawValue <= threshold.rawValue { function(level, message()) }
    }
}

/// The severity of a synchronisation message. ``LogLevel`` has the same cases.
public enum SyncLogLevel: UInt, Sendable {
    /// No messages.
    case off
    /// Errors after which the process can't continue.
    case fatal
    /// Errors such as lost or damaged data.
    case error
    /// Operations that are probably unintended.
    case warn
    /// Rare events.
    case info
    /// Frequent events.
    case detail
    /// Details for developers of the client.
    case debug
    /// All messages.
    case trace
    /// All messages.
    case all
}

/// The time limits of synchronisation, in milliseconds. It can be used from any thread.
public final class SyncTimeoutOptions: Sendable {
    private struct Limits {
        var connect: UInt = 120_000
        var linger: UInt = 30_000
        var ping: UInt = 60_000
        var pong: UInt = 120_000
        var fastReconnect: UInt = 60_000
    }

    private let limits: Locked<Limits>

    /// Creates limits; a limit that is `nil` gets its default.
    public init(
        connectTimeout: UInt? = nil, connectionLingerTime: UInt? = nil, pingKeepalivePeriod: UInt? = nil,
        pongKeepaliveTimeout: UInt? = nil, fastReconnectLimit: UInt? = nil
    ) {
        var limits = Limits()
        if let connectTimeout { limits.connect = connectTimeout }
        if let connectionLingerTime { limits.linger = connectionLingerTime }
        if let pingKeepalivePeriod { limits.ping = pingKeepalivePeriod }
        if let pongKeepaliveTimeout { limits.pong = pongKeepaliveTimeout }
        if let fastReconnectLimit { limits.fastReconnect = fastReconnectLimit }
        self.limits = Locked(limits)
    }

    /// The maximum time to establish a connection; 120,000 by default.
    public var connectTimeout: UInt {
        get { limits.withLock { $0.connect } }
        set { limits.withLock { $0.connect = newValue } }
    }

    /// The time that a connection without sessions is kept open; 30,000 by default.
    public var connectionLingerTime: UInt {
        get { limits.withLock { $0.linger } }
        set { limits.withLock { $0.linger = newValue } }
    }

    /// The interval between pings to the server; 60,000 by default.
    public var pingKeepalivePeriod: UInt {
        get { limits.withLock { $0.ping } }
        set { limits.withLock { $0.ping = newValue } }
    }

    /// The maximum time to wait for the reply to a ping; 120,000 by default.
    public var pongKeepaliveTimeout: UInt {
        get { limits.withLock { $0.pong } }
        set { limits.withLock { $0.pong = newValue } }
    }

    /// The maximum time since the loss of a connection for which it is reconnected immediately; 60,000 by default.
    public var fastReconnectLimit: UInt {
        get { limits.withLock { $0.fastReconnect } }
        set { limits.withLock { $0.fastReconnect = newValue } }
    }
}
