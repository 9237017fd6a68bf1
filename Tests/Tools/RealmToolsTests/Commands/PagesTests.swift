// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmTools

@Suite struct PagesTests {
    private static let folder = URL(fileURLWithPath: SharedFiles.packageRoot + "/Documentation")

    @Test func everyCommandPrintsJSON() throws {
        for command in try HelpTree(json: RealmCommand._dumpHelp()).commands {
            let names = (command.arguments ?? []).flatMap { ($0.names ?? []).map(\.text) }
            #expect(names.contains("--json"), "\(command.commandName)")
        }
    }

    @Test func thePagesAreCurrent() throws {
        let pages = try PagesCommand.pages()
        #expect(pages.count > 15)
        for (name, text) in pages {
            let written = try? String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
            #expect(written == text, "\(name) is out of date; run Scripts/tool-pages")
        }
        let manager = FileManager.default
        for folder in ["man", "completions"] {
            let names = try manager.contentsOfDirectory(atPath: Self.folder.path + "/" + folder)
            let left = names.filter { pages[folder + "/" + $0] == nil }
            #expect(left.isEmpty, "no command has these pages; run Scripts/tool-pages")
        }
    }
}
