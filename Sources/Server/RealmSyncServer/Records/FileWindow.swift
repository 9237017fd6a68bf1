// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A part of a file in memory, which moves through the file.
struct FileWindow {
    private let file: DiskFile
    /// The size of the file when the window was created.
    let size: Int
    private var start = 0
    private var bytes: [UInt8] = []

    /// The minimum size of a read, in bytes.
    private static let readSize = 1 << 20

    init(_ file: DiskFile) throws { (self.file, size) = (file, try file.size()) }

    /// Returns the bytes of a range, which ends within the file.
    ///
    /// - Throws: `SystemError`.
    mutating func read(_ range: Range<Int>) throws -> ArraySlice<UInt8> {
        if range.lowerBound < start || range.upperBound > start + bytes.count {
            let end = max(range.upperBound, min(range.lowerBound + FileWindow.readSize, size))
            // The previous part isn't needed any more.
            bytes = []
            bytes = try file.bytes(end - range.lowerBound, at: range.lowerBound)
            start = range.lowerBound
        }
        return bytes[range.lowerBound - start..<range.upperBound - start]
    }
}
