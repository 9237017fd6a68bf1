// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// A file of documents: lines of Extended JSON, or the BSON of `mongodump`.
    protocol DocumentSource: AnyObject {
        /// The offset of the next document, at which another source can continue.
        var offset: Int { get }
        /// The number of documents, or of lines, before `offset`.
        var number: Int { get }
        /// The last document.
        var location: String { get }

        /// Returns the next object, or `nil` at the end. A line without content has none, and is skipped.
        ///
        /// - Parameter className: The class of the documents that don't name their own.
        func next(
            _ reader: inout DocumentReader, _ className: String?
        ) throws -> (object: ObjectReference, row: ObjectRow)?
    }

    final class LineSource: DocumentSource {
        private let lines: LineReader

        init(_ path: String, offset: Int = 0, number: Int = 0) throws {
            lines = try LineReader(path, offset: offset, number: number)
        }

        var offset: Int { lines.position }
        var number: Int { lines.number }
        var location: String { "line \(lines.number)" }

        func next(
            _ reader: inout DocumentReader, _ className: String?
        ) throws -> (object: ObjectReference, row: ObjectRow)? {
            while let line = try lines.next() { if let found = try reader.object(line, className) { return found } }
            return nil
        }
    }

    final class BSONSource: DocumentSource {
        private let file: DiskFile
        private let size: Int
        private var buffer: [UInt8] = []
        /// The offset of the buffer in the file.
        private var start: Int
        private(set) var offset: Int
        private(set) var number: Int

        private static let pieceSize = 1 << 20

        init(_ path: String, offset: Int = 0, number: Int = 0) throws {
            file = try DiskFile.open(path, readOnly: true)
            (size, start, self.offset, self.number) = (try file.size(), offset, offset, number)
        }

        var location: String { "document \(number)" }

        func next(
            _ reader: inout DocumentReader, _ className: String?
        ) throws -> (object: ObjectReference, row: ObjectRow)? {
            guard offset < size else { return nil }
            number += 1
            let members: [ExtendedJSON.Member]
            let begin = offset
            do {
                let count = try BSONReader.size(try bytes(BSONReader.headSize))
                members = try BSONReader.document(try bytes(count))
                offset += count
            } catch let error as BSONError {
                throw DocumentError("it isn't BSON: at byte \(begin + error.offset), \(error.message)")
            }
            guard let className else { throw DocumentError("its class is unknown: use --class") }
            return try reader.object(members, of: Text(className))
        }

        /// Returns the bytes from `offset`.
        private func bytes(_ count: Int) throws -> [UInt8] {
            if offset - start + count > buffer.count {
                guard count <= size - offset else { throw DocumentError("the file ends in this document") }
                buffer = try file.bytes(min(max(count, BSONSource.pieceSize), size - offset), at: offset)
                start = offset
            }
            return Array(buffer[offset - start..<offset - start + count])
        }
    }
#endif
