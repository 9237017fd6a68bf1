// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// What opening for writing changes in the file (container 1.6): nothing if it is in order.
    static func prepareForWriting(_ file: any DatabaseFile) throws {
        var size = try file.size()
        if size == 0 {
            try initialise(file)
            size = try file.size()
        }
        var header = try FileHeader(file, size: size)
        let topRef = try header.topRef(file, size: size)
        guard header.format == FileFormat.version || topRef == 0 else { return }
        if header.isStreaming { try leaveStreamingForm(&header, topRef, file) }
    }

    /// A new database: the header and a page of zeros. A crash before the sync leaves an empty file or this.
    private static func initialise(_ file: any DatabaseFile) throws {
        try file.resize(to: 4096)
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
