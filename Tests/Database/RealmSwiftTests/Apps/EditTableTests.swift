// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

/// The edits that Moving.md lists for apps, compiled before and after each.
@Suite struct EditTableTests {
    private struct Edit {
        let before: String
        let complaint: String
        let after: String
    }

    private static let edits = [
        Edit(
            before: "class A1: Object { @Persisted var x = 0; override init() { super.init() } }",
            complaint: "use the 'required' modifier to override a required initializer",
            after: "class A1: Object { @Persisted var x = 0; required init() { super.init() } }"),
        Edit(
            before: "class A2: Object { @Persisted var x = 0; init(x: Int) { super.init(); self.x = x } }",
            complaint: "'required' initializer 'init()' must be provided by subclass of 'Object'",
            after: """
                class A2: Object { @Persisted var x = 0; convenience init(x: Int) { self.init(); self.x = x } }
                """),
        Edit(
            before: "class A3: Object { @objc dynamic var x = 0 }",
            complaint: "Objective-C interoperability is disabled", after: "class A3: Object { @Persisted var x = 0 }"),
        Edit(
            before: "let path = #keyPath(Plain.x)",
            complaint: "'#keyPath' can only be used with the Objective-C runtime",
            after: "let path = _name(for: \\Plain.x)"),
        Edit(
            before: "func keep(_ object: NSObject) {}; func a5() { keep(Plain()) }",
            complaint: "cannot convert value of type 'Plain' to expected argument type 'NSObject'",
            after: "func keep(_ object: Object) {}; func a5() { keep(Plain()) }"),
        Edit(
            before: "func a6() { _ = Plain().responds(to: Selector(\"x\")) }",
            complaint: "cannot find 'Selector' in scope",
            after: "func a6() { _ = Plain().objectSchema[\"x\"] != nil }"),
        Edit(
            before: "func a7() -> Any { Plain().observe(\\.x) { object, change in } }",
            complaint: "missing argument labels 'keyPaths:_isolation::' in call",
            after: "func a7() -> Any { Plain().observe(keyPaths: [\\Plain.x]) { (change: ObjectChange<Plain>) in } }"),
        Edit(
            before: "class A8: Object { required init(value: Any, schema: RLMSchema) { fatalError() } }",
            complaint: "'required' initializer 'init()' must be provided by subclass of 'Object'",
            after: "class A8: Object { @Persisted var x = 0 }"),
        Edit(
            before: "func a9(_ list: List<Plain>) -> Any { list._rlmCollection }",
            complaint: "value of type 'List<Plain>' has no member '_rlmCollection'",
            after: "func a9(_ list: List<Plain>) -> Any { list }"),
        // The macro's expansion of a member whose class omits the name.
        Edit(
            before: "struct Note {}; class A10: Object { @Persisted(_dynamic: true) dynamic var note: Note? }",
            complaint: "generic struct 'Persisted' requires that 'Note' conform to '_PersistableInsideOptional'",
            after: "struct Note {}; class A10: Object { var note: Note? }"),
        Edit(
            before:
                "enum Kind: Int { case a }; class A11: Object { @Persisted(_dynamic: true) dynamic var kind = Kind.a }",
            complaint: "generic struct 'Persisted' requires that 'Kind' conform to '_Persistable'",
            after: """
                enum Kind: Int, PersistableEnum { case a }
                class A11: Object { @Persisted(_dynamic: true) dynamic var kind = Kind.a }
                """),
    ]

    private static let head = "import Foundation\nimport RealmSwift\nclass Plain: Object { @Persisted var x = 0 }\n"

    @Test(.behaviour("A06", "A07")) func theCompilerRequiresEachEditAndAcceptsTheResult() throws {
        guard let check = TypeCheck() else { return }
        try check.expect(Self.edits.map { ($0.before, $0.complaint) }, after: Self.head)
        let after = try check.complaints(about: Self.head + Self.edits.map(\.after).joined(separator: "\n"))
        #expect(!after.contains("error:"), "\(after)")
    }

    private static func table() throws -> String {
        try String(contentsOfFile: SharedFiles.packageRoot + "/Documentation/Moving.md", encoding: .utf8)
    }

    @Test(.behaviour("A07")) func theTableListsEveryEdit() throws {
        let table = try Self.table()
        for edit in Self.edits {
            #expect(table.contains(edit.complaint.replacing("Plain", with: "A")), "\(edit.complaint)")
        }
    }

    #if os(Linux)
        /// Names that Apple's modules export, in files that import only those.
        @Test(.behaviour("W01", "W05")) func theTableListsNamesOfOtherModules() throws {
            guard let check = TypeCheck() else { return }
            let head = "import Foundation\n"
            let edits = [
                ("class A: ObservableObject {}", "cannot find type 'ObservableObject' in scope"),
                ("let session = URLSession.shared", "type 'URLSession' (aka 'AnyObject') has no member 'shared'"),
                ("let request = URLRequest(url: URL(filePath: \"/\"))", "cannot find 'URLRequest' in scope"),
                ("#Preview { 1 }", "no macro named 'Preview'"),
            ]
            try check.expect(edits, after: head)
            let table = try Self.table()
            for (_, complaint) in edits { #expect(table.contains("`\(complaint)`")) }
            let after = try check.complaints(about: head + "import FoundationNetworking\n" + edits[1].0)
            #expect(!after.contains("error:"), "\(after)")
        }
    #endif
}

extension TypeCheck {
    /// Expects a complaint about each of these lines, which follow `head`. They are compiled together, and again alone
    /// if other errors hide theirs.
    fileprivate func expect(_ lines: [(text: String, complaint: String)], after head: String) throws {
        let together = try complaints(about: head + lines.map(\.text).joined(separator: "\n")).split(separator: "\n")
        let first = head.split(separator: "\n").count + 1
        for (number, line) in lines.enumerated() {
            let (place, expected) = (".swift:\(first + number):", "error: " + line.complaint)
            if together.contains(where: { $0.contains(place) && $0.contains(expected) }) { continue }
            let alone = try complaints(about: head + line.text)
            #expect(alone.contains(expected), "\(line.text): \(alone)")
        }
    }
}
