// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSystem

    final class LineReader {
        private let file: DiskFile
        private let size: Int
        private var offset = 0
        private var buffer: ArraySlice<UInt8> = []
        /// 1-based.
        private(set) var number = 0

        private static let pieceSize = 1 << 16
        private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

        /// - Parameters:
        ///   - offset: The start of a line.
        ///   - number: The number of lines before it.
        init(_ path: String, offset: Int = 0, number: Int = 0) throws {
            file = try DiskFile.open(path, readOnly: true)
            size = try file.size()
            (self.offset, self.number) = (offset, number)
            if offset == 0, size >= 3, try file.bytes(3, at: 0) == LineReader.mark { self.offset = 3 }
        }

        /// The offset of the next line.
        var position: Int { offset - buffer.count }

        /// Returns the line without its end, or `nil` at the end of the file.
        func next() throws -> [UInt8]? {
            var line: [UInt8] = []
            var isOver = buffer.isEmpty && offset == size
            if isOver { return nil }
            number += 1
            while !isOver {
                if buffer.isEmpty { try readPiece() }
                if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    line += buffer[..<end]
                    buffer = buffer[(end + 1)...]
                    break
                }
                line += buffer
                buffer = []
                isOver = offset == size
            }
            return line
        }

        private func readPiece() throws {
            let count = min(LineReader.pieceSize, size - offset)
            buffer = try file.bytes(count, at: offset)[...]
            offset += count
        }
    }
#endif
