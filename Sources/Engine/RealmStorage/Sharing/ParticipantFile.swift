// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The file in which this participant publishes the versions that it pins.
///
/// It's `regnum-<process>-<random>.pins` in the management folder, locked exclusively during the lifetime of this
/// object. A file whose lock is available has no owner, and its pins are ignored. Each slot is changed by a single
/// write.
///
/// Creating and removing a file takes a quarter of the time of opening and closing a database. So a file without pins
/// is kept for the next opening in this process (`ReusableParticipantFiles`), or for a process that cleans up after
/// dead ones. A name is never reused for another file: others identify files by their names.
///
/// Used by one thread at a time: the owner's lock guards `free` and `unclear`.
final class ParticipantFile {
    /// The prefix of the names of these files and of the lock files.
    static let prefix: StaticString = "regnum-"
    static let suffix = ".pins"

    let name: String
    /// Whether the file was created for this object.
    let isNew: Bool
    private let folder: OpenFolder
    private let file: DiskFile
    private var slotCount = ParticipantFile.firstSlotCount
    private var free: [Int]
    /// Slots that couldn't be emptied, to be tried again.
    private var unclear: [Int] = []

    /// One page, allocated at the creation. Pinning more versions may fail because the disk is full.
    private static let firstSlotCount = 32

    init(in folder: OpenFolder) throws {
        self.folder = folder
        free = ParticipantFile.firstSlots
        let left = ReusableParticipantFiles.shared.take(in: folder.path) { ParticipantFile.lock($0, in: folder) }
        isNew = left == nil
        (name, file) = try left ?? ParticipantFile.create(in: folder)
    }

    /// A copy of this object in a forked process leaves the file to the original process.
    deinit {
        guard file.isOwn else { return }
        if free.count == ParticipantFile.firstSlotCount, slotCount == free.count {
            ReusableParticipantFiles.shared.keep(name, in: folder.path)
        } else {
            try? folder.removeFile(name)
        }
    }

    private static var ownPrefix: String { "\(prefix)\(CurrentProcess.identifier)-" }

    private static let firstSlots = Array((0..<firstSlotCount).reversed())

    /// Locks a file that was left empty, unless another process considers it a dead one's or is about to.
    private static func lock(_ name: String, in folder: OpenFolder) -> (String, DiskFile)? {
        // After a fork, a file left by the parent process has the parent's number in its name.
        guard name.hasPrefix(ownPrefix), let file = try? DiskFile.open(name, in: folder),
            (try? file.lock(.exclusive, waiting: false)) == true,
            (try? file.hasName()) == true
        else { return nil }
        return (name, file)
    }

    /// A process that cleans up may lock and remove the new file before it's locked here; then another one is created.
    /// The file pins nothing until its bytes are written.
    private static func create(in folder: OpenFolder) throws -> (String, DiskFile) {
        while true {
            let name = ownPrefix + String(UniqueNumber.next(), radix: 16) + suffix
            let file = try DiskFile.create(name, in: folder)
            do {
                _ = try file.lock(.exclusive, waiting: true)
                guard try file.hasName() else { continue }
                try fill(file, in: folder, name)
                return (name, file)
            } catch {
                try? folder.removeFile(name)
                throw error
            }
        }
    }

    /// If the disk is full, this removes the files of dead processes. The last process to have the file open has
    /// usually left its own.
    private static func fill(_ file: DiskFile, in folder: OpenFolder, _ name: String) throws {
        let slots = [UInt8](repeating: 0, count: firstSlotCount * PinSlot.byteCount)
        do {
            try file.write(slots, at: 0)
        } catch let error as SystemError where [ENOSPC, EDQUOT].contains(error.number) {
            Participants(in: folder, own: name).removeDead()
            try file.write(slots, at: 0)
        }
    }

    // MARK: Slots

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

    func set(_ slot: Int, _ pin: PinSlot) throws {
        guard file.isOwn else { throw SystemError("pinning after fork", path: file.path, number: EPERM) }
        try file.write(pin.bytes, at: slot * PinSlot.byteCount)
    }

    func hasName() throws -> Bool { try file.hasName() }

    /// Empties the slot. If that fails, the version stays pinned until a retry succeeds, which is harmless.
    func clear(_ slot: Int) {
        guard file.isOwn else { return }
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
