// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The stored form of a changeset in a history (§4.6): a byte with the algorithm and the number of size bytes, the
/// size, and the data. An empty changeset has no bytes.
package enum CompressedChangeset {
    private enum Algorithm: UInt8 {
        case stored = 0
        /// A zlib stream without its two-byte header.
        case deflate = 1
        case lzfse = 2
    }

    /// Changesets of at most this many bytes are stored uncompressed.
    private static let minCompressed = 256
    /// The header of a zlib stream of the fast level.
    private static let streamHeader: [UInt8] = [0x78, 0x01]

    /// Stores the bytes uncompressed if the system has no zlib.
    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        if bytes.count > minCompressed, let zlib = try? Zlib.load() {
            let data = zlib.deflated(bytes).dropFirst(streamHeader.count)
            if data.count < bytes.count { return header(.deflate, bytes.count) + data }
        }
        return header(.stored, bytes.count) + bytes
    }

    private static func header(_ algorithm: Algorithm, _ count: Int) -> [UInt8] {
        var size: [UInt8] = []
        var rest = count
        while rest > 0 {
            size.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return [algorithm.rawValue << 4 | UInt8(size.count)] + size
    }

    /// - Throws: `StorageError` if the bytes aren't a compressed changeset.
    package static func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let first = bytes.first else { return [] }
        let sizeCount = Int(first & 0x0F)
        guard sizeCount <= 8, bytes.count > sizeCount else { throw bad("too short") }
        let size = bytes[1..<1 + sizeCount].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let count = Int(exactly: size) else { throw bad("too long") }
        let data = bytes[(1 + sizeCount)...]
        switch Algorithm(rawValue: first >> 4) {
        case .stored:
            guard data.count == count else { throw bad("of another size than it says") }
            return Array(data)
        case .deflate:
            do {
                return try Zlib.load().inflated((streamHeader + data)[...], count: count)
            } catch .missing {
                throw StorageError(.incompatibleHistory, "\(Zlib.Failure.missing); the history of the file needs it")
            } catch {
                throw bad("damaged: \(error)")
            }
        case .lzfse:
            throw StorageError(
                .incompatibleHistory,
                "a changeset of the history is compressed with LZFSE, as the original does on Apple's platforms, which "
                    + "this library can't read; let the original upload it there, or make the file a local one ('realm "
                    + "upgrade --local' on a copy), which keeps all its objects")
        case nil: throw bad("compressed in an unknown way (\(first >> 4))")
        }
    }

    private static func bad(_ what: String) -> StorageError {
        StorageError(.invalidDatabase, "a changeset of the history is \(what)")
    }
}
