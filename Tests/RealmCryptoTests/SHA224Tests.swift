// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmCrypto

/// Published test vectors: FIPS 180-4 and RFC 3874 for SHA-224, RFC 4231 for HMAC-SHA-224.
@Suite struct SHA224Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(arguments: [
        ("", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
        ("abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"
        ),
    ]) func digestsOfTexts(_ text: String, _ digest: String) {
        #expect(hex(SHA224.digest(Array(text.utf8))) == digest)
    }

    @Test func digestOfAMillionBytes() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(hex(SHA224.digest(bytes)) == "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67")
    }

    /// However a message is cut, and whatever its length is beside that of a block.
    @Test func blocksAndRests() {
        var generator = SeededGenerator(for: "SHA-224")
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8(generator.below(256)) }
            let cut = generator.below(count / 64 + 1) * 64
            var hash = SHA224()
            bytes[..<cut].withUnsafeBytes { hash.update(blocks: $0) }
            #expect(bytes[cut...].withUnsafeBytes { hash.finish($0) } == SHA224.digest(bytes))
        }
    }

    private static let block = [UInt8](repeating: 0xAA, count: 131)

    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xCD, count: 50),
                "6c11506874013cac6a2abc1bb382627cec6a90d86efc012de7afec5a"
            ),
            (
                block, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e"
            ),
            (
                block,
                Array(
                    ("This is a test using a larger than block-size key and a larger than block-size data. "
                        + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
                "3a854166ac5d9f023f54d517d0b39dbd946770db9c2b95c9f6f565d1"
            ),
        ] as [([UInt8], [UInt8], String)]) func codes(_ key: [UInt8], _ message: [UInt8], _ code: String)
    {
        #expect(hex(message.withUnsafeBytes { HMACSHA224(key: key).code(of: $0) }) == code)
    }

    /// Megabytes a second; printed, since it depends on the machine.
    @Test(.enabled(if: Settings.isSet("REGNUM_BENCH"))) func speed() {
        let bytes = [UInt8](repeating: 7, count: 4096)
        let cipher = RealmPageCipher(key: [UInt8](repeating: 1, count: 64))!
        var page = bytes
        let clock = ContinuousClock()
        for (name, body) in [
            ("HMAC-SHA-224", { _ = bytes.withUnsafeBytes { cipher.tag(of: $0) } }),
            (
                "AES-256-CBC decrypt",
                {
                    bytes.withUnsafeBytes { source in
                        page.withUnsafeMutableBytes {
                            cipher.decrypt(source, into: $0, vector: .init(low: 1, high: 2))
                        }
                    }
                }
            ),
        ] as [(String, () -> Void)] {
            let time = clock.measure { for _ in 0..<20_000 { body() } }
            print("\(name): \(Int(20_000 * 4096 / 1e6 / (time / .seconds(1)))) MB/s")
        }
    }
}
