// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Where the synchronisation of an app's Realms is set up: see ``App/syncManager``. Usable from any thread.
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

    /// Told of errors that no call can report: of the server, of the connection. Called on any thread.
    @preconcurrency public var errorHandler: ErrorReportingBlock? {
        get { settings.withLock { $0.errorHandler } }
        set { settings.withLock { $0.errorHandler = newValue } }
    }

    /// What the program adds to the name of the client that servers are told.
    public var userAgent: String {
        get { settings.withLock { $0.userAgent } }
        set { settings.withLock { $0.userAgent = newValue } }
    }

    /// The header that carries the token to the endpoint of synchronisation; nil for `Authorization`.
    public var authorizationHeaderName: String? {
        get { settings.withLock { $0.authorizationHeaderName } }
        set { settings.withLock { $0.authorizationHeaderName = newValue } }
    }

    /// Headers that are sent to the endpoint of synchronisation besides the client's own.
    public var customRequestHeaders: [String: String]? {
        get { settings.withLock { $0.customRequestHeaders } }
        set { settings.withLock { $0.customRequestHeaders = newValue } }
    }

    /// The time limits; nil for the defaults.
    public var timeoutOptions: SyncTimeoutOptions? {
        get { settings.withLock { $0.timeouts } }
        set { settings.withLock { $0.timeouts = newValue } }
    }

    /// The least severe messages that `logger` is told.
    @available(*, deprecated, message: "Use Logger")
    public var logLevel: SyncLogLevel {
        get { settings.withLock { $0.logLevel } }
        set { settings.withLock { $0.logLevel = newValue } }
    }

    /// Told the messages of synchronisation; nil for ``Logger/shared``.
    @available(*, deprecated, message: "Use Logger")
    @preconcurrency public var logger: (@Sendable (SyncLogLevel, String) -> Void)? {
        get { settings.withLock { $0.logger } }
        set { settings.withLock { $0.logger = newValue } }
    }

    /// Hands a message to where this app's messages go.
    package func log(_ level: SyncLogLevel, _ message: @autoclosure () -> String) {
        let (threshold, function) = settings.withLock { ($0.logLevel, $0.logger) }
        guard let function else { return Logger.shared.log(LogLevel(rawValue: level.rawValue) ?? .info, message()) }
        if level != .off, level.rawValue <= threshold.rawValue { function(level, message()) }
    }
}

/// How severe a message of synchronisation is. ``LogLevel`` has the same cases.
public enum SyncLogLevel: UInt, Sendable {
    /// Nothing is told.
    case off
    /// The process cannot go on.
    case fatal
    /// Something was lost or is wrong.
    case error
    /// Something was done that is hardly meant.
    case warn
    /// What happens seldom.
    case info
    /// What happens often.
    case detail
    /// What a developer of the client wants to know.
    case debug
    /// Everything.
    case trace
    /// Everything.
    case all
}

/// The time limits of synchronisation, in milliseconds. Usable from any thread.
public final class SyncTimeoutOptions: Sendable {
    private struct Limits {
        var connect: UInt = 120_000
        var linger: UInt = 30_000
        var ping: UInt = 60_000
        var pong: UInt = 120_000
        var fastReconnect: UInt = 60_000
    }

    private let limits: Locked<Limits>

    /// Makes limits; what is nil has its default.
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

    /// How long a connection may take to be made; 120,000 by default.
    public var connectTimeout: UInt {
        get { limits.withLock { $0.connect } }
        set { limits.withLock { $0.connect = newValue } }
    }

    /// How long a connection without sessions stays; 30,000 by default.
    public var connectionLingerTime: UInt {
        get { limits.withLock { $0.linger } }
        set { limits.withLock { $0.linger = newValue } }
    }

    /// How often the server is asked whether it is there; 60,000 by default.
    public var pingKeepalivePeriod: UInt {
        get { limits.withLock { $0.ping } }
        set { limits.withLock { $0.ping = newValue } }
    }

    /// How long its answer to that may take; 120,000 by default.
    public var pongKeepaliveTimeout: UInt {
        get { limits.withLock { $0.pong } }
        set { limits.withLock { $0.pong = newValue } }
    }

    /// How long ago a connection may have been lost for one more attempt at once; 60,000 by default.
    public var fastReconnectLimit: UInt {
        get { limits.withLock { $0.fastReconnect } }
        set { limits.withLock { $0.fastReconnect = newValue } }
    }
}
