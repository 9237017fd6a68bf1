// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The hash SHA-256 (FIPS 180-4), by which the dump stands for values that are too long to print.
struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    /// Bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    mutating func update(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= 64 {
            block(at: start)
            start += 64
        }
        rest.removeFirst(start)
    }

    /// The 32 bytes of the hash; nothing may be added afterwards.
    mutating func finish() -> [UInt8] {
        let bitCount = byteCount * 8
        let zeros = (119 - rest.count) % 64
        update([0x80] + [UInt8](repeating: 0, count: zeros) + SHA256.bigEndian(bitCount))
        return state.flatMap(SHA256.bigEndian)
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<MemoryLayout<Number>.size).reversed().map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
    }

    private mutating func block(at start: Int) {
        fillSchedule(from: start)
        var (a, b, c, d, e, f, g, h) = (
            state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
        )
        for round in 0..<64 {
            let s1 = SHA256.rotate(e, 6) ^ SHA256.rotate(e, 11) ^ SHA256.rotate(e, 25)
            let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ SHA256.constants[round] &+ schedule[round]
            let s0 = SHA256.rotate(a, 2) ^ SHA256.rotate(a, 13) ^ SHA256.rotate(a, 22)
            let t2 = s0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private mutating func fillSchedule(from start: Int) {
        for index in 0..<16 {
            let at = start + 4 * index
            schedule[index] =
                UInt32(rest[at]) << 24 | UInt32(rest[at + 1]) << 16 | UInt32(rest[at + 2]) << 8 | UInt32(rest[at + 3])
        }
        for index in 16..<64 {
            let (x, y) = (schedule[index - 15], schedule[index - 2])
            let s0 = SHA256.rotate(x, 7) ^ SHA256.rotate(x, 18) ^ x >> 3
            let s1 = SHA256.rotate(y, 17) ^ SHA256.rotate(y, 19) ^ y >> 10
            schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
        }
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }

    /// The fractional bits of the cube roots of the first 64 primes.
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
