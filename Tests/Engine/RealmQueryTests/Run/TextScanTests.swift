// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Every operator on texts in every leaf form compared with a direct computation.
@Suite struct TextScanTests {
    private static let alphabet = ["a", "A", "b", "é", "É", "×", "÷", "ß", "z", "[", "\u{0}", "日"]

    @Test(arguments: [3, 7, 12, 40, 90])
    func operators(_ longest: Int) throws {
        var random = SeededGenerator(seed: UInt64(longest))
        func text(_ count: Int) -> String {
            (0..<count).map { _ in Self.alphabet[random.below(random.chance(80) ? 3 : Self.alphabet.count)] }.joined()
        }
        var values: [String?] = (0..<300).map { _ in random.chance(10) ? nil : text(random.below(longest)) }
        values.append("")
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Row")
        let column = try write.schema.addColumn("x", .string, .nullable, to: table)
        for value in values { _ = try write.createObject(in: table, [column: value.map { .string($0) } ?? .null]) }
        try write.commit()
        let snapshot = try database.snapshot(label: "rows")
        for _ in 0..<40 {
            let sought = random.chance(50) ? (values.randomElement(using: &random)! ?? "a") : text(1 + random.below(4))
            for options in [TextOptions(), .caseInsensitive] {
                for operation in [ComparisonOperator.equal, .contains, .beginsWith, .endsWith, .in] {
                    let right: Operand = operation == .in ? .values([.string(sought), .null]) : .value(.string(sought))
                    let comparison = Comparison(.path("x"), operation, right, options: options)
                    let query = try Query.compile(.comparison(comparison), on: table, in: snapshot)
                    let expected = values.indices.filter { index in
                        guard let value = values[index] else { return operation == .in }
                        return Self.holds(operation, Self.folded(value, options), Self.folded(sought, options))
                    }
                    #expect(
                        try query.objects(in: snapshot) == expected.map { ObjectKey.squeezed(UInt64($0)) },
                        "\(comparison)")
                }
            }
        }
    }

    private static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
        guard options.contains(.caseInsensitive) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            let isFolded = "A"..."Z" ~= scalar || "À"..."Þ" ~= scalar && scalar != "×"
            return Array(String(isFolded ? Unicode.Scalar(scalar.value + 32)! : scalar).utf8)
        }
    }

    private static func holds(_ operation: ComparisonOperator, _ value: [UInt8], _ sought: [UInt8]) -> Bool {
        switch operation {
        case .equal, .in: return value == sought
        // No text contains the empty text, or begins or ends with it.
        case .beginsWith: return !sought.isEmpty && value.starts(with: sought)
        case .endsWith: return !sought.isEmpty && value.reversed().starts(with: sought.reversed())
        default:
            return !sought.isEmpty && value.indices.contains { value[$0...].starts(with: sought) }
        }
    }
}
