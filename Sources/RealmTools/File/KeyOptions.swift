// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmCrypto
import RealmSystem

/// The key of an encrypted file, as every command takes it.
package struct KeyOptions: ParsableArguments {
    @Option(help: .init("The key of an encrypted file: 128 hexadecimal digits.", valueName: "hex"))
    var key: String?

    @Option(
        help: .init(
            "A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see a "
                + "command's arguments, and not what is in a file of yours.", valueName: "path"))
    var keyFile: String?

    package init() {}

    package func validate() throws {
        if key != nil, keyFile != nil { throw ValidationError("--key and --key-file exclude each other.") }
        if let key, KeyOptions.bytes(hexadecimal: key) == nil {
            throw ValidationError("The key must be 128 hexadecimal digits.")
        }
    }

    /// The cipher for the key; nil where there is none.
    package func cipher() throws -> (any PageCipher)? {
        guard let bytes = try keyBytes() else { return nil }
        guard let cipher = try RealmPageCipher(key: bytes) else { throw KeyFileError(path: keyFile ?? "--key") }
        return cipher
    }

    private func keyBytes() throws -> [UInt8]? {
        if let key { return KeyOptions.bytes(hexadecimal: key) }
        guard let keyFile else { return nil }
        guard let file = FileHandle(forReadingAtPath: keyFile),
            let content = try file.read(upToCount: KeyOptions.longestKeyFile)
        else { throw KeyFileError(path: keyFile) }
        if content.count == RealmPageCipher.keyByteCount { return Array(content) }
        let text = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = KeyOptions.bytes(hexadecimal: text) else { throw KeyFileError(path: keyFile) }
        return bytes
    }

    private static let longestKeyFile = 256

    /// The 64 bytes that 128 digits name; nil for anything else.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2 * RealmPageCipher.keyByteCount, digits.count == text.utf8.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}

/// A key file that holds no key.
private struct KeyFileError: Error, CustomStringConvertible {
    let path: String
    var description: String { "the key file '\(path)' cannot be read, or holds no key of 64 bytes or 128 digits" }
}
