// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The version that the header names: read through the file, since nothing keeps it from going.
struct NamedVersion: Equatable {
    let header: FileHeader
    let size: Int
    let record: VersionRecord
    private let top: [Int64]

    static func == (a: NamedVersion, b: NamedVersion) -> Bool {
        a.header.names(b.header) && a.record == b.record && a.top == b.top
    }

    /// Throws where the file says nothing sensible, which may be because it has changed meanwhile.
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

    /// Whether the file can be read as it is: nothing has to be done to it first.
    var isInOrder: Bool { header.format == FileFormat.version && !header.isStreaming && record.topRef != 0 }

    /// Whether there is no commit yet to a file that is being made.
    var isEmpty: Bool { !header.isStreaming && record.topRef == 0 }

    /// Pins the newest version: see `SharedAccess` for how and why.
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
            let pin = try registry.pin(named.record, label)
            if let again = try? NamedVersion(file), again == named { return (named, pin) }
            registry.unpin(pin)
        }
        throw StorageError(.fileAccess, "other processes change the file faster than it can be read")
    }
}

extension TopArray {
    /// Reads a top array that nothing protects: through the file, because there may be no such place in the mapping by
    /// now.
    ///
    /// No page is asked for in which it is not: behind it may be what a commit that was cut off has left of a free
    /// page, which cannot be read in an encrypted file.
    fileprivate init(_ file: any DatabaseFile, _ ref: Ref, fileSize: Int) throws {
        let page = FileFormat.pageByteCount
        let longest = min(8 + 8 * FileFormat.Top.mostCount, fileSize - Int(ref))
        var bytes = try file.bytes(min(longest, page - Int(ref) % page), at: Int(ref))
        let header = try TopArray.header(bytes, ref)
        if header.byteCount > bytes.count, header.byteCount <= longest {
            bytes = try file.bytes(header.byteCount, at: Int(ref))
        }
        self = try unsafe bytes.withUnsafeBytes { buffer in
            guard buffer.count >= header.byteCount, let start = buffer.baseAddress else {
                throw StorageError.corrupt("no top array where the header leads", at: ref)
            }
            return try TopArray(unsafe Node(ref: ref, header: header, payload: start + 8), ref, fileSize: fileSize)
        }
    }

    private static func header(_ bytes: [UInt8], _ ref: Ref) throws -> NodeHeader {
        guard bytes.count >= 8 else { throw StorageError.corrupt("a top array that is cut off", at: ref) }
        let header = NodeHeader(bits: bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
        guard header.schemeCode == 0, header.hasRefs else {
            throw StorageError.corrupt("no top array where the header leads", at: ref)
        }
        return header
    }
}
