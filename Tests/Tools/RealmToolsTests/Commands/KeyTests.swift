// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmTestSupport
import Testing

/// Commands on encrypted files.
@Suite struct KeyTests {
    private static let commands = [["info"], ["info", "--json"], ["schema"], ["dump"], ["check", "--strict"]]

    @Test(arguments: Fixture.encrypted) func everyCommandTakesTheKey(_ fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let files = [folder.path + "/key", folder.path + "/digits"]
        try Data(Fixture.key).write(to: URL(fileURLWithPath: files[0]))
        try Data((Fixture.keyDigits.uppercased() + "\n").utf8).write(to: URL(fileURLWithPath: files[1]))
        for command in Self.commands {
            let run = ToolRun(command + ["--key", Fixture.keyDigits, fixture.path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(!run.output.contains(Fixture.keyDigits))
            for file in files {
                let same = ToolRun(command + ["--key-file", file, fixture.path])
                #expect(same.status == 0)
                let isEqual = same.output == run.output
                #expect(isEqual)
            }
        }
        #expect(
            ToolRun(["info", "--json"] + fixture.keyArguments + [fixture.path]).output.contains("\"encrypted\":true"))
        #expect(ToolRun(["info"] + fixture.keyArguments + [fixture.path]).output.contains(", encrypted"))
    }

    @Test func wrongKeysAreRefused() throws {
        let fixture = try #require(Fixture.encrypted.first)
        for command in Self.commands {
            let run = ToolRun(command + ["--key", String(Fixture.keyDigits.reversed()), fixture.path])
            #expect(run.status == 1)
            #expect(run.output == "")
            #expect(run.errors.contains("the encryption key is not the file's"))
        }
        let plain = try #require(Fixture.inSchema)
        let run = ToolRun("info", "--key", Fixture.keyDigits, plain.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("not encrypted"))
    }

    @Test func malformedKeysAreUsageErrors() throws {
        let fixture = try #require(Fixture.encrypted.first)
        for key in ["", "12", Fixture.keyDigits + "0", Fixture.keyDigits.dropLast() + "g", Fixture.keyDigits + "é"] {
            #expect(ToolRun("info", "--key", String(key), fixture.path).status == 2)
        }
        #expect(ToolRun("info", "--key", Fixture.keyDigits, "--key-file", "/a", fixture.path).status == 2)
        for file in ["/no/such/file", fixture.path, "/dev/null"] {
            let run = ToolRun("info", "--key-file", file, fixture.path)
            #expect(run.status == 1)
            #expect(run.errors.contains("key file"))
        }
    }

    @Test func anOldFileIsDecrypted() throws {
        guard let path = SharedFiles.path(.upstream, "test_shared_decrypt_4k_page.realm") else { return }
        let key = "1234567890123456789012345678901123456789012345678901234567890123"
        let digits = key.utf8.map { String($0, radix: 16) }.joined()
        #expect(digits.count == 128)
        let run = ToolRun("info", "--key", digits, path)
        #expect(run.status == 0)
        #expect(run.output.contains("format          9, plain form, encrypted"))
    }
}
