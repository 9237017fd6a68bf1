// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCrypto
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Encrypted files that the original engine wrote.
@Suite struct EncryptedFixtureTests {
    static let names = Fixtures.names(in: "v24").filter { $0.hasPrefix("encrypted") }
    static let key = Array(0..<64 as Range<UInt8>)
    static let upstreamKey = Array("1234567890123456789012345678901123456789012345678901234567890123".utf8)

    private func cipher(_ key: [UInt8]) throws -> RealmPageCipher { try #require(try RealmPageCipher(key: key)) }

    private func error(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    @Test(arguments: names) func fixturesAreReadAndClean(_ name: String) throws {
        let path = Fixtures.path("v24/\(name).realm")
        let cipher = try cipher(EncryptedFixtureTests.key)
        let database = try Database.open(path, readOnly: true, cipher: cipher)
        _ = try SnapshotText.lines(of: database.snapshot())
        try FileAudit.requireClean(bytes: Images.decrypted(path, cipher), isDecrypted: true)
    }

    @Test(arguments: names) func fixturesCanBeWritten(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        try Images.write(try Images.read(Fixtures.path("v24/\(name).realm")), to: path)
        let cipher = try cipher(EncryptedFixtureTests.key)
        var before: [String] = []
        do {
            let database = try Database.open(path, cipher: cipher)
            before = try SnapshotText.lines(of: database.snapshot())
            for number in 0..<5 { try database.write { _ = try $0.schema.addTable("class_New\(number)") } }
        }
        let database = try Database.open(path, readOnly: true, cipher: cipher)
        let after = try SnapshotText.lines(of: database.snapshot())
        #expect(after.count > before.count)
        #expect(Set(after).isSuperset(of: before))
        try FileAudit.requireClean(bytes: Images.decrypted(path, cipher), isDecrypted: true, strict: false)
        try PythonChecker.requireClean(path: path, key: EncryptedFixtureTests.key, strict: false)
    }

    @Test(arguments: names) func fixturesSurviveRandomEdits(_ name: String) throws {
        let key = EncryptedFixtureTests.key
        try FixtureEdit(name, cipher: try cipher(key), key: key).run()
    }

    @Test(arguments: ["4k", "64k"]) func filesOfFormat9AreRead(_ size: String) throws {
        guard let path = SharedFiles.path(.upstream, "test_shared_decrypt_\(size)_page.realm") else { return }
        let cipher = try cipher(EncryptedFixtureTests.upstreamKey)
        let database = try Database.open(path, readOnly: true, cipher: cipher)
        #expect(try !SnapshotText.lines(of: database.snapshot()).isEmpty)
        // All written pages decrypt, and contain the string.
        let image = try Images.decrypted(path, cipher)
        #expect(image.count(where: { $0 == UInt8(ascii: "a") }) >= (size == "4k" ? 6144 : 98304))
        // The second half of the key authenticates, the first decrypts. So a wrong first half shows in the content.
        let half = try self.cipher([0] + EncryptedFixtureTests.upstreamKey[1...])
        let wrong = error { _ = try Database.open(path, readOnly: true, cipher: half) }
        #expect(wrong?.code == .wrongKey)
        #expect(wrong?.message.contains("decrypts to something else") == true)
    }

    @Test(arguments: names) func wrongKeysAreRefused(_ name: String) throws {
        let path = Fixtures.path("v24/\(name).realm")
        for index in [0, 31, 32, 63] {
            var key = EncryptedFixtureTests.key
            key[index] ^= 1
            let cipher = try cipher(key)
            let refusal = error { _ = try Database.open(path, readOnly: true, cipher: cipher) }
            #expect(refusal?.code == .wrongKey)
            #expect(refusal?.path == path)
            #expect(refusal?.message.contains("key") == true)
        }
        let refusal = error { _ = try Database.open(path, readOnly: true) }
        #expect(refusal?.code == .invalidDatabase)
        #expect(refusal?.message.contains("encrypted") == true)
    }

    @Test func aPlainFileWithAKeyIsRefused() throws {
        for name in ["all-types", "empty", "group-write-empty"] {
            let path = Fixtures.path("v24/\(name).realm")
            let cipher = try cipher(EncryptedFixtureTests.key)
            let refusal = error { _ = try Database.open(path, readOnly: true, cipher: cipher) }
            #expect(refusal?.code == .wrongKey)
            #expect(refusal?.message.contains("not encrypted") == true)
        }
    }

    @Test func keysHave64Bytes() throws {
        for count in [0, 32, 63, 65] { #expect(try RealmPageCipher(key: Array(repeating: 1, count: count)) == nil) }
    }

    @Test func aNewFileIsCleanForBothCheckers() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let cipher = try cipher(EncryptedFixtureTests.key)
        for round in 0..<2 {
            let database = try Database.open(path, cipher: cipher)
            var workload = Workload(SeededGenerator(seed: 3), size: 30)
            for _ in 0..<6 { _ = try workload.commit(to: database) }
            try Workload.verify(try database.snapshot())
            #expect(database.version == UInt64(7 + round * 6))
        }
        try FileAudit.requireClean(bytes: Images.decrypted(path, cipher), isDecrypted: true)
        try PythonChecker.requireClean(path: path, key: EncryptedFixtureTests.key)
        let bytes = try Images.read(path)
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: Array("class_".utf8)) })
    }
}
