// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import RealmValues
import Testing

/// Exports and imports preserve the data.
@Suite struct RoundTripTests {
    /// SQLite's format is omitted if its library is absent.
    private static let formats: [String] = {
        let folder = try? TemporaryFolder()
        guard let fixture = Fixture.inSchema, let folder else { return ["json", "jsonl", "csv"] }
        let run = ToolRun("export", fixture.path, "--format", "sqlite", "--out", folder.path + "/x")
        if run.errors.contains("needs SQLite's library") { Skip.report("SQLite's library is absent") }
        return ["json", "jsonl", "csv"] + (run.status == 0 ? ["sqlite"] : [])
    }()

    private static let small = (Fixture.readable + Fixture.encrypted + Fixture.old).filter {
        (try? $0.bytes().count) ?? .max < 300 * 1024
    }

    @Test(arguments: small) func nothingIsLost(_ fixture: Fixture) throws {
        for format in Self.formats {
            let folder = try TemporaryFolder()
            let (middle, copy) = (folder.path + "/middle", folder.path + "/copy.realm")
            let export = ToolRun(
                ["export", fixture.path, "--format", format, "--out", middle] + fixture.keyArguments)
            #expect(export.status == 0, "\(format): \(export.errors)")
            let run = ToolRun("import", copy, middle, "--from", format)
            #expect(run.status == 0, "\(format): \(run.errors)")
            #expect(ToolRun("check", "--strict", copy).status == 0)
            let diff = ToolRun(["diff", fixture.path, copy] + fixture.keyArguments)
            if export.errors.isEmpty {
                #expect(diff.output == "", "\(format)")
            } else {
                #expect(export.errors.contains("note: "))
            }
        }
    }

    /// NaNs with payloads and signs, infinities, and zeros of either sign, also in mixed values.
    @Test func everyBitOfANumberIsKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/numbers.realm"
        try writeNumbers(path)
        let before = try numbers(in: path)
        for format in Self.formats {
            let (middle, copy) = (folder.path + "/\(format)", folder.path + "/\(format).realm")
            #expect(ToolRun("export", path, "--format", format, "--out", middle).status == 0)
            let run = ToolRun("import", copy, middle, "--from", format)
            #expect(run.status == 0, "\(format): \(run.errors)")
            #expect(try numbers(in: copy) == before, "\(format)")
        }
    }

    private func writeNumbers(_ path: String) throws {
        let numbers: [(UInt64, UInt32, DecimalBits)] = [
            (0x7FF8_0000_0000_0000, 0x7FC0_0000, .nan), (0x8000_0000_0000_0000, 0x8000_0000, .infinity),
            (0x7FF8_0000_0000_1234, 0x7FC0_0ABC, DecimalBits(low: 7, high: DecimalBits.nan.high)),
            (0xFFF0_0000_0000_0000, 0xFF80_0000, .infinity.negated), (0, 0, try #require(DecimalBits("-0E-5"))),
            (0xFFF8_0000_0000_0000, 0xFFC0_0000, DecimalBits(low: 0, high: DecimalBits.nan.high | 1 << 63)),
        ]
        try Database.open(path).write { transaction in
            let table = try transaction.schema.addTable("class_Numbers")
            let types: [ColumnType] = [.double, .float, .decimal]
            let plain = try types.map { try transaction.schema.addColumn("\($0)", $0, to: table) }
            let mixed = try types.map {
                try transaction.schema.addColumn("mixed \($0)", .mixed, .nullable, to: table)
            }
            for (double, float, decimal) in numbers {
                let object = try transaction.createObject(in: table)
                let values: [StoredValue] = [
                    .double(Double(bitPattern: double)), .float(Float(bitPattern: float)), .decimal(decimal),
                ]
                for (column, value) in zip(plain + mixed, values + values) {
                    try transaction.set(value, column, of: object, in: table)
                }
            }
        }
    }

    private func numbers(in path: String) throws -> [[UInt8]] {
        let database = try Database.open(path, readOnly: true)
        // A table is read from the mapping of its database.
        defer { withExtendedLifetime(database) {} }
        let table = try #require(try database.snapshot().table(named: "class_Numbers"))
        return try table.allKeys().flatMap { object in
            try table.publicColumns.map { column in
                switch try table.value(column.key, of: object) {
                case .double(let number): number.bigEndianBytes
                case .float(let number): number.bigEndianBytes
                case .decimal(let number): number.bigEndianBytes
                default: throw Failure("no number")
                }
            }
        }
    }

    @Test func valuesThatJSONCannotRepresentAreReported() throws {
        guard let fixture = Fixture.readable.first(where: { $0.name == "tombstones" }) else { return }
        #expect(ToolRun("export", fixture.path, "--format", "json").errors.contains("become null"))
    }

    @Test func anExportIsSummedUpAsJSON() throws {
        guard let fixture = Fixture.readable.first(where: { $0.name == "primary-keys" }) else { return }
        let folder = try TemporaryFolder()
        let export = ["export", fixture.path, "--format", "jsonl", "--json"]
        #expect(ToolRun(export).status == 2)
        let run = ToolRun(export + ["--out", folder.path + "/x"])
        let lines = try String(contentsOfFile: folder.path + "/x", encoding: .utf8).split(separator: "\n").count
        #expect(
            run.output == "{\"out\":\"\(folder.path)/x\",\"exported\":\(lines - 1),\"notes\":[]}\n", "\(run.errors)")
    }

    @Test(arguments: ["json", "csv"]) func anExportReplacesNothing(_ format: String) throws {
        guard let fixture = Fixture.readable.first(where: { $0.name == "primary-keys" }) else { return }
        let folder = try TemporaryFolder()
        let export = ["export", fixture.path, "--format", format, "--out", folder.path + "/x"]
        #expect(ToolRun(export).status == 0)
        let again = ToolRun(export)
        #expect(again.status == 1 && again.errors.contains("/x: there is a file already"))
    }

    @Test func aQueryChoosesObjects() throws {
        guard let fixture = Fixture.readable.first(where: { $0.name == "primary-keys" }) else { return }
        let all = ToolRun("export", fixture.path, "--format", "jsonl")
        #expect(all.status == 0)
        #expect(ToolRun("export", fixture.path, "Nonsense", "--format", "json").status == 1)
        #expect(ToolRun("export", fixture.path, "--format", "csv").errors.contains("--out"))
        #expect(ToolRun("export", fixture.path, "--format", "sqlite").status == 2)
    }
}
