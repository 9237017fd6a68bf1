// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Decimals that the reference wrote, and their texts.
@Suite struct DecimalFixtureTests {
    @Test func textsOfTheDumps() throws {
        for name in ["all-types", "mixed", "collections-set"] {
            let path = Fixtures.path("v24/\(name).json")
            let dump = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
            var decimals: [[String]] = []
            collect(dump, into: &decimals)
            #expect(!decimals.isEmpty, "\(name)")
            for parts in decimals {
                let value = DecimalBits(hex: parts[2] + parts[1])
                #expect(value.description == parts[0] || value.isNaN && parts[0].hasSuffix("NaN"), "\(parts)")
                if value.isFinite { #expect(DecimalBits(parts[0]) == value, "\(parts)") }
            }
        }
    }

    /// Dumps contain decimals as text, low word, and high word.
    private func collect(_ value: Any, into decimals: inout [[String]]) {
        if let parts = value as? [String], parts.count == 3, parts[1...].allSatisfy(isWord) {
            decimals.append(parts)
        } else if let array = value as? [Any] {
            for element in array { collect(element, into: &decimals) }
        } else if let object = value as? [String: Any] {
            for element in object.values { collect(element, into: &decimals) }
        }
    }

    private func isWord(_ text: String) -> Bool {
        text.utf8.count == 16 && text.allSatisfy { $0.isHexDigit }
    }
}
