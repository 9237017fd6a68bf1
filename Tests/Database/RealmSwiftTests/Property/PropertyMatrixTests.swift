// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import RealmTools
import Testing

@testable import RealmSwift

/// A class with all kinds of properties: stored, audited, read again, and its models printed from the file.
@Suite struct PropertyMatrixTests {
    private static func values(_ property: RealmSwift.Property) -> [Any] {
        let name = property.name
        let ids = ["1234567890ab1234567890ab", "00000000000000000000ffff"]
        switch property.type {
        case .int: return name.hasSuffix("ize") ? [1, 7] : name.hasSuffix("nt8") ? [-128, 127] : [-9, 12_345]
        case .bool: return [true, false]
        case .string: return name.hasSuffix("olor") ? ["red", "green"] : ["", "läuft\nweiter"]
        case .data: return [Data(), Data([0, 255, 7])]
        case .date: return [Date(timeIntervalSince1970: -1.5), Date(timeIntervalSinceReferenceDate: 7e8)]
        case .float: return [Float(1.5), Float(-0.1)]
        case .double: return [2.5, -Double.infinity]
        case .objectId: return [ObjectId("1234567890ab1234567890ab"), ObjectId("00000000000000000000ffff")]
        case .decimal128: return [Decimal128("1.50"), Decimal128("-12345678901234567890")]
        case .UUID: return (1...2).compactMap { UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)") }
        case .any: return [AnyRealmValue.string("x"), AnyRealmValue.double(0.5)]
        case .object where property.objectClassName == "MatrixPet": return ids.map { ["id": $0, "name": "Tom"] }
        case .object where property.objectClassName == "MatrixRoom": return [["name": "hall"], ["name": "attic"]]
        case .object where property.objectClassName == "MatrixCoordinates": return [[1.5], [2.5]]
        default: return []
        }
    }

    private static func everything() -> [String: Any] {
        var result: [String: Any] = ["id": 1]
        for property in Matrix().objectSchema.properties where property.name != "id" && property.name != "neighbour" {
            var values = values(property)
            let takesNull = property.isOptional && !(property.type == .object && !property.isMap)
            if takesNull, property.type != .any { values.append(NSNull()) }
            if property.isArray || property.isSet {
                result[property.name] = values
            } else if property.isMap {
                result[property.name] = Dictionary(
                    uniqueKeysWithValues: values.enumerated().map { ("key \($0.offset)", $0.element) })
            } else {
                result[property.name] = values[1]
            }
        }
        return result
    }

    /// The description without the differences between managed and unmanaged objects: addresses, and the order of sets
    /// and maps.
    private static func text(_ matrix: Matrix) -> [String] {
        matrix.description.split(separator: "\n").map { line in
            line.replacing(/<0x[0-9a-f]+>/, with: "").replacing(/\[\d+\]/, with: "").replacing(/,$/, with: "")
                .trimmingCharacters(in: .whitespaces)
        }.sorted()
    }

    @Test func everythingIsStoredAuditedAndReadAgain() throws {
        let file = try TemporaryFolderURL()
        let pet = ["id": "00000000000000000000ffff"]
        try file.open(Matrix.types) { realm in
            try realm.write {
                let matrix = realm.create(Matrix.self, value: Self.everything(), update: .modified)
                matrix.neighbour = matrix
                realm.create(Matrix.self, value: ["id": 2, "pet": pet], update: .modified)
            }
        }
        try PythonChecker.requireClean(path: file.url.path)
        #expect(Self.tool("check", "--strict", file.url.path).status == 0)
        try file.open(Matrix.types) { realm in
            let matrix = try #require(realm.object(ofType: Matrix.self, forPrimaryKey: 1))
            #expect(
                matrix.neighbour == matrix && matrix.pet?.matrices.count == 2 && matrix.optPlace == MatrixPlace(x: 2.5))
            try realm.write { matrix.neighbour = nil }
            let original = Matrix(value: Self.everything())
            let (expected, found) = (Self.text(original), Self.text(matrix))
            #expect(expected.count > 400)
            for (expected, found) in zip(expected, found) { #expect(expected == found) }
            #expect(expected.count == found.count)
        }
    }

    private static func tool(_ arguments: String...) -> (status: Int32, output: String) {
        var output: [UInt8] = []
        let status = RealmTool.run(arguments, output: { output += $0 }, errors: { print($0) })
        return (status, String(decoding: output, as: UTF8.self))
    }

    /// Types that aren't in the file: custom types and the base classes of tests.
    private static let storedTypes = [
        ("MatrixSize", "Int"), ("MatrixColor", "String"), ("MatrixLabel", "String"), ("Int8", "Int"), ("Int16", "Int"),
        ("Int32", "Int"), ("Int64", "Int"), ("var place: MatrixPlace", "var place: MatrixCoordinates?"),
        ("MatrixPlace", "MatrixCoordinates"), ("TestObject", "Object"), ("TestEmbedded", "EmbeddedObject"),
    ]

    private static func declarations(_ text: String) -> [String: [String]] {
        var result: [String: [String]] = [:]
        var name = ""
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("class ") { name = line }
            if line.hasPrefix("@Persisted"), !line.contains("LinkingObjects<") {
                result[name, default: []].append(line)
            }
        }
        return result
    }

    @Test func theModelsThatAreWrittenAreTheModelsThatArePrinted() throws {
        let file = try TemporaryFolderURL()
        try file.open(Matrix.types) { realm in try realm.write { realm.add(Matrix()) } }
        let printed = Self.tool("schema", "--swift", file.url.path)
        #expect(printed.status == 0)
        let path = SharedFiles.packageRoot + "/Tests/Database/RealmSwiftTests/Property/PropertyMatrix.swift"
        var written = try String(contentsOfFile: path, encoding: .utf8)
        for (type, stored) in Self.storedTypes {
            written = written.replacing(try Regex("\\b\(type)\\b"), with: stored)
        }
        let (expected, found) = (Self.declarations(written), Self.declarations(printed.output))
        #expect(expected.count == Matrix.types.count && Set(expected.keys) == Set(found.keys))
        for (name, lines) in expected { #expect(found[name] == lines, "\(name)") }
        #expect(expected["class Matrix: Object {"]?.count ?? 0 > 140)
    }
}
