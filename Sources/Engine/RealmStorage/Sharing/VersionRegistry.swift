// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The versions that this process holds of one database, and by whom; it writes them down for the other processes.
///
/// A version takes one slot of the participant's file however many hold it: further pins are counted in memory. Used by
/// one thread at a time, guarded by the database's lock, which is therefore held over small writes to that file.
struct VersionRegistry {
    /// The file's entry for a version.
    private struct Entry {
        let slot: Int?
        let since: Int64
        var holders = 1
        /// The count in the slot. It may lag: it is rewritten when it is wrong by more than a factor of two.
        var writtenHolders = 1
    }

    /// nil if no other process can have the file open.
    private let file: ParticipantFile?
    private var pins: [UInt64: VersionPin] = [:]
    private var entries: [UInt64: Entry] = [:]
    private var next: UInt64 = 1

    init(_ file: ParticipantFile?) { self.file = file }

    /// Throws if other participants can no longer see the pins of this one.
    func verifyInPlace() throws {
        guard let file, try !file.hasName() else { return }
        throw StorageError(
            .fileAccess,
            "'\(file.name)' beside it was removed while it was open, so that no process sees which versions are "
                + "read; nothing was written; close it everywhere and open it again")
    }

    /// All holders of versions, oldest version first, in the order of their coming.
    var holders: [VersionPin] {
        pins.ordered { ($0.value.version, $0.key) < ($1.value.version, $1.key) }.map(\.value)
    }

    var pinCount: Int { pins.count }

    /// The versions that are held.
    var records: Set<VersionRecord> { Set(pins.values.map(\.record)) }

    /// Whether a reader holds the version, so that it stays.
    func isPinned(_ version: UInt64) -> Bool { entries[version] != nil }

    /// The version of a pin that is still held.
    func version(of pin: UInt64) -> UInt64? { pins[pin]?.version }

    // MARK: Pins

    /// Pins a version for a reader.
    mutating func pin(_ record: VersionRecord, _ label: String) throws -> UInt64 {
        let now = CurrentProcess.time
        let identifier = enter(VersionPin(record: record, label: label, since: now, isShared: true))
        guard var entry = entries[record.version] else {
            do {
                entries[record.version] = Entry(
                    slot: try file?.add(PinSlot(record, since: now, holders: 1, label: label)), since: now)
            } catch {
                pins[identifier] = nil
                throw error
            }
            return identifier
        }
        entry.holders += 1
        rewrite(&entry, record.version)
        entries[record.version] = entry
        return identifier
    }

    /// The holder of the base of a write.
    static let writer = "writer"

    /// Notes the base of a write.
    mutating func pinBase(_ record: VersionRecord) -> UInt64 {
        enter(VersionPin(record: record, label: VersionRegistry.writer, since: CurrentProcess.time, isShared: false))
    }

    private mutating func enter(_ pin: VersionPin) -> UInt64 {
        defer { next += 1 }
        pins[next] = pin
        return next
    }

    mutating func unpin(_ identifier: UInt64) {
        guard let pin = pins.removeValue(forKey: identifier), pin.isShared, var entry = entries[pin.version] else {
            return
        }
        entry.holders -= 1
        guard entry.holders == 0 else {
            rewrite(&entry, pin.version)
            entries[pin.version] = entry
            return
        }
        entries[pin.version] = nil
        if let slot = entry.slot { file?.clear(slot) }
    }

    /// The slot's count and labels are for people to read, so a write that fails does not matter.
    private func rewrite(_ entry: inout Entry, _ version: UInt64) {
        guard let file, let slot = entry.slot,
            entry.holders > entry.writtenHolders * 2 || entry.holders * 2 < entry.writtenHolders
        else { return }
        entry.writtenHolders = entry.holders
        guard let record = pins.values.first(where: { $0.version == version })?.record else { return }
        try? file.set(
            slot, PinSlot(record, since: entry.since, holders: entry.holders, label: labels(of: version)))
    }

    /// The holders of a version, each name once.
    func labels(of version: UInt64) -> String {
        var labels: [String] = []
        for pin in holders where pin.version == version && !labels.contains(pin.label) { labels.append(pin.label) }
        return labels.joined(separator: ", ")
    }
}
