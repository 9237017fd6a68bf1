// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// Decodes documents of the BSON specification, version 1.1, to the values of Extended JSON.
    ///
    /// Hostile bytes give an error. Time and memory are bounded by a multiple of their number.
    struct BSONReader {
        /// The bytes of the file from the document on.
        private let bytes: [UInt8]
        private var offset = 0
        /// The end of the innermost document.
        private var end: Int

        /// The length of a document's size.
        static let headSize = 4
        /// MongoDB's limit for documents, and room for what its tools add.
        static let maxSize = (16 << 20) + (16 << 10)
        static let maxLevels = 100

        private init(_ bytes: [UInt8]) { (self.bytes, end) = (bytes, bytes.count) }

        /// Returns the size of the document that begins with these four bytes.
        static func size(_ head: [UInt8]) throws(BSONError) -> Int {
            var reader = BSONReader(head)
            let size = Int(try reader.integer(Int32.self))
            guard size >= 5, size <= maxSize else {
                throw BSONError("a document can't have \(size) bytes", at: 0)
            }
            return size
        }

        /// - Parameter bytes: Exactly one document.
        /// - Throws: `BSONError` if they aren't a document.
        static func document(_ bytes: [UInt8]) throws(BSONError) -> [ExtendedJSON.Member] {
            var reader = BSONReader(bytes)
            let members = try reader.members(level: 1)
            guard reader.offset == bytes.count else {
                throw BSONError("the document ends before its size", at: reader.offset)
            }
            return members
        }

        // MARK: Documents

        private mutating func members(level: Int) throws(BSONError) -> [ExtendedJSON.Member] {
            guard level <= BSONReader.maxLevels else {
                throw BSONError("it has more than \(BSONReader.maxLevels) levels", at: offset)
            }
            let (start, outer) = (offset, end)
            let size = Int(try integer(Int32.self))
            guard size >= 5, size <= outer - start else {
                throw BSONError("a document of \(size) bytes doesn't fit", at: start)
            }
            end = start + size
            var members: [ExtendedJSON.Member] = []
            while true {
                let type = try byte()
                if type == 0 { break }
                let name = try name()
                members.append(ExtendedJSON.Member(name, try value(type, name, level)))
            }
            guard offset == end else { throw BSONError("a document ends before its size", at: offset) }
            end = outer
            return members
        }

        private mutating func value(_ type: UInt8, _ name: String, _ level: Int) throws(BSONError) -> ExtendedJSON {
            switch type {
            case 0x01: return .double(Double(bitPattern: try integer(UInt64.self)))
            // A symbol is a string of old programs.
            case 0x02, 0x0E: return .string(try string())
            case 0x03: return .document(try members(level: level + 1))
            // The names of the members are the indexes.
            case 0x04: return .array(try members(level: level + 1).map(\.value))
            case 0x05: return try binary()
            // Undefined, of old programs.
            case 0x06, 0x0A: return .null
            case 0x07: return .objectId(try objectId())
            case 0x08: return .bool(try bool())
            case 0x09: return .date(try integer(Int64.self))
            case 0x0B: return .regularExpression(pattern: try self.name(), options: try self.name())
            case 0x10: return .int32(try integer(Int32.self))
            case 0x11:
                let increment = try integer(UInt32.self)
                return .timestamp(seconds: try integer(UInt32.self), increment: increment)
            case 0x12: return .int64(try integer(Int64.self))
            case 0x13:
                let low = try integer(UInt64.self)
                return .decimal(DecimalBits(low: low, high: try integer(UInt64.self)))
            case 0xFF: return .minKey
            case 0x7F: return .maxKey
            case 0x0C, 0x0D, 0x0F:
                throw BSONError("the field '\(name)' is code or a pointer, which no property holds", at: offset)
            default: throw BSONError("the field '\(name)' has the unknown type \(type)", at: offset)
            }
        }

        // MARK: Values

        private mutating func take(_ count: Int) throws(BSONError) -> ArraySlice<UInt8> {
            guard count >= 0, count <= end - offset else {
                throw BSONError("a value of \(count) bytes doesn't fit", at: offset)
            }
            defer { offset += count }
            return bytes[offset..<offset + count]
        }

        private mutating func byte() throws(BSONError) -> UInt8 {
            guard offset < end else { throw BSONError("it ends too early", at: offset) }
            defer { offset += 1 }
            return bytes[offset]
        }

        private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(BSONError) -> Number {
            var value: UInt64 = 0
            for (index, byte) in try take(MemoryLayout<Number>.size).enumerated() {
                value |= UInt64(byte) << UInt64(8 * index)
            }
            return Number(truncatingIfNeeded: value)
        }

        private mutating func bool() throws(BSONError) -> Bool {
            switch try byte() {
            case 0: return false
            case 1: return true
            default: throw BSONError("a boolean is neither 0 nor 1", at: offset - 1)
            }
        }

        /// Ends with a zero byte.
        private mutating func name() throws(BSONError) -> String {
            guard let zero = bytes[offset..<end].firstIndex(of: 0) else {
                throw BSONError("a name has no end", at: offset)
            }
            let text = try text(bytes[offset..<zero])
            offset = zero + 1
            return text
        }

        private mutating func string() throws(BSONError) -> String {
            let size = Int(try integer(Int32.self))
            guard size > 0 else { throw BSONError("a string has the size \(size)", at: offset - 4) }
            let content = try take(size)
            guard content.last == 0 else { throw BSONError("a string has no end", at: offset - 1) }
            return try text(content.dropLast())
        }

        private func text(_ bytes: ArraySlice<UInt8>) throws(BSONError) -> String {
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.utf8.elementsEqual(bytes) else { throw BSONError("a text isn't UTF-8", at: bytes.startIndex) }
            return text
        }

        private mutating func objectId() throws(BSONError) -> ObjectIdBytes {
            let high = try take(8).reduce(0) { $0 << 8 | UInt64($1) }
            return ObjectIdBytes(high: high, low: try take(4).reduce(0) { $0 << 8 | UInt32($1) })
        }

        /// The size of binary data of subtype 2 is repeated.
        private mutating func binary() throws(BSONError) -> ExtendedJSON {
            let size = Int(try integer(Int32.self))
            let subtype = try byte()
            guard subtype == 2 else { return .binary(Array(try take(size)), subtype: subtype) }
            let inner = Int(try integer(Int32.self))
            guard inner == size - 4 else { throw BSONError("binary data has two sizes", at: offset - 4) }
            return .binary(Array(try take(inner)), subtype: subtype)
        }
    }

    struct BSONError: Error, Equatable {
        let message: String
        /// From the start of the document.
        let offset: Int

        init(_ message: String, at offset: Int) { (self.message, self.offset) = (message, offset) }
    }
#endif
