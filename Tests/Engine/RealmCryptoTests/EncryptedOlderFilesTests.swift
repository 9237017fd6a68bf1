// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCrypto
import RealmStorage
import RealmTestSupport
import Testing

@Suite struct EncryptedOlderFilesTests {
    @Test(arguments: OlderFile.encrypted) func theyAreReadAndUpgraded(_ file: OlderFile) throws {
        let cipher = try #require(try RealmPageCipher(key: file.key))
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let expected = try OlderExpectation.lines(of: file)
        try OlderContent.requireEqual(Database.open(path, readOnly: true, cipher: cipher).snapshot(), to: expected)
        #expect(try Images.read(path) == file.bytes())
        do {
            let database = try Database.open(path, cipher: cipher)
            try OlderContent.requireEqual(database.snapshot(), to: expected)
        }
        try FileAudit.requireClean(bytes: Images.decrypted(path, cipher), isDecrypted: true)
        try PythonChecker.requireClean(path: path, key: file.key, cipher: cipher)
    }
}
