// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A pinned version, as listed by `realm pins` (design decision 7).
package struct PinInfo: Equatable, Sendable {
    package let processIdentifier: Int
    package let version: UInt64
    /// The time of the first pin, in nanoseconds since 1970.
    package let since: Int64
    package let label: String
    /// The number of holders. For another process, accurate within a factor of two.
    package let holders: Int
    /// Whether a holder has the write lock.
    package let isWriter: Bool
    /// The bytes of the file that are kept for this version and no newer one (`SpaceUse.heldByteCounts`).
    package fileprivate(set) var heldByteCount = 0
}

/// The state observed of other processes; guarded by the database's lock.
struct ForeignState {
    /// The newest known version that another process committed.
    var version: UInt64 = 0
    var handlers: [UInt64: @Sendable () -> Void] = [:]
    var nextHandler: UInt64 = 0
    /// The newest version for which the handlers were called.
    var notified: UInt64 = 0
    var signal: ChangeSignal?
}

extension Database {
    /// All versions that can still be read in any process, including the header's own, in ascending order. The first is
    /// the horizon (container 6.2: R). While the write lock is held, no other version can be pinned before the next
    /// commit.
    ///
    /// Some may be pinned briefly by mistake, and have no nodes any more. Throws if another process's pins can't be
    /// read.
    var reachable: [VersionRecord] {
        get throws {
            do {
                let others = try participants?.others().flatMap(\.pins).map(\.record) ?? []
                let all = lock.locked { registry.records.union(others).union([committed.record]) }
                return all.ordered { $0.version < $1.version }
            } catch let error as SystemError {
                throw StorageError(error)
            }
        }
    }

    package var activeVersionCount: Int { get throws { Set(try reachable.map(\.version)).count } }

    /// Includes other processes and the holder of the write lock. Ordered by version, then by process.
    package func pins() throws -> [PinInfo] {
        do {
            let own = lock.locked { ownPins() }
            let others = try participants?.others() ?? []
            let writer = try foreignWriter().map { [$0] } ?? []
            var pins = (own + others.flatMap(Database.pins) + writer).ordered {
                ($0.version, $0.processIdentifier, $0.since) < ($1.version, $1.processIdentifier, $1.since)
            }
            guard !pins.isEmpty else { return [] }
            let held = try spaceUse().heldByteCounts
            for index in pins.indices { pins[index].heldByteCount = held[pins[index].version] ?? 0 }
            return pins
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    private func ownPins() -> [PinInfo] {
        let byVersion = Dictionary(grouping: registry.holders, by: \.version)
        return byVersion.map { version, pins in
            PinInfo(
                processIdentifier: CurrentProcess.identifier, version: version, since: pins.map(\.since).min() ?? 0,
                label: registry.labels(of: version), holders: pins.count, isWriter: pins.contains { !$0.isShared })
        }
    }

    /// Nil if no other process holds the write lock.
    private func foreignWriter() throws -> PinInfo? {
        guard let sharing, let holder = try WriteLock.holder(in: sharing.folder) else { return nil }
        return lock.locked {
            guard !isWriting, !isExclusive else { return nil }
            try? adoptNewest()
            return PinInfo(
                processIdentifier: holder.processIdentifier, version: committed.version, since: holder.since,
                label: VersionRegistry.writer, holders: 1, isWriter: true)
        }
    }

    var foreignWriteHolder: WriteHolder? {
        let holder = try? sharing.flatMap { try WriteLock.holder(in: $0.folder) }
        return holder?.processIdentifier == CurrentProcess.identifier ? nil : holder
    }

    private static func pins(of participant: Participants.Participant) -> [PinInfo] {
        participant.pins.map {
            PinInfo(
                processIdentifier: participant.processIdentifier, version: $0.record.version, since: $0.since,
                label: $0.label, holders: $0.holders, isWriter: false)
        }
    }
}
