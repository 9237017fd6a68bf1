// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The version that the header names. It's read through the file, because an unpinned version may be removed at any
/// time.
struct NamedVersion: Equatable {
    let header: FileHeader
    let size: Int
    let record: VersionRecord
    private let top: [Int64]

    static func == (a: NamedVersion, b: NamedVersion) -> Bool {
        a.header.names(b.header) && a.record == b.record && a.top == b.top
    }

    /// Throws if the content of the file isn't valid, possibly because it has changed meanwhile.
    init(_ file: any DatabaseFile) throws {
        (header, size) = try FileHeader.stable(file)
        let ref = try header.topRef(file, size: size)
        guard ref != 0 else {
            record = VersionRecord(version: 1, topRef: 0, logicalSize: FileFormat.Header.byteCount)
            top = []
            return
        }
        let array = try TopArray(file, ref, fileSize: size)
        top = array.elements
        record = VersionRecord(version: array.version, topRef: ref, logicalSize: array.logicalSize)
    }

    /// Whether the file can be read without a repair or an upgrade.
    var isInOrder: Bool { header.format == FileFormat.version && !header.isStreaming && record.topRef != 0 }

    /// Whether there is a commit after this version that may not have returned: another process is writing it, or a
    /// crash interrupted it.
    func hasCommitPending(in file: any DatabaseFile) throws -> Bool {
        guard isInOrder, file.writeUnit == 8 else { return false }
        return try CommitRecord.find(after: record.name, in: file, size: size) != nil
    }

    var isEmpty: Bool { !header.isStreaming && record.topRef == 0 }

    /// Pins the newest version with the protocol of `SharedAccess`.
    static func pinNewest(
        of file: any DatabaseFile, in registry: inout VersionRegistry, _ label: String
    ) throws -> (NamedVersion, pin: UInt64) {
        var failures = 0
        for _ in 0..<1000 {
            let named: NamedVersion
            do {
                named = try NamedVersion(file)
            } catch {
                failures += 1
                guard failures < 10 else { throw error }
                continue
            }
            let pin = try registry.pin(named.record, label, isConfirmed: false)
            if let again = try? NamedVersion(file), again == named {
                registry.confirm(pin)
                return (named, pin)
            }
            registry.unpin(pin)
        }
        throw StorageError(.fileAccess, "other processes change the file faster than it can be read")
    }
}
