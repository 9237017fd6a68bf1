// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A file of formats 2 to 9 by an engine of its time, and the original engine's dump of it.
package struct OlderFile: Sendable, CustomStringConvertible {
    /// With the folder: "v9/links".
    package let name: String
    package var description: String { name }

    package static let folders = ["v2", "v3", "v5", "v6", "v7", "v8", "v9", "real"]
    package static let all = folders.flatMap { folder in
        let names = folder == "real" ? SharedFiles.names(in: .olderReal) : Fixtures.names(in: "older/" + folder)
        return names.map { OlderFile(name: folder + "/" + $0) }
    }

    /// The unencrypted files with a dump of their content.
    package static let plain = all.filter { $0.hasDump && !$0.isEncrypted }
    package static let encrypted = all.filter(\.isEncrypted)
    /// The files with an unfinished upgrade.
    package static let halfUpgraded = all.filter { !$0.hasDump }

    package static func plain(byteLimit: Int) -> [OlderFile] {
        plain.filter { ((try? $0.bytes().count) ?? .max) <= byteLimit }
    }

    package static func named(_ name: String) -> OlderFile? { all.first { $0.name == name } }

    package var path: String {
        name.hasPrefix("real/")
            ? SharedFiles.path(.olderReal, "\(name.dropFirst("real/".count)).realm") ?? name
            : Fixtures.path("older/\(name).realm")
    }
    package var jsonPath: String { String(path.dropLast("realm".count)) + "json" }
    /// The dump after the original's upgrade. Nil if it can't upgrade the file.
    package var upgradedJSONPath: String? {
        let path = String(path.dropLast("realm".count)) + "upgraded.json"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    private var hasDump: Bool { FileManager.default.fileExists(atPath: jsonPath) }

    package var isEncrypted: Bool {
        guard let bytes = try? bytes(), bytes.count > 24 else { return false }
        return Array(bytes[16..<20]) != Array("T-DB".utf8)
    }

    package var key: [UInt8] {
        if !name.hasPrefix("real/") { return Array(0..<64) }
        return name.contains("-core-test_shared")
            ? Array("1234567890123456789012345678901123456789012345678901234567890123".utf8)
            : Array(repeating: 1, count: 64)
    }

    package func bytes() throws -> [UInt8] { try Images.read(path) }

    package var format: UInt8 {
        guard let bytes = try? bytes() else { return 0 }
        return bytes[20 + Int(bytes[23] & 1)]
    }

    package func copy(into folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/\(name.replacingOccurrences(of: "/", with: "-")).realm"
        try Images.write(try bytes(), to: path)
        return path
    }
}
