// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import Testing

@testable import RealmStorage

/// The offsets and sizes of container 9.2, 9.3, and 11.4.
@Suite struct EncryptedLayoutTests {
    private typealias Layout = EncryptedLayout

    @Test func examplesOfTheSpecification() {
        #expect(Layout.dataByteCount(fileByteCount: 77_824) == 73_728)
        #expect(Layout.fileByteCount(dataByteCount: 5_242_880) == 5_328_896)
        #expect(Layout.dataByteCount(fileByteCount: 5_328_896) == 5_242_880)
        #expect(Layout.offset(ofEntry: 9) == 0x240)
        #expect(Layout.offset(ofPage: 0) == 0x1000)
        #expect(Layout.fileByteCount(dataByteCount: 1) == Layout.smallestFileByteCount)
    }

    @Test func everythingHasAPlaceOfItsOwn() {
        var next = 0
        for page in 0..<300 {
            if page % 64 == 0 {
                #expect(Layout.offset(ofBlock: page / 64) == next)
                next += 4096
            }
            #expect(Layout.offset(ofPage: page) == next)
            #expect(Layout.offset(ofEntry: page) == Layout.offset(ofBlock: page / 64) + page % 64 * 64)
            next += 4096
            // An incomplete page at the end isn't counted.
            for rest in [0, 64, 4095] {
                #expect(Layout.dataByteCount(fileByteCount: next + rest) == (page + 1) * 4096)
            }
            let size = Layout.fileByteCount(dataByteCount: (page + 1) * 4096)
            #expect(size == next + (page % 64 == 63 ? 4096 : 0))
            #expect(Layout.dataByteCount(fileByteCount: size) == (page + 1) * 4096)
            #expect(Layout.fileByteCount(dataByteCount: page * 4096 + 1) == size)
        }
        for size in 0..<8192 { #expect(Layout.dataByteCount(fileByteCount: size) == 0) }
    }

    @Test func entriesAndVectors() throws {
        let bytes = (0..<64).map { UInt8($0 + 1) }
        let entry = bytes.withUnsafeBytes { PageEntry($0) }
        #expect((entry.newest.counter, entry.previous.counter) == (0x0403_0201, 0x2423_2221))
        var written = [UInt8](repeating: 0, count: 64)
        written.withUnsafeMutableBytes { entry.store(to: $0) }
        #expect(written == bytes)
        let vector = EncryptedLayout.vector(counter: 0x0102_0304, page: 0x1234_5678)
        #expect(vector.withBytes { Array($0) } == [4, 3, 2, 1, 0, 0x80, 0x67, 0x45, 0x23, 1, 0, 0, 0, 0, 0, 0])
    }

    @Test func tagsDifferInEveryByte() {
        let bytes = [UInt8](repeating: 0x5A, count: PageTag.byteCount)
        let tag = bytes.withUnsafeBytes { PageTag($0) }
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(other.withUnsafeBytes { PageTag($0) } != tag)
            }
        }
        #expect(bytes.withUnsafeBytes { PageTag($0) } == tag)
    }
}
