// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem
import RealmValues

struct KeygenCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Generates a key for encrypting files.",
        discussion: """
            Without a path, prints the key as 128 hexadecimal digits. With a path, writes its 64 bytes to a new file \
            that only you can read. An encrypted file cannot be read without its key, so keep a copy of the key.
            """)

    @Argument(help: "The key file to make, for --key-file.") var out: String?
    @Flag(help: "Print JSON.") var json = false

    var file: String { out ?? "keygen" }

    func execute(output: TextOutput) throws -> Int32 {
        let key = EncryptionKey.random()
        guard let out else {
            var text = JSONText()
            text.hex(key)
            let digits = String(decoding: text.bytes.dropFirst().dropLast(), as: UTF8.self)
            try output.writeLine(json ? "{\"key\":\"\(digits)\"}" : digits)
            return ExitStatus.fine
        }
        try WritableFile.requireNone(at: out)
        try NewFile.write(out, .ownerOnly) { file in
            try key.withUnsafeBytes { try file.write($0, at: 0) }
            try file.sync()
        }
        let result = JSONText.object { $0.member("keyFile", out) }
        if json { try output.writeLine(result) } else { try output.writeLine("wrote a key to \(out.printable)") }
        return ExitStatus.fine
    }
}
