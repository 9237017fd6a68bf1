// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A message that violates the protocol. The connection can't continue.
package struct WireError: Error, Hashable, CustomStringConvertible {
    /// The error numbers that concern a whole connection (§2.9).
    package enum Code: Int, Hashable, Sendable {
        case unknownMessage = 102
        case badSyntax = 103
        case limitsExceeded = 104
        case decompressionFailed = 110
        case badChangesetHeader = 111
        case badChangesetSize = 112
    }

    package let code: Code
    package let message: String

    @inline(never) init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code.rawValue))" }
}

/// The kind of synchronisation on a connection. The headers of some messages differ between the two.
package enum SyncMode: Hashable, Sendable {
    case partition
    case flexible

    /// The name of the WebSocket sub-protocol, without the version.
    package var protocolName: String {
        switch self {
        case .partition: "com.mongodb.realm-sync"
        case .flexible: "com.mongodb.realm-query-sync"
        }
    }

    /// The versions that clients offer. Before version 12, flexible downloads have no progress as a fraction.
    package var clientVersions: ClosedRange<Int> { self == .partition ? 2...14 : 12...14 }

    package func offers(_ versions: ClosedRange<Int>) -> [String] {
        versions.reversed().map { "\(protocolName)#\($0)" }
    }

    /// Returns the mode and the newest version within `versions` that a client offers.
    package static func negotiate(_ offers: [String], versions: ClosedRange<Int>) -> (mode: SyncMode, version: Int)? {
        var best: (mode: SyncMode, version: Int)?
        for offer in offers {
            let parts = offer.split(separator: "#", omittingEmptySubsequences: false)
            guard parts.count == 2, let version = Int(parts[1]), versions.contains(version),
                let mode = [SyncMode.partition, .flexible].first(where: { $0.protocolName == parts[0] })
            else { continue }
            if version > best?.version ?? 0 { best = (mode, version) }
        }
        return best
    }
}
