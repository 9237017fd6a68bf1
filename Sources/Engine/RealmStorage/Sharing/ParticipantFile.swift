// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The file in which this participant publishes the versions it pins.
///
/// It is `regnum-<process>-<random>.pins` in the management folder, locked exclusively for as long as this object
/// lives; a file whose lock can be had no longer has an owner, and its pins count no longer. Slots change in one write
/// each.
///
/// Creating and removing a file takes a quarter of the time of opening and closing a database. So a file without pins
/// is left behind, for the next opening in this process (`ReusableParticipantFiles`), or for a process that cleans up
/// after dead ones. A name is never given to another file: others identify files by their names.
///
/// Used by one thread at a time: the owner's lock guards `free` and `unclear`.
final class ParticipantFile {
    /// The prefix of the names of these files and of the lock files.
    static let prefix: StaticString = "regnum-"
    static let suffix = ".pins"

    let name: String
    /// Whether the file was made for this object.
    let isNew: Bool
    private let folder: OpenFolder
    private let file: DiskFile
    private var slotCount = ParticipantFile.firstSlotCount
    private var free: [Int]
    /// Slots that could not be emptied, to be tried again.
    private var unclear: [Int] = []

    /// One page. The blocks exist from then on, so pinning can meet a full disk only with more versions than that.
    private static let firstSlotCount = 32

    init(in folder: OpenFolder) throws {
        self.folder = folder
        free = ParticipantFile.firstSlots
        let left = ReusableParticipantFiles.shared.take(in: folder.path) { ParticipantFile.lock($0, in: folder) }
        isNew = left == nil
        (name, file) = try left ?? ParticipantFile.create(in: folder)
    }

    /// A process that has got this object by `fork` leaves the file to the one that made it, as everywhere here.
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

    /// A file that was left empty, unless another process has taken it for a dead one's or is about to.
    private static func lock(_ name: String, in folder: OpenFolder) -> (String, DiskFile)? {
        // One that was left by the process of which this one is a copy has the number of that one.
        guard name.hasPrefix(ownPrefix), let file = try? DiskFile.open(name, in: folder),
            (try? file.lock(.exclusive, waiting: false)) == true,
            (try? file.hasName()) == true
        else { return nil }
        return (name, file)
    }

    /// A process that cleans up may take the new file for a dead one's until it is locked, and remove it while it holds
    /// the lock: then there is another attempt. Until the bytes are written it pins nothing.
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

    /// If the disk is full, the files of dead processes are removed to make room: usually the last process to have the
    /// file open has left its own.
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

    /// Writes `pin` to a new slot.
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

    /// Whether others find the file.
    func hasName() throws -> Bool { try file.hasName() }

    /// Empties the slot. Where that fails the version stays pinned until it succeeds, which does no harm.
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
