// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// The leaves of content 14.2, as the reference wrote them: read, and written to equal bytes.
struct LeafExamplesTests {
    let scratch: ScratchStore

    init() throws { scratch = try ScratchStore() }

    @Test func mediumStrings() throws {
        let ends = "4141414104000003 111213"
        let blob = "4141414111000013 7369787465656e2d627974652d737472 000000"
        let nulls = "4141414101000003 02"
        let values: [StoredValue] = [.string("sixteen-byte-str"), .null, .string("")]
        let root = try place(refs: [ends, blob, nulls])
        try expect(root, .string, reads: values)
        let written = try write(values, .string)
        let node = try scratch.space.node(written)
        #expect(node.header.flags == 0x40 && node.count == 3)
        try expectImage(node.child(0), ends)
        try expectImage(node.child(1), blob)
        try expectImage(node.child(2), nulls)
    }

    @Test func smallBinaries() throws {
        let parts = ["4141414102000003 2a", "4141414111000002 0102", "4141414101000003 02"]
        let values: [StoredValue] = [.binary([1, 2]), .null, .binary([])]
        try expect(place(refs: parts), .binary, reads: values)
        let node = try scratch.space.node(write(values, .binary))
        for (index, part) in parts.enumerated() { try expectImage(node.child(index), part) }
    }

    @Test func timestamps() throws {
        let seconds = "4141414106000004 FFFFFF7F 00105E5F FFFFFF7F FFFFFFFF"
        let nanoseconds = "4141414106000003 0065CD1D 00000000 FBFFFFFF"
        let values: [StoredValue] = [
            .timestamp(Timestamp(seconds: 1_600_000_000, nanoseconds: 500_000_000)), .null,
            .timestamp(Timestamp(seconds: -1, nanoseconds: -5)),
        ]
        try expect(place(refs: [seconds, nanoseconds]), .timestamp, reads: values)
        let node = try scratch.space.node(write(values, .timestamp))
        try expectImage(node.child(0), seconds)
        try expectImage(node.child(1), nanoseconds)
    }

    @Test func decimals() throws {
        func decimal(_ coefficient: UInt64, _ exponent: Int, negative: Bool = false) -> StoredValue {
            .decimal(DecimalBits(low: coefficient, high: (negative ? 1 << 63 : 0) | UInt64(exponent + 6176) << 49))
        }
        try expectBoth(
            "414141410B000003 96008031 AA00007C 070080B2", .decimal,
            [decimal(150, -2), .null, decimal(7, 0, negative: true)])
        try expectBoth(
            "414141410C000003 141A99BE1C00C031 AA0000000000007C AA0000000000007C", .decimal,
            [decimal(123_456_789_012, 0), .null, .null])
        try expectBoth(
            """
            414141410D000003 0100000000000000 0000000000006033 AA00000000000000 000000000000007C
            0000000000000000 000000000000007C
            """, .decimal,
            [decimal(1, 400), .null, .decimal(DecimalBits(low: 0, high: 0x7C00_0000_0000_0000))])
        try expectBoth("4141414128000003", .decimal, [decimal(0, 0), decimal(0, 0), decimal(0, 0)])
        try expectBoth("4141414108000003", .decimal, [.null, .null, .null])
    }

    @Test func objectIds() throws {
        func identifier(_ hex: String) -> StoredValue { .objectId(ObjectIdBytes(bytes: bytes(hex))) }
        try expectBoth(
            "4141414109000025 02 0123456789ABCDEF01234567 DEADDEADDEADDEADDEADDEAD 00112233445566778899AABB", .objectId,
            [identifier("0123456789abcdef01234567"), .null, identifier("00112233445566778899aabb")])
    }

    @Test func floatsAndBooleans() throws {
        try expectBoth("414141410B000003 0000C03F AA00C07F AA00C07F", .float, [.float(1.5), .null, .null])
        try expectBoth("4141414102000003 0D", .bool, [.bool(true), .null, .bool(false)])
    }

    @Test func shortStrings() throws {
        try expectBoth("414141410A000002 6100 6200", .string, [.string("a"), .string("b")])
    }

    @Test func nullableIntegers() throws {
        try expectBoth("4141414100000003", .optionalInt, [.null, .null])
        // 15 needs the next width, because the upper bound of the width is the null marker.
        try expectBoth("4141414104000003 7F 0F 7F", .optionalInt, [.int(15), .null])
    }

    @Test func mixed() throws {
        let inner = try place(
            refs: ["4141414105000002 01019600", "", "", "", "4141414140000001", "4141414104000002 00F6"])
        try expect(inner, .mixed, reads: [.int(1), .dictionary(0, key: -10)])
        let descriptors = "4141414105000003 01FB 6300 9400"
        let root = try place(
            refs: [
                descriptors, "", "", "414141410B000001 68657900",
                "4141414146000001" + hex(UInt32(inner)), "4141414105000003 0000 0000 5CBB",
            ])
        let values: [StoredValue] = [.int(-5), .string("hey"), .list(inner, key: -17_572)]
        try expect(root, .mixed, reads: values)
        let node = try scratch.space.node(write(values, .mixed))
        try expectImage(node.child(0), descriptors)
        try expectImage(node.child(3), "414141410B000001 68657900")
        #expect(try scratch.space.node(node.child(5)).elements() == [0, 0, -17_572])
    }

    // MARK: Helpers

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { !$0.isWhitespace })
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! }
    }

    private func hex(_ number: UInt32) -> String {
        (0..<4).map { String(number >> (8 * $0) & 0xFF | 0x100, radix: 16).dropFirst() }.joined()
    }

    private func place(refs images: [String]) throws -> Ref {
        let children = try images.map { $0.isEmpty ? 0 : try scratch.place(bytes($0)) }
        let header = [UInt8]([0x41, 0x41, 0x41, 0x41, 0x46, 0, 0, UInt8(children.count)])
        let ref = try scratch.place(header + children.flatMap { bytes(hex(UInt32($0))) })
        scratch.reopen()
        return ref
    }

    private func write(_ values: [StoredValue], _ kind: LeafKind) throws -> Ref {
        var ref = try ColumnLeafEditor(scratch.store, kind).create(count: 0, default: .null)
        for (row, value) in values.enumerated() {
            try ColumnLeafEditor(scratch.store, kind).insert(&ref, at: row, value)
        }
        return ref
    }

    private func expect(_ ref: Ref, _ kind: LeafKind, reads values: [StoredValue]) throws {
        let leaf = try ColumnLeaf(scratch.space, ref, kind)
        let read = try (0..<leaf.count).map { try leaf.value(at: $0) }
        #expect(zip(read, values).allSatisfy(isSame) && read.count == values.count, "\(read)")
    }

    /// Compares header and payload. The filler and the padding have no meaning.
    private func expectImage(_ ref: Ref, _ image: String) throws {
        let node = try scratch.space.node(ref)
        #expect(Array(node.image[4..<8 + node.header.payloadByteCount]) == Array(bytes(image)[4...]))
    }

    private func expectBoth(_ image: String, _ kind: LeafKind, _ values: [StoredValue]) throws {
        let ref = try scratch.place(bytes(image))
        scratch.reopen()
        try expect(ref, kind, reads: values)
        try expectImage(write(values, kind), image)
    }
}
