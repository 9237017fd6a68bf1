// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The file in which this participant tells the others which versions it pins.
///
/// It is `regnum-<process>-<random>.pins` in the management folder, locked exclusively for as long as this object
/// lives; a file whose lock can be had belongs to nobody any more, and its pins count no longer. Slots change in one
/// write each.
///
/// Used by one thread at a time: the owner's lock guards `free` and `unclear`.
final class ParticipantFile {
    /// How the names of these files begin, and those of the lock files too.
    static let prefix: StaticString = "regnum-"
    static let suffix = ".pins"

    let name: String
    private let folder: String
    private let file: DiskFile
    private var slotCount = ParticipantFile.firstSlotCount
    private var free: [Int]
    /// Slots that could not be emptied, to be tried again.
    private var unclear: [Int] = []

    /// One page. The blocks exist from then on, so pinning fails for want of space only with more versions than that.
    private static let firstSlotCount = 32

    init(in folder: String) throws {
        self.folder = folder
        free = (0..<ParticipantFile.firstSlotCount).reversed()
        let bytes = [UInt8](repeating: 0, count: ParticipantFile.firstSlotCount * PinSlot.byteCount)
        (name, file) = try ParticipantFile.create(in: folder, bytes)
    }

    deinit { try? Folder.removeFile(folder + "/" + name) }

    /// Somebody who cleans up may take the new file for a dead one until it is locked, and remove it while he holds the
    /// lock: then there is another attempt. Until the bytes are written it pins nothing.
    private static func create(in folder: String, _ bytes: [UInt8]) throws -> (String, DiskFile) {
        while true {
            let random = String(UInt64.random(in: .min ... .max), radix: 16)
            let name = "\(prefix)\(CurrentProcess.identifier)-\(random)\(suffix)"
            let file = try DiskFile.create(folder + "/" + name)
            do {
                _ = try file.lock(.exclusive, waiting: true)
                guard try file.hasName() else { continue }
                try file.write(bytes, at: 0)
                return (name, file)
            } catch {
                try? Folder.removeFile(folder + "/" + name)
                throw error
            }
        }
    }

    // MARK: Slots

    /// A new slot that says `pin`.
    func add(_ pin: PinSlot) throws -> Int {
        retryUnclear()
        if free.isEmpty {
            free = (slotCount..<slotCount * 2).reversed()
            slotCount *= 2
        }
        let slot = free.removeLast()
        do {
            try set(slot, pin)
        } catch {
            clear(slot)
            throw error
        }
        return slot
    }

    func set(_ slot: Int, _ pin: PinSlot) throws { try file.write(pin.bytes, at: slot * PinSlot.byteCount) }

    /// Empties the slot. Where that fails the version stays pinned until it succeeds, which harms nobody.
    func clear(_ slot: Int) {
        do {
            try file.write(PinSlot.empty, at: slot * PinSlot.byteCount)
            free.append(slot)
        } catch {
            unclear.append(slot)
        }
    }

    private func retryUnclear() {
        let slots = unclear
        unclear = []
        for slot in slots { clear(slot) }
    }
}
