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

    /// The handler of errors that no function can throw, such as errors of the server or of the connection. It is
    /// called on any thread.
    @preconcurrency public var errorHandler: ErrorReportingBlock? {
        get { settings.withLock { $0.errorHandler } }
        set { settings.withLock { $0.errorHandler = newValue } }
    }

    /// A text that is appended to the client's name in the `User-Agent` header.
    public var userAgent: String {
        get { settings.withLock { $0.userAgent } }
        set { settings.withLock { $0.userAgent = newValue } }
    }

    /// The name of an additional HTTP header that carries the access token in requests to the synchronisation endpoint.
    /// If `nil`, only the URL carries it.
    public var authorizationHeaderName: String? {
        get { settings.withLock { $0.authorizationHeaderName } }
        set { settings.withLock { $0.authorizationHeaderName = newValue } }
    }

    /// Additional headers that are sent to the synchronisation endpoint.
    public var customRequestHeaders: [String: String]? {
        get { settings.withLock { $0.customRequestHeaders } }
        set { settings.withLock { $0.customRequestHeaders = newValue } }
    }

    /// The time limits of connections; nil for the defaults. Connections that already exist keep their limits.
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

    /// The receiver of synchronisation messages. If `nil`, ``Logger/shared`` receives them.
    @available(*, deprecated, message: "Use Logger")
    @preconcurrency public var logger: (@Sendable (SyncLogLevel, String) -> Void)? {
        get { settings.withLock { $0.logger } }
        set { settings.withLock { $0.logger = newValue } }
    }

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

    /// Creates time limits, in milliseconds. A limit that is `nil` gets its default.
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

    /// The duration of a connection after which the delay before further reconnections is reset; 60,000 by default.
    public var fastReconnectLimit: UInt {
        get { limits.withLock { $0.fastReconnect } }
        set { limits.withLock { $0.fastReconnect = newValue } }
    }
}
