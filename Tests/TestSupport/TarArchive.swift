// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The plain files of a tar archive (POSIX ustar).
struct TarArchive {
    private(set) var files: [(name: String, bytes: ArraySlice<UInt8>)] = []

    private static let blockSize = 512

    init(bytes: [UInt8]) throws {
        var rest = bytes[...]
        // The archive ends with blocks of zeros.
        while rest.first != 0 {
            guard rest.count >= Self.blockSize else { throw Failure("the archive is cut off") }
            let header = Array(rest.prefix(Self.blockSize))
            let name = String(decoding: header[..<100].prefix { $0 != 0 }, as: UTF8.self)
            let digits = String(decoding: header[124..<136].prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
            guard let size = Int(digits, radix: 8), header[156] == UInt8(ascii: "0"), !name.contains("/") else {
                throw Failure("\(name) isn't a plain file")
            }
            rest = rest.dropFirst(Self.blockSize)
            guard rest.count >= size else { throw Failure("\(name) is cut off") }
            files.append((name, rest.prefix(size)))
            rest = rest.dropFirst((size + Self.blockSize - 1) / Self.blockSize * Self.blockSize)
        }
    }
}
