// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// SHA-224 (FIPS 180-4): SHA-256 with other start values and a shorter result.
///
/// It is here because swift-crypto has no SHA-224, and the file format authenticates its pages with nothing else.
struct SHA224 {
    static let blockByteCount = 64
    static let digestByteCount = 28

    /// The chaining value.
    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939, 0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7, 0xBEFA_4FA4
    )
    /// Bytes of whole blocks taken so far.
    private var byteCount = 0

    /// Takes whole blocks.
    mutating func update(blocks: UnsafeRawBufferPointer) {
        precondition(blocks.count % SHA224.blockByteCount == 0)
        guard let start = blocks.baseAddress else { return }
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            guard let words = schedule.baseAddress else { return }
            unsafe SHA224.constants.withUnsafeBufferPointer { constants in
                guard let rounds = constants.baseAddress else { return }
                for offset in stride(from: 0, to: blocks.count, by: SHA224.blockByteCount) {
                    unsafe compress(start + offset, words, rounds)
                }
            }
        }
        byteCount += blocks.count
    }

    /// Takes what is left, of any length, and returns the digest.
    mutating func finish(_ rest: UnsafeRawBufferPointer) -> [UInt8] {
        let whole = rest.count / SHA224.blockByteCount * SHA224.blockByteCount
        unsafe update(blocks: UnsafeRawBufferPointer(rebasing: rest[..<whole]))
        let bitCount = UInt64(byteCount + rest.count - whole) * 8
        var tail = unsafe Array(rest[whole...])
        tail.append(0x80)
        while tail.count % SHA224.blockByteCount != 56 { tail.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: bitCount >> shift)) }
        unsafe tail.withUnsafeBytes { unsafe update(blocks: $0) }
        let words = [state.0, state.1, state.2, state.3, state.4, state.5, state.6]
        return words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA224()
        return unsafe bytes.withUnsafeBytes { unsafe hash.finish($0) }
    }

    /// One block. Every round renames its eight variables instead of moving them, so rounds come in eights.
    private mutating func compress(
        _ block: UnsafeRawPointer, _ w: UnsafeMutablePointer<UInt32>, _ k: UnsafePointer<UInt32>
    ) {
        for index in 0..<16 {
            unsafe w[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let early = unsafe w[index &- 15]
            let late = unsafe w[index &- 2]
            let small0 = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
            let small1 = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
            unsafe w[index] = w[index &- 16] &+ small0 &+ w[index &- 7] &+ small1
        }
        var (a, b, c, d, e, f, g, h) = state
        var index = 0
        while index < 64 {
            unsafe round(a, b, c, &d, e, f, g, &h, w[index] &+ k[index])
            unsafe round(h, a, b, &c, d, e, f, &g, w[index &+ 1] &+ k[index &+ 1])
            unsafe round(g, h, a, &b, c, d, e, &f, w[index &+ 2] &+ k[index &+ 2])
            unsafe round(f, g, h, &a, b, c, d, &e, w[index &+ 3] &+ k[index &+ 3])
            unsafe round(e, f, g, &h, a, b, c, &d, w[index &+ 4] &+ k[index &+ 4])
            unsafe round(d, e, f, &g, h, a, b, &c, w[index &+ 5] &+ k[index &+ 5])
            unsafe round(c, d, e, &f, g, h, a, &b, w[index &+ 6] &+ k[index &+ 6])
            unsafe round(b, c, d, &e, f, g, h, &a, w[index &+ 7] &+ k[index &+ 7])
            index &+= 8
        }
        state = (
            state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g,
            state.7 &+ h
        )
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

@inline(__always)
private func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value &>> count | value &<< (32 &- count) }

/// One round; only `d` and `h` get new values, under the names of the next round.
@inline(__always)
private func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32,
    _ input: UInt32
) {
    let choice = g ^ (e & (f ^ g))
    let majority = (a & b) | (c & (a | b))
    let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ input
    d = d &+ first
    h = first &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
}
