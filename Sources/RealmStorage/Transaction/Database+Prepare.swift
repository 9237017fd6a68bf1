// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// What opening for writing changes in the file before it is read (container 1.6): nothing if it is in order.
    ///
    /// May be repeated: what was done is not done again.
    static func prepareForWriting(_ file: any DatabaseFile, _ options: OpenOptions) throws {
        var size = try file.size()
        if try isBlank(file, size) {
            try initialise(file)
            size = try file.size()
        }
        var header = try FileHeader(file, size: size)
        let topRef = try header.topRef(file, size: size)
        let era = FileEra(header.format)
        guard header.isStreaming || era != nil else { return }
        // What is refused is refused before anything is changed.
        _ = try load(file, readOnly: false, options)
        if let era, topRef != 0, options.makesBackup { UpgradeBackup.make(of: file.path, era: era) }
        if header.isStreaming { try leaveStreamingForm(&header, topRef, file) }
    }

    /// Sees to it that no crash brings back a version whose space may be reused, where that is not known.
    ///
    /// A flip that we see was not made durable by us. If its sync failed, the system shows it although the disk may not
    /// have it, and until a sync has written the header anew a crash brings the version before it back. That version is
    /// kept whole (`reachable`), unless the other slot does not name it any more, since a commit failed meanwhile or the
    /// file has just left its streaming form. Then the flags are written once more, and synced, before all else.
    func confirmFlip(of state: Committed) throws {
        let other = state.header.selected == 0 ? state.header.topRefs.1 : state.header.topRefs.0
        guard !isOurs(state), other != 0, try versionBefore(state) == nil else { return }
        do {
            try state.header.rewriteFlags(in: file)
            try file.sync()
        } catch {
            refuseWrites(because: error)
            throw error
        }
        noteDurable(state)
    }

    /// The version that the slot which is not selected names, if it is the one before that of `state`.
    func versionBefore(_ state: Committed) throws -> VersionRecord? {
        let ref = state.header.selected == 0 ? state.header.topRefs.1 : state.header.topRefs.0
        let size = try file.size()
        guard ref & 7 == 0, ref != 0, ref < UInt64(size) else { return nil }
        let space = NodeSpace(mapping: state.mapping, fileEnd: Ref(size), writable: false)
        guard let top = try? TopArray(space, Ref(ref), fileSize: size), top.version + 1 == state.version else {
            return nil
        }
        return VersionRecord(version: top.version, topRef: Ref(ref), logicalSize: top.logicalSize)
    }

    private static let newByteCount = pageByteCount
    /// The unit in which a file is sized (container 0.1: P).
    static let pageByteCount = 4096

    /// Gives back what a crash, or the last session, left behind the logical end (container 1.6, step 4).
    ///
    /// Only for the first who opens the file, and after it was found to be one that may be written: nobody may read an
    /// older version, nor be about to commit.
    func giveBackTail() throws {
        let state = newest
        let needed = try reachable().reduce(0) { max($0, $1.logicalSize) }
        let target = (needed + Database.pageByteCount - 1) / Database.pageByteCount * Database.pageByteCount
        if state.topRef != 0, target < (try file.size()) { try file.resize(to: target) }
    }

    /// Whether the file is empty, or is what a crash while it was initialised can leave: zeros, with no more than a
    /// part of the header among them. A whole header is a database.
    private static func isBlank(_ file: any DatabaseFile, _ size: Int) throws -> Bool {
        guard size <= newByteCount else { return false }
        var bytes = [UInt8](repeating: 0, count: size)
        unsafe try bytes.withUnsafeMutableBytes { unsafe try file.read(into: $0, at: 0) }
        let header = FileHeader.new
        guard !bytes.starts(with: header) else { return false }
        return bytes.indices.allSatisfy { bytes[$0] == 0 || $0 < header.count && bytes[$0] == header[$0] }
    }

    /// A new database: the header and a page of zeros (container 1.5). A crash before the sync leaves a blank file.
    private static func initialise(_ file: any DatabaseFile) throws {
        try file.resize(to: newByteCount)
        try file.write(FileHeader.new, at: 0)
        try file.sync()
    }

    /// Streaming form to normal form: the footer's top ref goes into slot 1, which is then selected. Until the flip is
    /// durable the footer stays what counts, so nothing else may be written before (C12).
    private static func leaveStreamingForm(
        _ header: inout FileHeader, _ topRef: Ref, _ file: any DatabaseFile
    ) throws {
        try file.write(FileHeader.bytes(of: UInt64(topRef)), at: FileFormat.Header.topRef.1)
        try file.write([header.formats.0], at: FileFormat.Header.formatVersion.1)
        try file.sync()
        try header.flip(in: file)
        try file.sync()
    }
}
