// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import Logging
    import NIOConcurrencyHelpers

    /// The newest warnings and errors of a logger. Can be used from any thread.
    package final class RecentProblems: Sendable {
        private struct State {
            var count = 0
            /// A ring: the newest one is at the index before `count % maximum`.
            var newest: [ServerStatus.Problem] = []
        }

        private static let maximum = 200
        /// In characters: a client can cause messages that quote its own text.
        private static let longestText = 1000

        private let state = NIOLockedValueBox(State())

        var count: Int { state.withLockedValue { $0.count } }

        /// The newest first.
        var all: [ServerStatus.Problem] {
            let state = state.withLockedValue { $0 }
            let start = state.count % RecentProblems.maximum
            guard state.count > RecentProblems.maximum else { return state.newest.reversed() }
            return (state.newest[start...] + state.newest[..<start]).reversed()
        }

        fileprivate func add(_ event: LogEvent, _ metadata: Logger.Metadata) {
            let problem = ServerStatus.Problem(
                time: Date(), level: event.level.rawValue, text: RecentProblems.shortened("\(event.message)"),
                details: metadata.mapValues { RecentProblems.shortened("\($0)") })
            state.withLockedValue { state in
                if state.newest.count < RecentProblems.maximum {
                    state.newest.append(problem)
                } else {
                    state.newest[state.count % RecentProblems.maximum] = problem
                }
                state.count += 1
            }
        }

        private static func shortened(_ text: String) -> String { String(text.prefix(longestText)) }

        /// Returns a logger that also reports its warnings and errors here.
        package func recording(_ logger: Logger) -> Logger {
            var logger = logger
            logger.handler = ProblemHandler(base: logger.handler, problems: self)
            return logger
        }
    }

    private struct ProblemHandler: LogHandler {
        var base: any LogHandler
        let problems: RecentProblems

        var metadata: Logger.Metadata {
            get { base.metadata }
            set { base.metadata = newValue }
        }

        var logLevel: Logger.Level {
            get { base.logLevel }
            set { base.logLevel = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { base[metadataKey: key] }
            set { base[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) {
            if event.level >= .warning {
                problems.add(event, base.metadata.merging(event.metadata ?? [:]) { _, new in new })
            }
            base.log(event: event)
        }
    }
#endif
