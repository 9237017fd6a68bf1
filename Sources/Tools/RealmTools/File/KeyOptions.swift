// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmCrypto
import RealmStorage
import RealmSystem

package struct KeyOptions: ParsableArguments {
    @Option(help: .init("The key of an encrypted file: 128 hexadecimal digits.", valueName: "hex"))
    var key: String?

    @Option(
        help: .init(
            """
            A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the \
            arguments of a command, but not the contents of your files.
            """, valueName: "path"))
    var keyFile: String?

    package init() {}

    package func validate() throws { try EncryptionKey.validate(key, keyFile, "--key") }

    package func cipher() throws -> (any PageCipher)? { try EncryptionKey.cipher(key, keyFile, "--key") }
}

struct NewKeyOptions: ParsableArguments {
    @Option(help: .init("The key that encrypts the copy: 128 hexadecimal digits.", valueName: "hex"))
    var newKey: String?

    @Option(help: .init("A file with the key that encrypts the copy, as made by 'realm keygen'.", valueName: "path"))
    var newKeyFile: String?

    @Flag(help: "Do not encrypt the copy.") var decrypt = false

    func validate() throws {
        try EncryptionKey.validate(newKey, newKeyFile, "--new-key")
        if decrypt, newKey != nil || newKeyFile != nil {
            throw ValidationError("--decrypt and a new key exclude each other.")
        }
    }

    func cipher(insteadOf old: (any PageCipher)?) throws -> (any PageCipher)? {
        decrypt ? nil : try EncryptionKey.cipher(newKey, newKeyFile, "--new-key") ?? old
    }
}

package enum EncryptionKey {
    static func validate(_ key: String?, _ file: String?, _ option: String) throws {
        if key != nil, file != nil { throw ValidationError("\(option) and \(option)-file exclude each other.") }
        if let key, bytes(hexadecimal: key) == nil {
            throw ValidationError("The key must be 128 hexadecimal digits.")
        }
    }

    static func cipher(_ key: String?, _ file: String?, _ option: String) throws -> (any PageCipher)? {
        guard let bytes = try keyBytes(key, file) else { return nil }
        guard let cipher = try RealmPageCipher(key: bytes) else { throw KeyFileError(path: file ?? option) }
        return cipher
    }

    /// Parses 128 hexadecimal digits; returns nil for text of another form.
    package static func cipher(hexadecimal text: String) throws -> (any PageCipher)? {
        try bytes(hexadecimal: text).flatMap { try RealmPageCipher(key: $0) }
    }

    private static func keyBytes(_ key: String?, _ path: String?) throws -> [UInt8]? {
        if let key { return bytes(hexadecimal: key) }
        guard let path else { return nil }
        guard let file = FileHandle(forReadingAtPath: path), let content = try file.read(upToCount: longestKeyFile)
        else { throw KeyFileError(path: path) }
        if content.count == RealmPageCipher.keyByteCount { return Array(content) }
        let text = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = bytes(hexadecimal: text) else { throw KeyFileError(path: path) }
        return bytes
    }

    private static let longestKeyFile = 256

    static func bytes(hexadecimal text: String) -> [UInt8]? {
        Hexadecimal.bytes(text, count: RealmPageCipher.keyByteCount)
    }

    static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<RealmPageCipher.keyByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

private struct KeyFileError: Error, CustomStringConvertible {
    let path: String
    var description: String { "the key file '\(path)' cannot be read, or holds no key of 64 bytes or 128 digits" }
}
