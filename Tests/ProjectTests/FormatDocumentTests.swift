// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// FORMAT.md's constants equal those in code.
@Suite struct FormatDocumentTests {
    private typealias Top = FileFormat.Top
    private typealias Slot = FileFormat.Table
    private typealias Mixed = FileFormat.Mixed

    private func rows(under heading: String) throws -> [[String]] {
        let text = try String(contentsOfFile: SharedFiles.packageRoot + "/FORMAT.md", encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix(" " + heading) })
        let table = lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func slots(under heading: String) throws -> [String: Int] {
        Dictionary(uniqueKeysWithValues: try rows(under: heading).map { ($0[1], try #require(Int($0[0]))) })
    }

    private func values(under heading: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try rows(under: heading).map { ($0[0], $0[1]) })
    }

    @Test func topArray() throws {
        #expect(
            try slots(under: "Top array") == [
                "names": Top.names, "tables": Top.tables, "logicalSize": Top.logicalSize,
                "freePositions": Top.freePositions, "freeLengths": Top.freeLengths, "freeVersions": Top.freeVersions,
                "version": Top.version, "historyType": Top.historyType, "history": Top.history,
                "historySchemaVersion": Top.historySchemaVersion, "fileIdentifier": Top.fileIdentifier,
                "evacuation": Top.evacuation,
            ])
    }

    @Test func tableTopArray() throws {
        #expect(
            try slots(under: "Table top array") == [
                "spec": Slot.spec, "clusters": Slot.clusters, "key": Slot.key, "indexes": Slot.indexes,
                "columnKeyCounter": Slot.columnKeyCounter, "contentVersion": Slot.contentVersion,
                "oppositeTables": Slot.oppositeTables, "oppositeColumns": Slot.oppositeColumns,
                "sequence": Slot.sequence, "collisions": Slot.collisions, "primaryKey": Slot.primaryKey,
                "flags": Slot.flags, "tombstones": Slot.tombstones,
            ])
    }

    @Test func specAndMixed() throws {
        typealias Spec = FileFormat.Spec
        #expect(
            try slots(under: "Spec") == [
                "types": Spec.types, "names": Spec.names, "attributes": Spec.attributes, "enumKeys": Spec.enumKeys,
                "keys": Spec.keys,
            ])
        #expect(
            try slots(under: "Mixed leaf") == [
                "descriptors": Mixed.descriptors, "ints": Mixed.ints, "pairs": Mixed.pairs, "strings": Mixed.strings,
                "refs": Mixed.refs, "keys": Mixed.keys,
            ])
    }

    @Test func columnTypes() throws {
        let coded = Dictionary(uniqueKeysWithValues: ColumnType.allCases.map { ("\($0)", Int($0.rawValue)) })
        #expect(try slots(under: "Column types") == coded)
    }

    @Test func limitsAndHeader() throws {
        #expect(
            try values(under: "Limits").mapValues { Int($0) } == [
                "treeNodeCapacity": FileFormat.treeNodeCapacity, "clusterCapacity": FileFormat.clusterCapacity,
                "clusterShift": FileFormat.clusterShift, "maximumNameByteCount": FileFormat.maximumNameByteCount,
                "maximumStringByteCount": FileFormat.maximumStringByteCount,
                "maximumBinaryByteCount": FileFormat.maximumBinaryByteCount,
                "maximumTableCount": FileFormat.maximumTableCount,
                "maximumNestingLevel": FileFormat.maximumNestingLevel,
                "maximumWordByteCount": FileFormat.maximumWordByteCount,
                "maximumTokenByteCount": FileFormat.maximumTokenByteCount,
                "lastIndexOffset": FileFormat.lastIndexOffset, "sectionByteCount": FileFormat.sectionByteCount,
                "maximumNodeElementCount": NodeHeader.maximumCount,
            ])
        let header = try values(under: "Header constants")
        #expect(header["version"] == "\(FileFormat.version)")
        #expect(header["footerMagic"] == "0x" + String(FileFormat.footerMagic, radix: 16, uppercase: true))
        #expect(header["footerByteCount"] == "\(FileFormat.footerByteCount)")
        #expect(header["headerByteCount"] == "\(FileFormat.Header.byteCount)")
        #expect(header["flagsOffset"] == "\(FileFormat.Header.flags)")
    }

    @Test func encryption() throws {
        typealias Layout = EncryptedLayout
        #expect(
            try values(under: "Encryption") == [
                "pageByteCount": "\(Layout.pageByteCount)", "entryByteCount": "\(Layout.entryByteCount)",
                "blockPageCount": "\(Layout.blockPageCount)", "counter": "\(Layout.counter)", "tag": "\(Layout.tag)",
                "previousCounter": "\(Layout.previousCounter)", "previousTag": "\(Layout.previousTag)",
                "smallestFileByteCount": "\(Layout.smallestFileByteCount)",
            ])
    }
}
