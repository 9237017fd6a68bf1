// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// How severe a log message is, or how severe a message must be to be delivered: everything up to and including a
/// logger's level is (realm 11).
public enum LogLevel: UInt, Sendable, CaseIterable {
    /// Nothing is delivered.
    case off
    /// The process cannot go on.
    case fatal
    /// Something was lost or is wrong, such as damage in a file.
    case error
    /// Something was done that is hardly meant.
    case warn
    /// What happens seldom and matters to the operator of the program: a file was compacted, for instance.
    case info
    /// Files are opened and closed.
    case detail
    /// Transactions.
    case debug
    /// Everything there is.
    case trace
    /// Everything there is.
    case all
}

/// Another name of ``LogLevel``, which the Objective-C half of Realm's SDK has.
public typealias RLMLogLevel = LogLevel

/// Receives log messages. Called on whatever thread has something to say, at any time.
public typealias RLMLogFunction = @Sendable (LogLevel, String) -> Void

/// Where messages of the library go (realm 11).
///
/// ```swift
/// Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
/// ```
///
/// The same closure hands messages on to another logging library; this one has none of its own. Messages never contain
/// what is stored, only names of classes, properties and files. Usable from any thread.
public final class Logger: Sendable {
    private let threshold: Locked<LogLevel>
    private let function: RLMLogFunction

    /// Makes a logger that calls `logFunction` with every message as severe as `level`, or more.
    @preconcurrency public init(level: LogLevel, logFunction: @escaping RLMLogFunction) {
        threshold = Locked(level)
        function = logFunction
    }

    /// The least severe messages that are delivered. A change takes effect at once.
    public var level: LogLevel {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }

    private static let current = Locked(Logger(level: .info, logFunction: writeToStandardError))

    /// The logger of Realms that are opened from now on. By default it writes lines like `WARNING: …` to standard
    /// error, from the level `.info` on.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Delivers a message, which is made only if it is wanted.
    package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level != .off, level.rawValue <= self.level.rawValue else { return }
        function(level, message())
    }

    /// One call, so that lines of several threads do not mix.
    @Sendable private static func writeToStandardError(_ level: LogLevel, _ message: String) {
        FileHandle.standardError.write(Data("\(level.title): \(message)\n".utf8))
    }
}

/// Another name of ``Logger``, which the Objective-C half of Realm's SDK has.
public typealias RLMLogger = Logger

extension LogLevel {
    /// What lines of this level begin with.
    fileprivate var title: String {
        self == .warn ? "WARNING" : "\(self)".uppercased()
    }
}
