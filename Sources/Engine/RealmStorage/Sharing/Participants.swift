// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The other participants of a database: the files in its management folder, and their pins.
///
/// `files` (those already opened) is guarded by `lock`, which is held while the folder is read.
final class Participants: @unchecked Sendable {
    private let folder: OpenFolder
    /// The name of this participant's own file, which is skipped.
    private let own: String
    private let lock = Lock()
    private var files: [String: DiskFile] = [:]

    struct Participant: Sendable {
        let processIdentifier: Int
        var pins: [PinSlot]
    }

    init(in folder: OpenFolder, own: String) {
        self.folder = folder
        self.own = own
    }

    /// Returns all other participants that have the database open. Removes files of processes that no longer exist.
    ///
    /// Includes all participants that joined, and all pins that were written, before the call. Later ones may be
    /// included.
    func others() throws -> [Participant] {
        try lock.locked {
            let names = try self.names()
            for name in files.keys where !names.contains(name) { files[name] = nil }
            return try names.compactMap(participant)
        }
    }

    func removeDead() { lock.locked { for name in (try? names()) ?? [] { _ = try? living(name) } } }

    private func names() throws -> [String] {
        try folder.names(prefix: ParticipantFile.prefix).filter { $0 != own && $0.hasSuffix(ParticipantFile.suffix) }
    }

    private func participant(_ name: String) throws -> Participant? {
        guard let file = try living(name) else { return nil }
        let digits = name.dropFirst(ParticipantFile.prefix.utf8CodeUnitCount).prefix { $0.isNumber }
        return Participant(processIdentifier: Int(digits) ?? 0, pins: try Participants.pins(in: file))
    }

    /// Returns the file of a participant that is alive: its owner holds the lock exclusively.
    private func living(_ name: String) throws -> DiskFile? {
        guard let file = try open(name), try file.lock(.shared, waiting: false) else { return files[name] }
        // The file must stay locked until it's removed. Otherwise the process that created or left it could reuse it,
        // and pin versions in a file without a name.
        defer { files[name] = nil }
        try folder.removeFile(name)
        return nil
    }

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

    /// Returns the pins in the file. Throws if a slot stays unreadable: no space may be reused then.
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
