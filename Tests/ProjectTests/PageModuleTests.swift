// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

/// The JavaScript modules of the pages.
@Suite struct PageModuleTests {
    private static func modules() throws -> [SourceFile] {
        let files = try SourceFile.all(in: ["Sources"], ".js")
        #expect(files.count > 20, "the modules were not found")
        return files
    }

    /// The modules that a module imports, without their local names.
    private static func imports(_ file: SourceFile) -> [String] {
        file.lines.compactMap { line in
            line.firstMatch(of: /^(?:import|export|\}) .*"\.\/([a-z]+\.js)";?$/).map { String($0.output.1) }
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Returns the modules of a folder that import each other, directly or indirectly.
    private static func circles(_ files: [SourceFile]) -> [String] {
        var left = Dictionary(uniqueKeysWithValues: files.map { (split($0.path).name, imports($0)) })
        while let lowest = left.first(where: { $0.value.allSatisfy { left[$0] == nil } }) { left[lowest.key] = nil }
        return left.keys.sorted()
    }

    @Test func modulesDoNotImportEachOtherInACircle() throws {
        for (folder, files) in Dictionary(grouping: try Self.modules(), by: { Self.split($0.path).folder }) {
            let names = Set(files.map { Self.split($0.path).name })
            for file in files { #expect(names.isSuperset(of: Self.imports(file)), "\(file.path)") }
            #expect(files.contains { !Self.imports($0).isEmpty }, "\(folder)")
            #expect(Self.circles(files).isEmpty, "\(folder)")
        }
    }

    @Test func aCircleIsFound() {
        func file(_ name: String, _ imports: String...) -> SourceFile {
            SourceFile(path: "Page/\(name).js", lines: imports.map { "import { a } from \"./\($0).js\"" })
        }
        #expect(Self.circles([file("a", "b"), file("b", "c"), file("c")]).isEmpty)
        #expect(Self.circles([file("a", "b"), file("b", "c"), file("c", "b"), file("d")]) == ["a.js", "b.js", "c.js"])
    }

    /// Functions are declared as such, documented with `/** */`, and indented by two spaces.
    @Test func modulesHaveOneStyle() throws {
        let arrow = /^(?:export )?const \w+ = (?:async )?(?:\([^()]*\)|\w+) => \{$/
        for file in try Self.modules() {
            for (number, line) in file.lines.enumerated() where line.contains("///") || line.contains(arrow) {
                Issue.record("\(file.path):\(number + 1) has another style")
            }
            let indented = file.lines.first { $0.hasPrefix(" ") && !$0.hasPrefix(" *") }
            #expect(indented.map { $0.prefix { $0 == " " }.count == 2 } ?? true, "\(file.path)")
        }
    }

    /// Without semicolons, a line that begins like an expression's continuation would become one.
    @Test func linesEndWithoutSemicolons() throws {
        for file in try Self.modules() {
            for (number, line) in file.lines.enumerated() where line.hasSuffix(";") {
                Issue.record("\(file.path):\(number + 1) ends with a semicolon")
            }
        }
    }
}
