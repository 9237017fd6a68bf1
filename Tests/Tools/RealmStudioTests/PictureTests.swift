// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageMessages
import PageTestSupport
import RealmStudio
import RealmTools
import Testing

private let folder = ProcessInfo.processInfo.environment["REGNUM_STUDIO_PICTURES"]

/// Takes the pictures of Documentation/Studio.md and of the article on the tool. Run only by
/// `Scripts/studio-screenshots`, because pictures aren't tests.
@Suite(.enabled(if: folder != nil, "only Scripts/studio-screenshots takes pictures"))
struct PictureTests {
    private static let values = """
        UPDATE Dog WHERE id == 1 SET {"weight": 31.5, "score": 0.75, "good": true, "born": "2019-05-04T07:30:00Z", \
        "photo": "89504e470d0a1a0a", "price": "450.00", "tag": "6f1c54a0-2f6e-4c7b-9a58-0d7f6f0c9a11", \
        "chip": "5f2b1c9e8d7a6b5c4d3e2f10", "anything": ["ball", 3, {"place": "shed"}], \
        "home": {"street": "Main street", "number": 12}, "toys": ["bone", "rope"], "marks": [3, 7], \
        "notes": {"vet": "fine"}}
        """

    @Test func everyView() async throws {
        let kennel = try Kennel(measurements: 20_000)
        try OtherProgram(kennel.path, PictureTests.values).finish()
        let server = try await StudioServer.start(StudioOptions(path: kennel.path, canWrite: true))
        let browser = try Chromium()
        let tab = try await browser.open(server.address)
        try await tab.resize(width: 1100, height: 640)
        try await tab.wait(for: "document.querySelector('#classes a')")
        try await tab.value("location.hash = '#data/Dog/0'")
        try await tab.wait(for: "!document.querySelector('#object').hidden")
        try await take("object", tab)
        try await tab.click("[data-property=friends] button", "Edit")
        try await take("editor", tab)
        try await tab.value("location.hash = '#data/Measurement'")
        try await tab.wait(forText: "place 1")
        try await tab.click("#query")
        try await tab.type("place == 'place 7' AND value > 50 SORT(value DESC)")
        try await tab.press("Enter")
        try await tab.click("button", "Plan")
        try await tab.wait(forText: "actual")
        try await take("query", tab)
        try await tab.value("location.hash = '#data/Measurement'")
        try await tab.click("button", "Distribution")
        try await tab.click("dialog button", "value")
        try await tab.wait(forText: "most frequent")
        try await take("distribution", tab)
        for view in ["schema", "bytes", "versions"] {
            try await tab.value("location.hash = '#\(view)'")
            try await tab.wait(for: "document.querySelector('.page svg, .page table')")
            try await take(view, tab)
        }
        try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"name\": \"Rexford\", \"age\": 5}").finish()
        try await tab.value("location.hash = '#changes'")
        try await tab.wait(forText: "Rexford")
        try await take("changes", tab)
        try await tab.order(
            "Emulation.setEmulatedMedia",
            ["features": .list([.object(["name": .text("prefers-color-scheme"), "value": .text("dark")])])])
        try await tab.value("location.hash = '#data/Dog/0'")
        try await tab.wait(for: "!document.querySelector('#object')?.hidden")
        try await take("dark", tab)
        browser.close()
        await server.stop()
    }

    private func take(_ name: String, _ tab: Tab) async throws {
        try await Task.sleep(for: .milliseconds(700))
        let picture = try await tab.screenshot()
        #expect(!picture.isEmpty && picture.count < 200_000, "\(name) has \(picture.count) bytes")
        try picture.write(to: URL(fileURLWithPath: try #require(folder)).appendingPathComponent("studio-\(name).png"))
    }
}
