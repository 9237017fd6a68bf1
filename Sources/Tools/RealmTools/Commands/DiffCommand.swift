// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem

struct DiffCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Prints the differences between the objects of two files.",
        discussion: """
            - marks objects and values of the first file only, + those of the second file only, and ~ those that \
            differ. Objects are matched by primary key, or by object key in classes without one. Links are compared by \
            their targets, and sets regardless of order. The exit status is 1 if there are differences.
            """)

    @Argument(help: "The first database file.") var file: String
    @Argument(help: "The second database file.") var other: String
    @OptionGroup var key: KeyOptions
    @Option(help: .init("The key of the second file, if it differs.", valueName: "hex")) var otherKey: String?
    @Option(help: .init("A file with the key of the second file.", valueName: "path")) var otherKeyFile: String?
    @Flag(help: "Print JSON.") var json = false

    func validate() throws { try EncryptionKey.validate(otherKey, otherKeyFile, "--other-key") }

    func execute(output: TextOutput) throws -> Int32 {
        let cipher = try key.cipher()
        let first = try OpenFile(file, cipher: cipher)
        let second = try openOther(try EncryptionKey.cipher(otherKey, otherKeyFile, "--other-key") ?? cipher)
        let total = try [first, second].reduce(0) { try $0 + DatabaseInfo($1).objectCount }
        let text = DifferenceText(output, asJSON: json)
        try output.withProgress("comparing", total: total, .things("objects")) { progress in
            try text.begin()
            try FileComparison(first: first, second: second, progress: progress).forEach { try text.write($0) }
            try text.end()
        }
        for file in [first, second] { try file.verifyUnmoved() }
        return text.count == 0 ? ExitStatus.fine : ExitStatus.faults
    }

    /// Even with a key for the first file, the second one may be unencrypted.
    private func openOther(_ cipher: (any PageCipher)?) throws -> OpenFile {
        if otherKey == nil, otherKeyFile == nil, cipher != nil, let plain = try? OpenFile(other, cipher: nil) {
            return plain
        }
        return try OpenFile(other, cipher: cipher)
    }
}
