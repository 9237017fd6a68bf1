// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// An object of an asymmetric class, which a client has sent and no client receives (§5.6).
package struct IngestRecord: Hashable, Sendable {
    /// The records of an app are numbered from 1, in the order of their integration.
    package var sequence: UInt64
    /// The time of the integration, in seconds since 1970.
    package var time: UInt64
    package var className: Text
    /// The client file that sent the object.
    package var file: UInt64
    package var user: String
    /// The encoded document.
    package var document: [UInt8]

    /// The approximate size in bytes.
    package var size: Int { document.count + className.string.utf8.count + user.utf8.count + 24 }
}

extension IngestRecord {
    func write(to writer: inout RecordWriter) {
        for number in [sequence, time, file] { writer.number(number) }
        writer.blob(Array(className.string.utf8))
        writer.blob(Array(user.utf8))
        writer.blob(document)
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        sequence = try reader.number()
        time = try reader.number()
        file = try reader.number()
        className = Text(String(decoding: try reader.blob(), as: UTF8.self))
        user = String(decoding: try reader.blob(), as: UTF8.self)
        document = try reader.blob()
    }

    /// - Throws: `RecordError` if the document is damaged.
    func extendedJSON() throws(RecordError) -> ExtendedJSON {
        var reader = RecordReader(document[...])
        let value = try ExtendedJSON(&reader, level: 0)
        guard reader.isAtEnd else { throw RecordError("bytes follow the document", at: reader.offset) }
        return value
    }
}

/// The binary form of a document. It's about as long as the client's instructions, whereas JSON can be twenty times
/// longer, and both textual forms follow from it.
extension ExtendedJSON {
    func write(to writer: inout RecordWriter) {
        switch self {
        case .null: writer.byte(0)
        case .bool(let value): writer.byte(value ? 2 : 1)
        case .int32(let value): writer.tagged(3, Int64(value))
        case .int64(let value): writer.tagged(4, value)
        case .double(let value):
            writer.byte(5)
            writer.fixed(value.bitPattern)
        case .string(let value): writer.tagged(6, value)
        case .binary(let bytes, let subtype):
            writer.byte(7)
            writer.byte(subtype)
            writer.blob(bytes)
        case .objectId(let value):
            writer.byte(8)
            writer.raw(value.bytes)
        case .date(let value): writer.tagged(9, value)
        case .decimal(let value):
            writer.byte(10)
            writer.fixed(value.low)
            writer.fixed(value.high)
        case .regularExpression(let pattern, let options):
            writer.tagged(11, pattern)
            writer.blob(Array(options.utf8))
        case .timestamp(let seconds, let increment):
            writer.byte(12)
            writer.number(UInt64(seconds))
            writer.number(UInt64(increment))
        case .minKey: writer.byte(13)
        case .maxKey: writer.byte(14)
        case .array(let elements):
            writer.byte(15)
            writer.number(UInt64(elements.count))
            for element in elements { element.write(to: &writer) }
        case .document(let members):
            writer.byte(16)
            writer.number(UInt64(members.count))
            for member in members {
                writer.blob(Array(member.name.utf8))
                member.value.write(to: &writer)
            }
        }
    }

    /// A document is at most as deep as a path of an instruction, plus the levels of collections in a Mixed.
    private static let maxLevels = 512

    init(_ reader: inout RecordReader, level: Int) throws(RecordError) {
        let start = reader.offset
        guard level < ExtendedJSON.maxLevels else { throw RecordError("a document has too many levels", at: start) }
        switch try reader.byte() {
        case 0: self = .null
        case 1: self = .bool(false)
        case 2: self = .bool(true)
        case 3: self = .int32(Int32(truncatingIfNeeded: try reader.signed()))
        case 4: self = .int64(try reader.signed())
        case 5: self = .double(Double(bitPattern: try reader.fixed(UInt64.self)))
        case 6: self = .string(try reader.string())
        case 7:
            let subtype = try reader.byte()
            self = .binary(try reader.blob(), subtype: subtype)
        case 8: self = .objectId(ObjectIdBytes(bytes: try reader.raw(ObjectIdBytes.byteCount)))
        case 9: self = .date(try reader.signed())
        case 10:
            let low = try reader.fixed(UInt64.self)
            self = .decimal(DecimalBits(low: low, high: try reader.fixed(UInt64.self)))
        case 11:
            let pattern = try reader.string()
            self = .regularExpression(pattern: pattern, options: try reader.string())
        case 12:
            let seconds = UInt32(truncatingIfNeeded: try reader.number())
            self = .timestamp(seconds: seconds, increment: UInt32(truncatingIfNeeded: try reader.number()))
        case 13: self = .minKey
        case 14: self = .maxKey
        case 15:
            var elements: [ExtendedJSON] = []
            for _ in 0..<(try reader.count()) { elements.append(try ExtendedJSON(&reader, level: level + 1)) }
            self = .array(elements)
        case 16:
            var members: [Member] = []
            for _ in 0..<(try reader.count()) {
                let name = try reader.string()
                members.append(Member(name, try ExtendedJSON(&reader, level: level + 1)))
            }
            self = .document(members)
        case let kind: throw RecordError("unknown kind of value \(kind)", at: start)
        }
    }
}

extension RecordWriter {
    fileprivate mutating func tagged(_ tag: UInt8, _ value: Int64) {
        byte(tag)
        // The sign is the lowest bit, so that small negative numbers are short.
        number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    fileprivate mutating func tagged(_ tag: UInt8, _ text: String) {
        byte(tag)
        blob(Array(text.utf8))
    }
}

extension RecordReader {
    fileprivate mutating func signed() throws(RecordError) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    fileprivate mutating func string() throws(RecordError) -> String { String(decoding: try blob(), as: UTF8.self) }
}
