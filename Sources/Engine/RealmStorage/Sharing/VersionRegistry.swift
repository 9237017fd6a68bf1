// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The versions that this process holds of one database, with their holders. Publishes them for the other processes.
///
/// A version uses one slot of the participant's file, however many holders it has; further pins are only counted in
/// memory. Used by one thread at a time, guarded by the database's lock, which is therefore held during small writes to
/// that file.
struct VersionRegistry {
    private struct Entry {
        let slot: Int?
        let since: Int64
        var holders = 1
        /// The count in the slot. It's rewritten only when it's wrong by more than a factor of two.
        var writtenHolders = 1
        var isConfirmed: Bool
    }

    /// Nil if no other process can have the file open.
    private let file: ParticipantFile?
    private var pins: [UInt64: VersionPin] = [:]
    /// The entries by record, because a failed commit and a later one can have the same number.
    private var entries: [VersionRecord: Entry] = [:]
    private var next: UInt64 = 1

    init(_ file: ParticipantFile?) { self.file = file }

    /// Throws if other participants can't see the pins of this one any more.
    func verifyInPlace() throws {
        guard let file, try !file.hasName() else { return }
        throw StorageError(
            .fileAccess,
            "'\(file.name)' beside it was removed while it was open, so that no process sees which versions are "
                + "read; nothing was written; close it everywhere and open it again")
    }

    /// All holders of versions: the oldest version first, and holders of the same version in the order of their pins.
    var holders: [VersionPin] {
        pins.ordered { ($0.value.version, $0.key) < ($1.value.version, $1.key) }.map(\.value)
    }

    var pinCount: Int { pins.count }

    var records: Set<VersionRecord> { Set(pins.values.map(\.record)) }

    func isPinned(_ record: VersionRecord) -> Bool { entries[record] != nil }

    func version(of pin: UInt64) -> UInt64? { pins[pin]?.version }

    /// Without `isConfirmed`, the caller still has to find out whether the version is the newest one, and then calls
    /// `confirm`.
    mutating func pin(_ record: VersionRecord, _ label: String, isConfirmed: Bool = true) throws -> UInt64 {
        let now = CurrentProcess.time
        let identifier = enter(VersionPin(record: record, label: label, since: now, isShared: true))
        guard var entry = entries[record] else {
            do {
                let slot = PinSlot(record, since: now, holders: 1, label: label, isConfirmed: isConfirmed)
                entries[record] = Entry(slot: try file?.add(slot), since: now, isConfirmed: isConfirmed)
            } catch {
                pins[identifier] = nil
                throw error
            }
            return identifier
        }
        entry.holders += 1
        rewrite(&entry, record)
        entries[record] = entry
        return identifier
    }

    /// Marks the version of a pin as protected. If that fails, only other processes that look for an older version
    /// don't find this one.
    mutating func confirm(_ identifier: UInt64) {
        guard let pin = pins[identifier], var entry = entries[pin.record], !entry.isConfirmed else { return }
        entry.isConfirmed = true
        entries[pin.record] = entry
        write(entry, pin.record)
    }

    static let writer = "writer"

    mutating func pinBase(_ record: VersionRecord) -> UInt64 {
        enter(VersionPin(record: record, label: VersionRegistry.writer, since: CurrentProcess.time, isShared: false))
    }

    private mutating func enter(_ pin: VersionPin) -> UInt64 {
        defer { next += 1 }
        pins[next] = pin
        return next
    }

    mutating func unpin(_ identifier: UInt64) {
        guard let pin = pins.removeValue(forKey: identifier), pin.isShared, var entry = entries[pin.record] else {
            return
        }
        entry.holders -= 1
        guard entry.holders == 0 else {
            rewrite(&entry, pin.record)
            entries[pin.record] = entry
            return
        }
        entries[pin.record] = nil
        if let slot = entry.slot { file?.clear(slot) }
    }

    /// A failed write is harmless, because the slot's count and labels are only for diagnosis.
    private func rewrite(_ entry: inout Entry, _ record: VersionRecord) {
        guard entry.slot != nil,
            entry.holders > entry.writtenHolders * 2 || entry.holders * 2 < entry.writtenHolders
        else { return }
        entry.writtenHolders = entry.holders
        write(entry, record)
    }

    private func write(_ entry: Entry, _ record: VersionRecord) {
        guard let file, let slot = entry.slot else { return }
        try? file.set(
            slot,
            PinSlot(
                record, since: entry.since, holders: entry.holders, label: labels(of: record.version),
                isConfirmed: entry.isConfirmed))
    }

    func labels(of version: UInt64) -> String {
        var labels: [String] = []
        for pin in holders where pin.version == version && !labels.contains(pin.label) { labels.append(pin.label) }
        return labels.joined(separator: ", ")
    }
}
