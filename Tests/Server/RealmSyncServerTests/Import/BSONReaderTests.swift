// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct BSONReaderTests {
        @Test func allTypesAreReadAsTheyWereWritten() throws {
            var generator = SeededGenerator(seed: 1)
            for _ in 0..<3000 {
                let document = BSONWriter.randomDocument(&generator)
                let bytes = BSONWriter.document(document)
                #expect(try BSONReader.size(Array(bytes.prefix(4))) == bytes.count)
                #expect(try BSONReader.document(bytes) == document)
            }
        }

        /// The examples of bsonspec.org.
        @Test func theExamplesOfTheSpecificationAreRead() throws {
            let hello: [UInt8] = [
                0x16, 0, 0, 0, 0x02, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0, 0x06, 0, 0, 0, 0x77, 0x6F, 0x72, 0x6C, 0x64, 0, 0,
            ]
            #expect(try BSONReader.document(hello) == [ExtendedJSON.Member("hello", .string("world"))])
            let awesome: [UInt8] = [
                0x31, 0, 0, 0, 0x04, 0x42, 0x53, 0x4F, 0x4E, 0, 0x26, 0, 0, 0, 0x02, 0x30, 0, 0x08, 0, 0, 0, 0x61, 0x77,
                0x65, 0x73, 0x6F, 0x6D, 0x65, 0, 0x01, 0x31, 0, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x14, 0x40, 0x10,
                0x32, 0, 0xC2, 0x07, 0, 0, 0, 0,
            ]
            #expect(
                try BSONReader.document(awesome) == [
                    ExtendedJSON.Member("BSON", .array([.string("awesome"), .double(5.05), .int32(1986)]))
                ])
        }

        private func document(_ element: [UInt8], size: Int? = nil) -> [UInt8] {
            [UInt8(size ?? element.count + 5), 0, 0, 0] + element + [0]
        }

        @Test func malformedDocumentsAreErrors() {
            let malformed: [([UInt8], String)] = [
                ([], "a value of 4 bytes"), ([5, 0, 0, 0], "doesn't fit"), ([4, 0, 0, 0, 0], "of 4 bytes"),
                ([0xFF, 0xFF, 0xFF, 0xFF, 0], "of -1 bytes"), ([5, 0, 0, 0, 0, 0], "ends before its size"),
                (document([0x10, 0x61, 0, 1, 0, 0]), "ends too early"),
                (document([0x10, 0x61]), "a value of 4 bytes"),
                (document([0x08, 0x61, 0, 2]), "neither 0 nor 1"), (document([0x40, 0x61, 0]), "the unknown type 64"),
                (document([0x0D, 0x61, 0, 1, 0, 0, 0, 0]), "'a' is code"),
                (document([0x02, 0x61, 0, 0, 0, 0, 0]), "a string has the size 0"),
                (document([0x02, 0x61, 0, 0xFF, 0xFF, 0xFF, 0xFF]), "a string has the size -1"),
                (document([0x02, 0x61, 0, 1, 0, 0, 0, 0x62]), "a string has no end"),
                (document([0x02, 0x61, 0, 2, 0, 0, 0, 0xC3, 0]), "isn't UTF-8"),
                (document([0x0A, 0xC3, 0]), "isn't UTF-8"),
                (document([0x05, 0x61, 0, 9, 0, 0, 0, 0]), "a value of 9 bytes"),
                (document([0x05, 0x61, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0]), "a value of -1 bytes"),
                (document([0x05, 0x61, 0, 5, 0, 0, 0, 2, 2, 0, 0, 0, 1]), "two sizes"),
                (document([0x03, 0x61, 0, 9, 0, 0, 0, 0]), "of 9 bytes"),
                (document([0x03, 0x61, 0, 6, 0, 0, 0, 0, 0]), "ends before its size"),
            ]
            for (bytes, message) in malformed {
                #expect {
                    try BSONReader.document(bytes)
                } throws: {
                    ($0 as? BSONError)?.message.contains(message) == true
                }
            }
            var deep: [UInt8] = [5, 0, 0, 0, 0]
            for _ in 0..<2000 {
                var writer: [UInt8] = []
                withUnsafeBytes(of: Int32(deep.count + 8).littleEndian) { writer += $0 }
                deep = writer + [0x03, 0x61, 0] + deep + [0]
            }
            #expect {
                try BSONReader.document(deep)
            } throws: {
                ($0 as? BSONError)?.message.contains("levels") == true
            }
        }

        @Test func hostileBytesGiveErrors() {
            let seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
            var generator = SeededGenerator(seed: seed)
            var (errors, documents) = (0, 0)
            for _ in 0..<20_000 {
                var bytes = BSONWriter.document(BSONWriter.randomDocument(&generator))
                switch generator.below(4) {
                case 0: bytes = (0..<generator.below(60)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                case 1: bytes.removeLast(generator.below(bytes.count))
                default:
                    for _ in 0..<generator.below(6) + 1 {
                        let value = [0, 1, 2, 3, 4, 5, 0x7F, 0x80, 0xFF][generator.below(9)]
                        bytes[generator.below(bytes.count)] = UInt8(value)
                    }
                }
                do throws(BSONError) {
                    documents += try BSONReader.document(bytes).isEmpty ? 0 : 1
                } catch {
                    errors += 1
                    #expect(error.offset >= 0 && error.offset <= bytes.count, "seed \(seed)")
                }
            }
            #expect(errors > 5000 && documents > 1000, "seed \(seed)")
        }
    }
#endif
