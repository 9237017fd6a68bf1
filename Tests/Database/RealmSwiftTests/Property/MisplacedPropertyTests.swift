// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

/// Code that doesn't compile (behaviours B-021 and B-074).
@Suite struct MisplacedPropertyTests {
    private static let sound = """
        import RealmSwift
        final class Sound: Object {
            @Persisted(primaryKey: true) var id: Int
            @Persisted(indexed: true) var name: String?
            @Persisted var values: List<Int>
        }
        func read(_ object: Sound) -> Int { object.id }
        """

    private static let unsound = """
        import Foundation
        import RealmSwift
        final class Indexes: Object {
            @Persisted(indexed: true) var double: Double
            @Persisted(indexed: true) var float: Float?
            @Persisted(indexed: true) var data: Data
            @Persisted(indexed: true) var decimal: Decimal128
            @Persisted(indexed: true) var list: List<Int>
        }
        struct Plain {
            @Persisted var name: String
        }
        final class NoObject {
            @Persisted var name: String = ""
        }
        func read(_ plain: Plain, _ other: NoObject) -> String { plain.name + other.name }
        """

    @Test(.behaviour("B-021", "B-074")) func misplacedDeclarations() throws {
        guard let check = TypeCheck() else { return }
        let nothing = try check.complaints(about: Self.sound)
        try #require(nothing == "", "\(nothing)")
        let complaints = try check.complaints(about: Self.unsound)
        for line in [4, 5, 6, 7, 8] { #expect(complaints.contains(".swift:\(line):"), "\(line): \(complaints)") }
        let text = "@Persisted can only be used as a property on a Realm object"
        #expect(complaints.components(separatedBy: "error: ").filter { $0.contains(text) }.count >= 2, "\(complaints)")
    }
}
