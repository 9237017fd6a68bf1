// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension TopArray {
    /// Reads the top array of a version that isn't pinned. Reads it through the file, because the mapping may not
    /// include it any more.
    ///
    /// Reads only the pages that contain it: an interrupted commit may have partly written the next page, which then
    /// can't be read in an encrypted file.
    init(_ file: any DatabaseFile, _ ref: Ref, fileSize: Int) throws {
        let page = FileFormat.pageByteCount
        guard ref & 7 == 0, ref < Ref(fileSize) else {
            throw StorageError.corrupt("a top array outside the file", at: ref)
        }
        let longest = min(TopArray.maxByteCount, fileSize - Int(ref))
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

    static let maxByteCount = 8 + 8 * FileFormat.Top.maxCount

    static func header(_ bytes: [UInt8], _ ref: Ref) throws -> NodeHeader {
        guard bytes.count >= 8 else { throw StorageError.corrupt("a top array that is cut off", at: ref) }
        let header = NodeHeader(bits: bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
        guard header.schemeCode == 0, header.hasRefs else {
            throw StorageError.corrupt("no top array where the header leads", at: ref)
        }
        return header
    }
}
