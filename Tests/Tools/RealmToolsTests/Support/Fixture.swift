// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    var folder = "v24"

    static let all = Fixtures.names(in: "v24").map { Fixture(name: $0) }
    /// Files of formats 10 to 23, each with the dump of the original engine's upgrade.
    static let old = SharedFiles.names(in: .upstream).compactMap { name -> Fixture? in
        let fixture = Fixture(name: name, folder: "upstream")
        return SharedFiles.names(in: .upstream).contains(name + ".upgraded") ? fixture : nil
    }
    static let encrypted = all.filter { $0.name.hasPrefix("encrypted") }
    static let readable = all.filter { !$0.name.hasPrefix("encrypted") }

    static var inSchema: Fixture? { all.first { $0.name == "in-schema" } }

    var path: String {
        folder == "v24" ? Fixtures.path("v24/\(name).realm") : SharedFiles.path(.upstream, "\(name).realm") ?? name
    }
    var keyArguments: [String] { name.hasPrefix("encrypted") ? ["--key", Fixture.keyDigits] : [] }

    static let key = Array(0..<64 as Range<UInt8>)
    static let keyDigits = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()

    var testDescription: String { name }

    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    func json() throws -> String {
        String(
            decoding: try Data(
                contentsOf: URL(fileURLWithPath: path.dropLast(6) + (folder == "v24" ? ".json" : ".upgraded.json"))),
            as: UTF8.self)
    }

    func copy(into folder: TemporaryFolder, changing change: (inout [UInt8]) -> Void = { _ in }) throws -> String {
        var bytes = try bytes()
        change(&bytes)
        let path = folder.path + "/\(name).realm"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}
