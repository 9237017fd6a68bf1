// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// The severity of a log message. A logger delivers messages up to and including its level.
public enum LogLevel: UInt, Sendable, CaseIterable {
    /// Delivers no messages.
    case off
    /// Errors after which the process can't continue.
    case fatal
    /// Errors such as lost data or damage in a file.
    case error
    /// Operations that are probably unintended.
    case warn
    /// Rare events that matter to the operator of the program, such as the compaction of a file.
    case info
    /// Opening and closing of files, in addition to the levels above.
    case detail
    /// Transactions, in addition to the levels above.
    case debug
    /// All messages.
    case trace
    /// All messages.
    case all
}

/// The name of ``LogLevel`` in the Objective-C half of Realm's SDK.
public typealias RLMLogLevel = LogLevel

/// A function that receives log messages. It is called on any thread, at any time.
public typealias RLMLogFunction = @Sendable (LogLevel, String) -> Void

/// A receiver of the library's log messages.
///
/// ```swift
/// Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
/// ```
///
/// To use another logging library, forward the messages to it in the closure. Messages contain names of classes,
/// properties and files, but never stored values. A logger can be used from any thread.
public final class Logger: Sendable {
    private let threshold: Locked<LogLevel>
    private let function: RLMLogFunction

    /// Creates a logger that calls `logFunction` for every message of `level`, or of greater severity.
    @preconcurrency public init(level: LogLevel, logFunction: @escaping RLMLogFunction) {
        threshold = Locked(level)
        function = logFunction
    }

    /// The lowest severity of the messages that are delivered. A change takes effect immediately.
    public var level: LogLevel {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }

    private static let current = Locked(Logger(level: .info, logFunction: writeToStandardError))

    /// The logger used by Realms that are opened afterwards. By default it writes lines like `WARNING: …` to standard
    /// error, for messages of the level `.info` and more severe ones.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// `message` is evaluated only if its level is logged.
    package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level != .off, level.rawValue <= self.level.rawValue else { return }
        function(level, message())
    }

    /// Writes with a single call, so that the lines of several threads don't mix.
    @Sendable private static func writeToStandardError(_ level: LogLevel, _ message: String) {
        FileHandle.standardError.write(Data("\(level.title): \(message)\n".utf8))
    }
}

/// The name of ``Logger`` in the Objective-C half of Realm's SDK.
public typealias RLMLogger = Logger

extension Logger: LogSink {
    package func write(_ severity: LogSeverity, _ message: @autoclosure () -> String) {
        let level: LogLevel =
            switch severity {
            case .error: .error
            case .warning: .warn
            case .debug: .debug
            }
        log(level, message())
    }
}

extension LogLevel {
    fileprivate var title: String {
        self == .warn ? "WARNING" : "\(self)".uppercased()
    }
}
