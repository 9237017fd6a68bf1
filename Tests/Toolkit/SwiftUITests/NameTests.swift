// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

/// The names that apps use together with Realm's wrappers, and the guide's table of them.
@MainActor @Suite struct NameTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func theViewsAreShown() async throws {
        let model = NamedModel()
        let text = UIHost.pair(NamesOfText(title: .constant("Dogs")))
        #expect(text.exists(.text("Dogs")))
        let controls = UIHost.pair(NamesOfControls(other: NamedModel()).environmentObject(model))
        try await controls.choose("beagle", in: .picker("Breed"))
        #expect(try controls.find(.toggle("Good")).isOn == false)
        try await controls.type("!", into: .id("city"))
        #expect(model.city == "Oslo!")
        let lists = UIHost.pair(NamesOfLists().environmentObject(model))
        try await lists.delete(.row().at(0))
        #expect(model.dogs.map(\.name) == ["Ada"])
        let pages = PreviewHost.render(Names_Previews.self)
        try await pages.tap(.button("Add"))
        #expect(pages.presented?.role == .dialog)
        let places = UIHost.pair(NamesOfPlaces())
        try await places.tap(.link("One"))
        #expect(places.exists(.text("1")))
        try await places.tap(.tab("Scroll"))
        #expect(places.exists(.text("lazy")))
        #expect(UIHost(NamedProgram()).all(.row()).count == 2)
        for host in [text, controls, lists, pages, places] { #expect(host.log.isEmpty, "\(host.log)") }
    }

    @Test(.behaviour("W06")) func theNamesThatAppsLackedAreShown() async throws {
        let host = UIHost.pair(NamesOfApps())
        try await host.drag(.text("drag 0"), by: CGSize(width: 40, height: 0)) {
            #expect(host.exists(.text("drag 40")))
        }
        try await host.tap(.text("drag 0"))
        #expect(host.presented?.role == .alert)
        try await host.tap(.button("Yes"))
        #expect(host.presented == nil)
        #expect(host.exists(.tab()) && host.exists(.link("Share…")))
        #expect(host.log.isEmpty, "\(host.log)")
        #expect(UIHost(NamedProgramWithDelegate()).exists(.text("options 0")))
    }

    /// Each name that the guide lists as working is used in a compiled file, and no name that it lists is missing.
    @Test(.behaviour("W06")) func theTableOfTheGuideIsTrue() throws {
        let guide = try text("../../../Documentation/SwiftUI.md")
        let section = try #require(guide.components(separatedBy: "\n## Names\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == 96)
        let states = ["works", "changes the look", "has no effect"]
        for row in rows { #expect(states.contains { row.hasSuffix("| \($0) |") }, "\(row)") }
        let others = section.components(separatedBy: "\n\n").drop { !$0.hasPrefix("The other") }
        #expect(others.count >= 2)
        let source = try text("NamesInUse.swift")
        let used = Set(source.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        for name in names(in: rows.joined()) + names(in: others.first ?? "") {
            #expect(used.contains(name), "\(name) is not used")
        }
        for name in names(in: others.dropFirst().first ?? "") { #expect(!used.contains(name), "\(name) is used") }
    }

    /// Returns the texts in backquotes, without the signs of attributes, modifiers, and key paths.
    private func names(in text: String) -> [String] {
        text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element.drop { !$0.isLetter }.prefix { $0.isLetter || $0.isNumber })
        }
    }
}
