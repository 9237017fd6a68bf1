// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The commands on files of formats 2 to 9, without an upgrade.
@Suite struct OlderFileTests {
    private static let readable = OlderFile.plain + OlderFile.encrypted

    private static func run(_ command: String, _ file: OlderFile, _ arguments: String...) -> ToolRun {
        let digits = file.key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return ToolRun([command, file.path] + arguments + (file.isEncrypted ? ["--key", digits] : []))
    }

    @Test(arguments: readable) func everyCommandWorks(_ file: OlderFile) throws {
        for command in ["info", "schema", "dump", "check"] {
            let run = Self.run(command, file)
            #expect(run.status == 0, "\(command): \(run.errors)\(run.output.prefix(1000))")
        }
        #expect(Self.run("check", file, "--strict").output.contains(": ok: format "))
    }

    @Test(arguments: readable) func classesAreQueried(_ file: OlderFile) throws {
        let dump = try JSONSerialization.jsonObject(with: Data(Self.run("dump", file).output.utf8))
        for table in (dump as? [String: Any])?["tables"] as? [[String: Any]] ?? [] {
            guard let name = table["name"] as? String, name.hasPrefix("class_"), table["type"] as? String == "topLevel",
                let size = table["size"] as? Int
            else { continue }
            let run = Self.run("query", file, "TRUEPREDICATE", "--class", String(name.dropFirst(6)), "--json")
            #expect(run.status == 0, "\(run.errors)")
            #expect((try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [Any])?.count == size)
        }
    }

    /// Compares with the results of the original engine's own upgrades, except for object keys and the data that it
    /// loses.
    @Test(arguments: readable.filter { $0.upgradedJSONPath != nil })
    func theDumpEqualsThatOfTheOriginalsUpgrade(_ file: OlderFile) throws {
        let path = try #require(file.upgradedJSONPath)
        let original = try UpgradedTables(try Data(contentsOf: URL(fileURLWithPath: path)))
        let ours = try UpgradedTables(Data(Self.run("dump", file).output.utf8))
        // The original keeps only the first column of tables in rows, and keeps the primary key despite duplicate
        // values.
        if file.name.contains("subtable") || file.name == "v2/primary-keys" { return }
        let difference = zip(ours.lines, original.lines).first { $0 != $1 }
        #expect(difference == nil)
        #expect(ours.lines.count == original.lines.count)
    }

    @Test(arguments: OlderFile.halfUpgraded) func upgradesThatWereNotFinishedAreNamed(_ file: OlderFile) {
        for command in ["info", "schema", "dump"] {
            let run = Self.run(command, file)
            #expect(run.status == 1)
            #expect(run.errors.contains("an upgrade of this file was begun and not finished"))
        }
        #expect(Self.run("check", file).output.contains("an upgrade was begun and not finished"))
    }
}

/// The tables of a dump, without details that an upgrade may choose: objects of classes with string primary keys have
/// any keys, and are in their order.
private struct UpgradedTables {
    private typealias Object = [String: Any]
    private(set) var lines: [String] = []
    private var names: [String: [Int: String]] = [:]

    init(_ dump: Data) throws {
        let tables = (try JSONSerialization.jsonObject(with: dump) as? Object)?["tables"] as? [Object] ?? []
        for table in tables { names[table["name"] as? String ?? ""] = Self.names(of: table) }
        lines = try tables.flatMap { try lines(of: $0) }
    }

    private static func columns(_ table: Object) -> [Object] { table["columns"] as? [Object] ?? [] }

    private static func names(of table: Object) -> [Int: String] {
        let primary = columns(table).firstIndex { $0["name"] as? String == table["primaryKey"] as? String }
        let isText = primary.map { columns(table)[$0]["type"] as? String == "string" } ?? false
        let objects = (table["objects"] as? [Object] ?? []).map { object in
            let key = object["k"] as? Int ?? 0
            guard isText, let primary else { return (key, "\(key)") }
            return (key, "\((object["v"] as? [Any] ?? [])[primary])")
        }
        return Dictionary(uniqueKeysWithValues: objects)
    }

    private func lines(of table: Object) throws -> [String] {
        let name = table["name"] as? String ?? ""
        var lines = ["\(name) \(table["primaryKey"] ?? "")"]
        for column in Self.columns(table) {
            lines.append(
                "\(["name", "type", "nullable", "collection", "index", "target"].map { "\(column[$0] ?? "-")" })")
        }
        lines += (table["backlinks"] as? [Object] ?? []).map {
            "from \($0["fromTable"] ?? "").\($0["fromColumn"] ?? "")"
        }.sorted()
        return try lines
            + (table["objects"] as? [Object] ?? []).map { object in
                let key = names[name]?[object["k"] as? Int ?? 0] ?? ""
                let values = zip(Self.columns(table), object["v"] as? [Any] ?? []).map { column, value in
                    self.value(value, column)
                }
                return try key + ": " + values.map { try text($0) }.joined(separator: " | ")
            }.sorted()
    }

    private func value(_ value: Any, _ column: Object) -> Any {
        guard let target = column["target"] as? String, let names = names[target] else { return value }
        if let keys = value as? [Int] { return keys.map { names[$0] ?? "" } }
        return (value as? Int).map { names[$0] ?? "" } ?? value
    }

    private func text(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: [value]), as: UTF8.self)
    }
}
