// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

@Suite struct IndexDataTests {
    private func path(_ value: StoredValue, _ levels: Int) -> [UInt32] {
        let data = IndexData(value)
        return (0..<levels).map { UInt32(bitPattern: data.chunk(at: 4 * $0)) }
    }

    /// The examples of content 9.2.
    @Test func examplesOfChunks() {
        #expect(path(.string("abc"), 2) == [0x6162_6358, 0])
        #expect(path(.string(""), 2) == [0x5800_0000, 0])
        #expect(path(.string("abcd"), 3) == [0x6162_6364, 0x5800_0000, 0])
        #expect(path(.int(7), 4) == [0x0700_0000, 0, 0x5800_0000, 0])
        #expect(path(.int(-1), 3) == [.max, .max, 0x5800_0000])
        #expect(path(.null, 3) == [0, 0, 0])
    }

    /// The examples of content 14.5.
    @Test func examplesOfPaths() {
        let zeroUUID = StoredValue.uuid(UUIDBytes(high: 0, low: 0))
        #expect(path(zeroUUID, 5) == [0, 0, 0, 0, 0x5800_0000])
        #expect(path(.timestamp(Timestamp(seconds: 0, nanoseconds: 0)), 4) == [0, 0, 0, 0x5800_0000])
        #expect(path(.objectId(ObjectIdBytes(high: 0, low: 0)), 4) == [0, 0, 0, 0x5800_0000])
        for value in [.bool(false), .int(0), .decimal(DecimalBits("0.9")!), .double(-0.0)] as [StoredValue] {
            #expect(path(value, 3) == [0, 0, 0x5800_0000], "\(value)")
        }
        for text in ["1.2", "1.7", "1"] {
            #expect(IndexData(.decimal(DecimalBits(text)!)) == IndexData(.int(1)), "\(text)")
        }
        #expect(path(.bool(true), 3) == [0x0100_0000, 0, 0x5800_0000])
        #expect(path(.decimal(DecimalBits("-1.9")!), 2) == [.max, .max])
        #expect(path(.double(3.75), 2) == [0, 0x0000_0E40])
        #expect(path(.float(2.75), 1) == [0x0000_3040])
        #expect(path(.string("X"), 2) == [0x5858_0000, 0] && path(.binary([0x58]), 2) == [0x5858_0000, 0])
        #expect(path(.string("__List__"), 1) == [0x5F5F_4C69])
        #expect(IndexData(.list(0, key: 3)) == IndexData(.string("__List__")))
        #expect(IndexData(.dictionary(8, key: 3)) == IndexData(.string("__Dictionary__")))
    }

    @Test func bytesOfEachType() {
        #expect(IndexData(Int64(0x0102_0304_0506_0708)).bytes == [8, 7, 6, 5, 4, 3, 2, 1])
        #expect(
            IndexData(Timestamp(seconds: 1, nanoseconds: -2)).bytes
                == [1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF])
        let bytes = (1...16).map { UInt8($0) }
        #expect(IndexData(ObjectIdBytes(bytes: bytes)).bytes == Array(bytes.prefix(12)))
        #expect(IndexData(UUIDBytes(bytes: bytes)).bytes == bytes)
        let link = ObjectLink(table: TableKey(0x0102_0304), object: ObjectKey(0x0506))
        #expect(IndexData(.typedLink(link)).bytes == [4, 3, 2, 1, 6, 5, 0, 0, 0, 0, 0, 0])
        #expect(IndexData(.typedLink(ObjectLink(table: TableKey(1), object: ObjectKey(-2)))).isNone)
        #expect(IndexData(.null).isNone && !IndexData("").isNone && IndexData(.null).bytes.isEmpty)
        #expect(IndexData(.null) != IndexData(""))
        let infinity: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x78]
        #expect(IndexData(.decimal(.infinity)).bytes == infinity)
        #expect(
            IndexData(.decimal(DecimalBits("9223372036854775808")!)).bytes == [
                0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x40, 0x30,
            ])
    }

    @Test(arguments: [-0x1p31, 0x1p31 - 1, 0, -7])
    func wholeNumbersEqualTheIntegers(_ value: Double) {
        #expect(IndexData(.double(value)) == IndexData(.int(Int64(value))))
    }

    @Test func otherNumbersAreTheirBits() {
        for value in [0x1p31, -0x1p31 - 1, 0.5, .nan, .infinity, -.infinity] {
            let bits = withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
            #expect(IndexData(.double(value)).bytes == bits, "\(value)")
        }
        #expect(
            IndexData(.float(0x1p31)).bytes == [0, 0, 0, 0x4F]
                && IndexData(.float(-0x1p31)) == IndexData(Int64(-0x8000_0000)))
        #expect(IndexData(.float(16)) == IndexData(.int(16)) && IndexData(.float(.nan)).count == 4)
    }

    @Test func chunksFollowTheRule() {
        for length in Array(0...40) + [199, 200, 201, 204, 300] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 0xF0 + $0 * 7) }
            let data = IndexData(stringBytes: bytes)
            #expect(data.bytes == bytes && data.count == length)
            for offset in stride(from: 0, through: length + 8, by: 4) {
                #expect(data.chunk(at: offset) == chunk(bytes, offset), "length \(length), offset \(offset)")
            }
        }
    }

    private func chunk(_ data: [UInt8], _ offset: Int) -> Int32 {
        if offset > data.count { return 0 }
        var part = Array(data[offset...].prefix(4))
        if data.count - offset < 4 { part.append(UInt8(ascii: "X")) }
        while part.count < 4 { part.append(0) }
        return Int32(bitPattern: part.reduce(0) { $0 << 8 | UInt32($1) })
    }

    @Test func equalBytesAreEqualData() {
        #expect(IndexData(stringBytes: [0, 0, 0, 0, 0, 0, 0, 0]) == IndexData(Int64(0)))
        #expect(IndexData(stringBytes: [0]) != IndexData(stringBytes: [0, 0]))
        let long = String(repeating: "a", count: 30)
        #expect(IndexData(long) == IndexData(stringBytes: Array(long.utf8)) && IndexData(long) != IndexData(long + "b"))
    }
}
