// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport

    /// Encodes documents by the BSON specification, version 1.1.
    package struct BSONWriter {
        private(set) var bytes: [UInt8] = []

        package static func document(_ members: [ExtendedJSON.Member]) -> [UInt8] {
            var writer = BSONWriter()
            for member in members { writer.add(member.value, member.name) }
            return writer.closed
        }

        private var closed: [UInt8] {
            var result = BSONWriter()
            result.integer(Int32(bytes.count + 5))
            return result.bytes + bytes + [0]
        }

        private mutating func integer<Number: FixedWidthInteger>(_ value: Number) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }

        private mutating func name(_ text: String) { bytes += Array(text.utf8) + [0] }

        private mutating func begin(_ type: UInt8, _ name: String) {
            bytes.append(type)
            self.name(name)
        }

        private mutating func add(_ value: ExtendedJSON, _ name: String) {
            switch value {
            case .double(let number):
                begin(0x01, name)
                integer(number.bitPattern)
            case .string(let text):
                begin(0x02, name)
                integer(Int32(text.utf8.count + 1))
                self.name(text)
            case .document(let members):
                begin(0x03, name)
                bytes += BSONWriter.document(members)
            case .array(let elements):
                begin(0x04, name)
                bytes += BSONWriter.document(elements.enumerated().map { ExtendedJSON.Member("\($0)", $1) })
            case .binary(let data, let subtype):
                begin(0x05, name)
                integer(Int32(subtype == 2 ? data.count + 4 : data.count))
                bytes.append(subtype)
                if subtype == 2 { integer(Int32(data.count)) }
                bytes += data
            case .objectId(let id):
                begin(0x07, name)
                bytes += id.bytes
            case .bool(let value):
                begin(0x08, name)
                bytes.append(value ? 1 : 0)
            case .date(let milliseconds):
                begin(0x09, name)
                integer(milliseconds)
            case .null: begin(0x0A, name)
            case .regularExpression(let pattern, let options):
                begin(0x0B, name)
                self.name(pattern)
                self.name(options)
            case .int32(let number):
                begin(0x10, name)
                integer(number)
            case .timestamp(let seconds, let increment):
                begin(0x11, name)
                integer(increment)
                integer(seconds)
            case .int64(let number):
                begin(0x12, name)
                integer(number)
            case .decimal(let number):
                begin(0x13, name)
                integer(number.low)
                integer(number.high)
            case .minKey: begin(0xFF, name)
            case .maxKey: begin(0x7F, name)
            }
        }

        // MARK: Random values

        package static func random(_ generator: inout SeededGenerator, level: Int = 0) -> ExtendedJSON {
            switch generator.below(level < 5 ? 16 : 14) {
            case 0: return .null
            case 1: return .bool(generator.chance(50))
            case 2: return .int32(Int32(truncatingIfNeeded: generator.next()))
            case 3: return .int64(Int64(bitPattern: generator.next()))
            case 4: return .double(Double(generator.below(1_000_000)) / 8)
            case 5: return .string(["", "a", "é", "\u{1F600}", "zero\u{0}inside"][generator.below(5)])
            case 6:
                return .binary(
                    (0..<generator.below(20)).map { UInt8($0) }, subtype: [0, 2, 3, 4, 128][generator.below(5)])
            case 7: return .objectId(ObjectIdBytes(high: generator.next(), low: UInt32(generator.below(1000))))
            case 8: return .date(Int64(generator.below(1 << 40)) - 1 << 39)
            case 9: return .decimal(DecimalBits(low: generator.next(), high: generator.next()))
            case 10: return .regularExpression(pattern: "^a", options: "i")
            case 11: return .timestamp(seconds: UInt32(generator.below(1000)), increment: 7)
            case 12: return .minKey
            case 13: return .maxKey
            case 14: return .array((0..<generator.below(5)).map { _ in random(&generator, level: level + 1) })
            default:
                return .document(
                    (0..<generator.below(5)).map {
                        ExtendedJSON.Member("f\($0)", random(&generator, level: level + 1))
                    })
            }
        }

        package static func randomDocument(_ generator: inout SeededGenerator) -> [ExtendedJSON.Member] {
            (0..<generator.below(8) + 1).map { ExtendedJSON.Member("m\($0)", random(&generator)) }
        }
    }
#endif
