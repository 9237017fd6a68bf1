// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A file of an older format by the original engine, and the original engine's upgrade of it.
package struct OldFile: Sendable, CustomStringConvertible {
    package let name: String
    package var description: String { name }

    package static let all = SharedFiles.names(in: .upstream).filter { !$0.hasSuffix(".upgraded") }.map(
        OldFile.init)

    package static let upgradable = all.filter { $0.upgradedPath != nil }

    package static func upgradable(byteLimit: Int) -> [OldFile] {
        upgradable.filter { ((try? $0.bytes().count) ?? .max) <= byteLimit }
    }

    package static func named(_ name: String) -> OldFile? { all.first { $0.name == name } }

    package var path: String { SharedFiles.path(.upstream, "\(name).realm") ?? name }
    package var upgradedPath: String? {
        let path = SharedFiles.path(.upstream, "\(name).upgraded.realm") ?? ""
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
    package func bytes() throws -> [UInt8] { try Images.read(path) }

    package var format: UInt8 {
        guard let bytes = try? bytes() else { return 0 }
        return bytes[20 + Int(bytes[23] & 1)]
    }

    package func copy(into folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/\(name).realm"
        try Images.write(try bytes(), to: path)
        return path
    }
}
