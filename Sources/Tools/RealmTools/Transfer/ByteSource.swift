// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

final class ByteSource {
    private let handle: FileHandle?
    private var buffer: [UInt8]
    private var index = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1
    private let progress: Progress?

    private static let pieceSize = 1 << 16

    /// `-` is the standard input.
    init(path: String, progress: Progress? = nil) throws {
        if path == "-" {
            handle = .standardInput
        } else {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                let file = FileHandle(forReadingAtPath: path)
            else { throw TransferError("'\(path)' cannot be read") }
            handle = file
        }
        self.progress = progress
        buffer = []
    }

    deinit { try? handle?.close() }

    func peek() throws -> UInt8? {
        if index < buffer.count { return buffer[index] }
        guard let handle else { return nil }
        let piece = try handle.read(upToCount: ByteSource.pieceSize) ?? Data()
        progress?.advance(by: piece.count)
        buffer = Array(piece)
        index = 0
        return buffer.first
    }

    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        index += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    func nextPiece() throws -> [UInt8]? {
        guard try peek() != nil else { return nil }
        defer { index = buffer.count }
        return index == 0 ? buffer : Array(buffer[index...])
    }

    /// Consumes the buffered part of the rest of the line, or else its next piece, including the line's end; nil after
    /// that. `isOver` belongs to the caller, and is false at the start of a line.
    func nextPiece(ofLine isOver: inout Bool) throws -> [UInt8]? {
        guard !isOver, try peek() != nil else { return nil }
        let end = buffer[index...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        isOver = end != nil
        if isOver { line += 1 }
        defer { index = end ?? buffer.count }
        return Array(buffer[index..<(end ?? buffer.count)])
    }

    func skipLine(_ isOver: Bool = false) throws {
        var isOver = isOver
        while try nextPiece(ofLine: &isOver) != nil {}
    }

    func skipMark() throws {
        guard try peek() == 0xEF, buffer.count - index >= 3, buffer[index + 1] == 0xBB, buffer[index + 2] == 0xBF else {
            return
        }
        index += 3
    }
}
