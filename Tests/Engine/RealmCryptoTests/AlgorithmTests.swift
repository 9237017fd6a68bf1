// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmCrypto

/// Published vectors: SP 800-38A for AES-256-CBC, RFC 4231 for HMAC-SHA-224, FIPS 180-4 for SHA-256.
@Suite struct AlgorithmTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    private typealias Cryption = (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void

    private func result(of bytes: [UInt8], _ body: Cryption) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: bytes.count)
        bytes.withUnsafeBytes { input in result.withUnsafeMutableBytes { body(input, $0) } }
        return result
    }

    /// Vectors F.2.5 and F.2.6, in prefixes of any length and in one buffer.
    @Test(arguments: 1...4) func blocksChain(_ count: Int) throws {
        let key = SecretBytes(bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
        let vector = PageVector(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
        let plain = Array(
            bytes(
                "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                    + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")[..<(16 * count)])
        let secret = Array(
            bytes(
                "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
                    + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b")[..<(16 * count)])
        let aes = try AES256CBC(key: key)
        for _ in 0..<2 {
            #expect(result(of: plain) { aes.encrypt($0, into: $1, vector: vector) } == secret)
            #expect(result(of: secret) { aes.decrypt($0, into: $1, vector: vector) } == plain)
        }
        var same = plain
        same.withUnsafeMutableBytes { aes.encrypt(UnsafeRawBufferPointer($0), into: $0, vector: vector) }
        #expect(same == secret)
    }

    @Test func oneCipherServesManyThreads() async throws {
        let cipher = try #require(try RealmPageCipher(key: EncryptedFixtureTests.key))
        let pages = (0..<8).map { number in (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ number) } }
        let alone = pages.map { page in page.withUnsafeBytes { cipher.tag(of: $0) } }
        await withTaskGroup(of: Bool.self) { group in
            for number in pages.indices {
                group.addTask {
                    (0..<200).allSatisfy { round in
                        let vector = PageVector(low: UInt64(round), high: UInt64(number))
                        let secret = result(of: pages[number]) { cipher.encrypt($0, into: $1, vector: vector) }
                        return secret != pages[number]
                            && result(of: secret) { cipher.decrypt($0, into: $1, vector: vector) } == pages[number]
                            && pages[number].withUnsafeBytes { cipher.tag(of: $0) } == alone[number]
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    // MARK: Missing libraries

    #if !canImport(CommonCrypto)
        @Test(arguments: [["libnone.so.3"], ["libm.so.6", "libnone.so.3"], []]) func missingLibrary(_ names: [String]) {
            let error = #expect(throws: SystemError.self) { try Libcrypto.load(Libcrypto.library(names: names)) }
            #expect(error?.description.contains("an encrypted file needs OpenSSL's libcrypto") == true)
        }
    #endif

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]) func hashesOfTexts(_ text: String, _ hash: String) throws {
        #expect(try hex(SHA256.hash(Array(text.utf8))) == hash)
    }

    @Test func hashOfAMillionBytesInPieces() throws {
        let hash = try SHA256()
        for _ in 0..<1000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

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
        ] as [([UInt8], [UInt8], String)]) func codes(_ key: [UInt8], _ message: [UInt8], _ code: String) throws
    {
        // The key is a range of a longer buffer, as in a file.
        let mac = try HMACSHA224(key: SecretBytes([1, 2, 3] + key + [4]), 3..<key.count + 3)
        let expected = bytes(code).withUnsafeBytes { PageTag($0) }
        for _ in 0..<2 { #expect(message.withUnsafeBytes { mac.code(of: $0) } == expected) }
    }

    /// Prints megabytes per second.
    @Test(.enabled(if: Settings.isSet("REGNUM_BENCH"), "only with REGNUM_BENCH")) func speed() throws {
        let bytes = [UInt8](repeating: 7, count: 4096)
        let cipher = try #require(try RealmPageCipher(key: [UInt8](repeating: 1, count: 64)))
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
