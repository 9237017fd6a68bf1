// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import Testing

@Suite struct ScratchMemoryTests {
    @Test(arguments: [0, 1, 4095, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 33 << 20])
    func isAllThere(_ byteCount: Int) {
        let memory = ScratchMemory(byteCount: byteCount)
        let bytes = UnsafeMutableRawBufferPointer(start: memory.base, count: byteCount)
        for place in stride(from: 0, to: byteCount, by: 509) { bytes[place] = UInt8(place % 251) }
        if let last = bytes.indices.last { bytes[last] = 7 }
        #expect(stride(from: 0, to: byteCount - 1, by: 509).allSatisfy { bytes[$0] == UInt8($0 % 251) })
        #expect(bytes.last == (byteCount == 0 ? nil : 7))
    }
}
