// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The other participants of a database: the files in its management folder, and the pins they hold.
///
/// `files` (those seen before, still open) is guarded by `lock`, which is held while the folder is read.
final class Participants: @unchecked Sendable {
    private let folder: OpenFolder
    /// The name of our own file, which is passed over.
    private let own: String
    private let lock = Lock()
    private var files: [String: DiskFile] = [:]

    /// Another live participant and its pins.
    struct Participant: Sendable {
        let processIdentifier: Int
        var pins: [PinSlot]
    }

    init(in folder: OpenFolder, own: String) {
        self.folder = folder
        self.own = own
    }

    /// All other participants that have the database open now. Removes files of processes that no longer exist.
    ///
    /// Participants that began to take part or to pin before the call are among them; those that do so meanwhile may
    /// be.
    func others() throws -> [Participant] {
        try lock.locked {
            let names = try self.names()
            for name in files.keys where !names.contains(name) { files[name] = nil }
            return try names.compactMap(participant)
        }
    }

    /// Removes the files of processes that no longer exist, as far as possible. Those of live ones stay.
    func removeDead() { lock.locked { for name in (try? names()) ?? [] { _ = try? living(name) } } }

    private func names() throws -> [String] {
        try folder.names(prefix: ParticipantFile.prefix).filter { $0 != own && $0.hasSuffix(ParticipantFile.suffix) }
    }

    private func participant(_ name: String) throws -> Participant? {
        guard let file = try living(name) else { return nil }
        let digits = name.dropFirst(ParticipantFile.prefix.utf8CodeUnitCount).prefix { $0.isNumber }
        return Participant(processIdentifier: Int(digits) ?? 0, pins: try Participants.pins(in: file))
    }

    /// The file of a participant that lives. Its owner holds the lock exclusively for as long as it does.
    private func living(_ name: String) throws -> DiskFile? {
        guard let file = try open(name), try file.lock(.shared, waiting: false) else { return files[name] }
        // The file is ours while it is open here. Without its lock, the process that created or left it could reuse it,
        // and pin versions in a file that loses its name.
        defer { files[name] = nil }
        try folder.removeFile(name)
        return nil
    }

    /// The file, or nil if it no longer exists.
    private func open(_ name: String) throws -> DiskFile? {
        if let file = files[name] { return file }
        do {
            let file = try DiskFile.open(name, in: folder, readOnly: true)
            files[name] = file
            return file
        } catch let error as SystemError where error.number == ENOENT {
            return nil
        }
    }

    /// The pins in the file. Throws if a slot stays unreadable: no space may be reused then.
    private static func pins(in file: DiskFile) throws -> [PinSlot] {
        var pins: [PinSlot] = []
        let slotCount = try file.size() / PinSlot.byteCount
        let page = 32
        for first in stride(from: 0, to: slotCount, by: page) {
            var slots = try read(first..<min(first + page, slotCount), of: file)
            for index in slots.indices where slots[index] == .torn {
                slots[index] = try reread(first + index, of: file)
            }
            for case .pin(let pin) in slots { pins.append(pin) }
        }
        return pins
    }

    private static func read(_ range: Range<Int>, of file: DiskFile) throws -> [PinSlot.Reading] {
        let bytes = try file.bytes(range.count * PinSlot.byteCount, at: range.lowerBound * PinSlot.byteCount)
        return (0..<range.count).map { PinSlot.read(bytes[$0 * PinSlot.byteCount..<($0 + 1) * PinSlot.byteCount]) }
    }

    private static func reread(_ slot: Int, of file: DiskFile) throws -> PinSlot.Reading {
        for attempt in 0..<200 {
            CurrentProcess.pause(microseconds: attempt < 50 ? 20 : 10_000)
            if let reading = try read(slot..<slot + 1, of: file).first, reading != .torn { return reading }
        }
        throw SystemError("the pins of another process cannot be read", path: file.path, number: EIO)
    }
}
