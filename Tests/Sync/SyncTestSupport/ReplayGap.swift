// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

package enum ReplayGap: String {
    case noConnection = "HTTP alone, which RecordedRequestTests of the server and of the SDK replay"
    case flexibleFile = "a file with subscriptions, to which SubscriptionReplayTests write the messages"
    case flexibleServer = "the recorded server is that of a flexible app, with which FlexibleReplayTests compare ours"
    case migration = "a file that is moved between partitions and subscriptions, with a connection of each mode"
    case noMessages = "no connection has a message"
    case otherCode = "the original's server tests the version before the ident: 209 for 208"
}

extension Recording {
    /// The connections that our client replays one by one: two users have one each, and so have the two modes of an
    /// app that is moved.
    package static func connections(_ name: String) -> [UInt64?] {
        name == "pbs-two-sessions.jsonl" || name.hasPrefix("migrate-") ? [1, 2] : [nil]
    }

    /// Calls `body` with the name of each recording without a gap.
    ///
    /// - Returns: The number of recordings with each gap.
    package static func forEach(
        gap: (String, Recording) -> ReplayGap?, _ body: (String) throws -> Void
    ) throws -> [String: Int] {
        var gaps: [String: Int] = [:]
        for name in try SyncFixtures.recordings() {
            if let gap = gap(name, try Recording(name)) {
                gaps[gap.rawValue, default: 0] += 1
            } else {
                try body(name)
            }
        }
        return gaps
    }

    package var clientGap: ReplayGap? {
        modes.isEmpty ? .noConnection : nil
    }

    package var fileGap: ReplayGap? {
        if modes.count > 1 { return .migration }
        return clientGap ?? (modes == [.flexible] ? .flexibleFile : messages.isEmpty ? .noMessages : nil)
    }

    /// Whether the recorded server is that of a flexible app.
    package func isOfFlexibleApp(_ name: String) -> Bool {
        switch name {
        case "wrong-mode-flx.jsonl": false
        case "wrong-mode-pbs.jsonl": true
        default: modes.contains(.flexible)
        }
    }

    package func serverGap(_ name: String) -> ReplayGap? {
        if modes.isEmpty { return .noConnection }
        if isOfFlexibleApp(name) { return .flexibleServer }
        if name == "original-server-lost.jsonl" { return .otherCode }
        return messages.isEmpty ? .noMessages : nil
    }
}
