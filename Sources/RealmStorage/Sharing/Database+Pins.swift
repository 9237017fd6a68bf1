// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A version that somebody keeps from going: what `realm pins` lists (design decision 7).
package struct PinInfo: Equatable, Sendable {
    package let processIdentifier: Int
    package let version: UInt64
    /// When the first of the holders came, in nanoseconds since 1970.
    package let since: Int64
    /// The names of the holders, each once.
    package let label: String
    /// How many holders there are; of another process, right within a factor of two.
    package let holders: Int
}

/// What is known of other processes; guarded by the database's lock.
struct ForeignState {
    /// The newest version that another process committed, as far as known.
    var version: UInt64 = 0
    /// What others may read, as it was when it was last looked up, and the newest version of then. Nobody can have come
    /// to hold an older one since.
    var reachable: [VersionRecord] = [VersionRecord(version: 0, topRef: 0, logicalSize: .max)]
    /// Who is told of other processes' commits.
    var handlers: [UInt64: @Sendable () -> Void] = [:]
    var nextHandler: UInt64 = 0
    /// The newest of the versions that the handlers were told of.
    var told: UInt64 = 0
    var signal: ChangeSignal?
}

extension Database {
    /// Every version that anyone in any process may still read, the header's own included, ascending. The first is the
    /// horizon (container 6.2: R). Under the right to write it does not sink until the next commit.
    ///
    /// A record with the top ref 0 and the largest logical size stands for that version and any later one, of which a
    /// participant is about to pin one; it has no node to look at. If the other processes' pins cannot be read, what
    /// they were before stands for them, which can only hold back too much.
    var reachable: [VersionRecord] {
        let others = participants.map(readForeign) ?? []
        let all = lock.locked { registry.records.union(others).union([committed.record]) }
        return all.sorted { ($0.version, $0.logicalSize) < ($1.version, $1.logicalSize) }
    }

    private func readForeign(_ participants: Participants) -> [VersionRecord] {
        guard let others = try? participants.others() else { return lock.locked { foreign.reachable } }
        let records = others.flatMap(\.pins).map { pin in
            pin.kind == .version
                ? pin.record : VersionRecord(version: pin.record.version, topRef: 0, logicalSize: .max)
        }
        lock.locked {
            let later = VersionRecord(version: committed.version, topRef: 0, logicalSize: .max)
            foreign.reachable = records + [later]
        }
        return records
    }

    /// How many versions anyone may still read, the newest included.
    package var activeVersionCount: Int { Set(reachable.map(\.version)).count }

    /// Who pins which version, in all processes: oldest version first, then by process.
    package func pins() throws -> [PinInfo] {
        do {
            let own = lock.locked { ownPins() }
            let others = try participants?.others() ?? []
            return (own + others.flatMap(Database.pins)).sorted {
                ($0.version, $0.processIdentifier, $0.since) < ($1.version, $1.processIdentifier, $1.since)
            }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    private func ownPins() -> [PinInfo] {
        let byVersion = Dictionary(grouping: registry.holders, by: \.version)
        return byVersion.map { version, pins in
            PinInfo(
                processIdentifier: CurrentProcess.identifier, version: version, since: pins.map(\.since).min() ?? 0,
                label: registry.labels(of: version), holders: pins.count)
        }
    }

    private static func pins(of participant: Participants.Participant) -> [PinInfo] {
        participant.pins.filter { $0.kind == .version }.map {
            PinInfo(
                processIdentifier: participant.processIdentifier, version: $0.record.version, since: $0.since,
                label: $0.label, holders: $0.holders)
        }
    }
}
