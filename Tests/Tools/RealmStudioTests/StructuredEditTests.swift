// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages
import PageTestSupport
import RealmTestSupport
import RealmTools
import Testing

/// Edits of structured values in an object's panel: dictionaries, mixed values, links.
@Suite(.serialized, .enabled(if: StudioScene.hasBrowser, "Chromium is absent: apt-get install chromium"))
struct StructuredEditTests {
    private func json(_ property: String, _ kennel: Kennel) -> String {
        var output: [UInt8] = []
        let arguments = ["export", kennel.path, "Dog", "--format", "jsonl", "--query", "id == 1"]
        _ = RealmTool.run(arguments, output: { output += $0 }, errors: { Issue.record("\($0)") })
        let line = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
        guard let start = line.firstRange(of: "\"\(property)\":") else { return String(line) }
        return String(line[start.upperBound...])
    }

    private func open(_ property: String, _ tab: Tab) async throws -> String {
        try await tab.click("[data-property=\(property)] button", "Edit")
        return "[data-property=\(property)] form"
    }

    @Test func dictionariesAreEdited() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            let form = try await open("notes", tab)
            for (key, value) in [("vet", "fine"), ("vet", "bone")] {
                try await tab.click("\(form) button", "+ add")
                try await StudioScene.fill(form, -2, key, tab)
                try await StudioScene.fill(form, -1, value, tab)
            }
            try await tab.click("\(form) button.main")
            try await tab.wait(forText: "two entries have the same key")
            try await StudioScene.fill(form, -2, "food", tab)
            try await StudioScene.save("notes", tab)
            try await StudioScene.wait("notes", shows: "bone", tab)
            #expect(json("notes", kennel) == #"{"food":"bone","vet":"fine"}}"#)
            _ = try await open("notes", tab)
            try await tab.click("\(form) button[aria-label=Remove]")
            try await StudioScene.save("notes", tab)
            #expect(json("notes", kennel).filter { $0 == ":" }.count == 1)
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    private func choose(_ type: String, _ number: Int, _ form: String, _ tab: Tab) async throws {
        let select = "[...document.querySelectorAll('\(form) select')].at(\(number))"
        try await tab.wait(for: select)
        try await tab.value(
            "(e => { e.value = '\(type)'; e.dispatchEvent(new Event('change')) })(\(select))")
    }

    private static let singles = [
        ("int", "7", "7"), ("double", "2.5", "2.5"), ("float", "0.5", #"{"$float":"0.5"}"#),
        ("string", "ball", #""ball""#),
        ("date", "2020-02-29T12:00:00Z", #"{"$date":"2020-02-29T12:00:00Z"}"#), ("data", "00ff", #"{"$data":"00ff"}"#),
        ("decimal", "1.50", #"{"$decimal":"1.50"}"#),
        ("uuid", "aaaaaaaa-1111-4222-8333-444455556666", #"{"$uuid":"aaaaaaaa-1111-4222-8333-444455556666"}"#),
        ("objectId", "0123456789abcdef01234567", #"{"$objectId":"0123456789abcdef01234567"}"#),
        ("bool", "true", "true"),
    ]

    @Test func mixedValuesAreEditedAsEveryType() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            for (type, text, expected) in Self.singles {
                let form = try await open("anything", tab)
                try await choose(type, 0, form, tab)
                try await StudioScene.fill(form, -1, text, tab)
                try await StudioScene.save("anything", tab)
                try await StudioScene.wait("anything", shows: text, tab)
                #expect(json("anything", kennel).hasPrefix(expected + ","), "\(type): \(json("anything", kennel))")
            }
            let form = try await open("anything", tab)
            try await choose("null", 0, form, tab)
            try await StudioScene.save("anything", tab)
            #expect(json("anything", kennel).hasPrefix("null,"))
        }
    }

    /// A dictionary with a list with a number and a link.
    @Test func mixedValuesAreNested() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            let form = try await open("anything", tab)
            try await choose("dictionary", 0, form, tab)
            try await tab.click("\(form) button", "+ add")
            try await StudioScene.fill(form, 0, "things", tab)
            try await choose("list", -1, form, tab)
            for _ in 0..<2 { try await tab.click("\(form) .tree .tree button", "+ add") }
            try await choose("int", -2, form, tab)
            try await StudioScene.fill(form, 1, "5", tab)
            try await choose("link", -1, form, tab)
            try await tab.click("dialog button", "Person")
            try await tab.click("dialog .choices button", "Bob")
            try await tab.wait(for: "document.querySelector('\(form)').innerText.includes('→ Person')")
            try await StudioScene.save("anything", tab)
            #expect(json("anything", kennel).hasPrefix(#"{"things":[5,{"$link":["Person",1]}]},"#))
            try await tab.click("[data-property=anything] button.link", "Person")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText.includes('Bob')")
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    @Test func linksAreChosenFromAPicker() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            let form = try await open("owner", tab)
            try await tab.click("\(form) button", "choose")
            try await tab.type("Bo")
            try await tab.wait(for: "document.querySelectorAll('dialog .choices button').length === 1")
            try await tab.press("ArrowDown")
            try await tab.press("Enter")
            try await tab.wait(for: "!document.querySelector('dialog')")
            try await StudioScene.save("owner", tab)
            try await StudioScene.wait("owner", shows: "Bob", tab)
            #expect(json("owner", kennel).hasPrefix("1,"))
            let friends = try await open("friends", tab)
            try await tab.click("\(friends) button", "+ add")
            try await tab.click("dialog .choices button", "Rex")
            try await tab.wait(for: "document.querySelector('\(friends)').innerText.includes('→ Dog 1')")
            try await tab.click("\(friends) .line:last-of-type button[aria-label=\"Move up\"]")
            try await StudioScene.save("friends", tab)
            #expect(json("friends", kennel).hasPrefix("[2,1,3],"))
            _ = try await open("owner", tab)
            try await tab.click("\(form) button", "null")
            try await StudioScene.save("owner", tab)
            #expect(json("owner", kennel).hasPrefix("null,"))
        }
        try FileAudit.requireClean(path: kennel.path)
    }
}
