// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Makes the changes that an opening for writing requires (container 1.6). Idempotent.
    static func prepareForWriting(_ file: any DatabaseFile, _ options: OpenOptions) throws {
        try file.mend()
        var size = try file.size()
        if try isBlank(file, size) {
            try initialise(file)
            size = try file.size()
        }
        var header = try FileHeader(file, size: size)
        let topRef = try header.topRef(file, size: size)
        let era = LegacyFormat(header.format)
        guard header.isStreaming || era != nil else { return try rollForward(file) }
        // A file is rejected before anything is changed.
        let state = try Opening(file: file, isReadOnly: false, options: options).load()
        if let era, topRef != 0, options.makesBackup { UpgradeBackup.make(of: file.path, era: era, options.warn) }
        guard header.isStreaming else { return }
        if file.writeUnit > 8 { try makeRoomForCopy(behind: state.logicalSize, topRef, file) }
        try leaveStreamingForm(&header, topRef, file)
    }

    /// Completes commits whose flips didn't reach the disk because of a crash (`CommitRecord`).
    ///
    /// There are several if a sync failed and the system treated unwritten data as written. The caller holds the write
    /// lock.
    static func rollForward(_ file: any DatabaseFile) throws {
        let size = try file.size()
        var header = try FileHeader(file, size: size)
        let records = try Opening(file: file, isReadOnly: false).pendingCommits(header, size)
        guard let last = records.last else { return }
        for record in records { try record.written.writeAgain(in: file) }
        try header.flip(to: last.made.topRef, in: file)
    }

    private static let newByteCount = FileFormat.pageByteCount
    /// Whether the file is empty, or in a state that a crash during its initialisation can leave: zeros, with at most a
    /// part of the header. A complete header is a database.
    static func isBlank(_ file: any DatabaseFile, _ size: Int) throws -> Bool {
        guard size <= newByteCount else { return false }
        let bytes = try file.bytes(size, at: 0)
        let header = FileHeader.new
        guard !bytes.starts(with: header) else { return false }
        return bytes.indices.allSatisfy { bytes[$0] == 0 || $0 < header.count && bytes[$0] == header[$0] }
    }

    /// See container 1.5. A crash before the sync leaves a blank file.
    private static func initialise(_ file: any DatabaseFile) throws {
        try file.resize(to: newByteCount)
        try file.write(FileHeader.new, at: 0)
        try file.sync()
    }

    /// Reports a free page to an encrypted file, for the copy of the first page (`EncryptedFile`).
    ///
    /// A streaming file created by realm-core has none, so it's extended by two pages, with a second footer at its end.
    /// A crash in between leaves the footer at its position (`FileHeader.footerEnd`); realm-core can't read such a file
    /// until Regnum has opened it again.
    private static func makeRoomForCopy(behind logicalSize: Int, _ topRef: Ref, _ file: any DatabaseFile) throws {
        let size = try file.size()
        guard var end = try FileHeader.footerEnd(file, size: size) else { return }
        let start = (logicalSize + FileFormat.pageByteCount - 1) / FileFormat.pageByteCount * FileFormat.pageByteCount
        if end - start < 2 * FileFormat.pageByteCount {
            let footer = FileHeader.bytes(of: UInt64(topRef)) + FileHeader.bytes(of: FileFormat.footerMagic)
            let padding = [UInt8](repeating: 0, count: 2 * FileFormat.pageByteCount - footer.count)
            try file.write(padding + footer, at: end)
            try file.sync()
            end += 2 * FileFormat.pageByteCount
        }
        file.discardUnused([start..<end - FileFormat.pageByteCount], doubtful: [])
    }

    /// Independent of the options of an opening.
    static func leaveStreamingForm(_ file: any DatabaseFile) throws {
        let size = try file.size()
        var header = try FileHeader(file, size: size)
        try leaveStreamingForm(&header, try header.topRef(file, size: size), file)
    }

    /// Converts streaming form to normal form: the footer's top ref is written to slot 1, which is then selected. Until
    /// the flip is durable the footer remains in effect, so nothing else may be written before (C12).
    private static func leaveStreamingForm(
        _ header: inout FileHeader, _ topRef: Ref, _ file: any DatabaseFile
    ) throws {
        try header.flip(to: topRef, format: header.formats.0, in: file)
    }
}
