// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageTestSupport
import RegnumUI
import RegnumUIServer
import Testing

@testable import doggo_app

private let folder = ProcessInfo.processInfo.environment["REGNUM_SCREENSHOTS"]

/// Takes the README's screenshots in Chromium. Run only by `Scripts/screenshots`, because taking screenshots isn't a
/// test.
@MainActor @Suite(.enabled(if: folder != nil, "only Scripts/screenshots takes pictures"))
struct ScreenshotTests {
    /// The maximum size of a screenshot, which keeps the package small to download.
    private static let largest = 60_000

    @Test func everyView() async throws {
        Register.open(["doggo-app"])
        var options = UIServer.Options()
        options.port = 0
        let server = UIServer(DoggoApp(), options: options)
        let address = try await server.start()
        let browser = try Chromium()
        let tab = try await browser.open(address)
        try await tab.order(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(390), "height": .number(680), "deviceScaleFactor": .number(1), "mobile": .bool(false),
            ])
        try await tab.order("Emulation.setScrollbarsHidden", ["hidden": .bool(true)])
        try await tab.wait(for: "document.querySelector('[data-id]')")
        try await take("DogsListView", tab, when: "Zoe")
        try await tab.click("a", "Bo")
        try await take("EditDogDetails", tab, when: "Owners")
        for (name, text) in [("Breeds", "mixed"), ("People", "Hansen"), ("Toys", "rope")] {
            try await tab.click("[role=tab]", name)
            try await take("\(name)View", tab, when: text)
        }
        try await tab.click("[role=tab]", "People")
        try await tab.click("a", "Lee Ito")
        try await take("PersonView", tab, when: "Add a dog")
        try await tab.click("button", "Add a dog")
        try await take("AddDogToPersonView", tab, when: "Cancel")
        browser.close()
        await server.stop()
    }

    private func take(_ name: String, _ tab: Tab, when text: String) async throws {
        try await tab.wait(forText: text)
        // Removes the focus and the pointer, and ends animations.
        try await tab.value("document.activeElement?.blur()")
        try await tab.order(
            "Input.dispatchMouseEvent", ["type": .text("mouseMoved"), "x": .number(1), "y": .number(1)])
        try await Task.sleep(for: .milliseconds(400))
        let picture = try await tab.screenshot()
        #expect(!picture.isEmpty && picture.count < Self.largest, "\(name) has \(picture.count) bytes")
        let place = URL(fileURLWithPath: try #require(folder))
        try picture.write(to: place.appendingPathComponent(name + ".png"))
    }
}
