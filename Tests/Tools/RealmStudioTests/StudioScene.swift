// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages
import PageTestSupport
import RealmStudio
import RealmTools
import Testing

/// A file in a tab of a real browser, and the actions of a user.
enum StudioScene {
    /// Whether a browser is installed. Without one, the scenarios are skipped with a single message.
    static let hasBrowser = Chromium.path != nil

    /// One browser for all scenarios, because starting it takes longer than most of them.
    static let browser = Result { try Chromium() }

    /// Shows a file, or the prompt for one. No error may occur in the page meanwhile.
    static func show(
        _ path: String?, write: Bool = false, place: String = "",
        _ body: (Tab, StudioServer) async throws -> Void
    ) async throws {
        let server = try await StudioServer.start(StudioOptions(path: path, canWrite: write))
        let tab = try await browser.get().open(server.address)
        if !place.isEmpty {
            try await tab.wait(for: "document.querySelector('#classes a')")
            try await tab.value("location.hash = '\(place)'")
        }
        try await body(tab, server)
        let complaints = tab.events("Log.entryAdded").compactMap { $0["params"]?["entry"] }
            .filter { $0["level"] == .text("error") }.compactMap { $0["text"]?.text }
        #expect(complaints.isEmpty, "\(complaints)")
        #expect(tab.events("Runtime.exceptionThrown").isEmpty, "\(tab.events("Runtime.exceptionThrown"))")
        try await tab.close()
        await server.stop()
    }

    /// An expression for the drawn rows, in their order. The elements themselves are unordered.
    static let rows =
        "[...document.querySelectorAll('.grid-row')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)"

    static func cell(_ row: Int, _ column: Int) -> String {
        "document.querySelector('.grid-row[aria-rowindex=\"\(row + 2)\"]')?.children[\(column)]?.textContent"
    }

    /// An expression that sends a key to the table. `modifiers` are members of the event.
    static func key(_ name: String, _ modifiers: String = "") -> String {
        "document.querySelector('.grid').dispatchEvent(new KeyboardEvent('keydown', {key: '\(name)', \(modifiers)}))"
    }

    static func number(_ expression: String, _ tab: Tab) async throws -> Double {
        guard case .number(let number) = try await tab.value(expression) else {
            throw RawError(description: "\(expression) is no number.")
        }
        return number
    }

    static func set(_ property: String, _ text: String, _ tab: Tab) async throws {
        let place = "[data-property=\(property)]"
        try await tab.click("\(place) button", "Edit")
        try await tab.value(
            "(() => { const b = [...document.querySelectorAll('\(place) form button')]"
                + ".find(b => ['set', '+ add'].includes(b.innerText)); b?.click() })()")
        try await fill("\(place) form", -1, text, tab)
        try await save(property, tab)
    }

    /// Sets the text of a field. `number` counts the fields of the form, from its end if it is negative.
    static func fill(_ form: String, _ number: Int, _ text: String, _ tab: Tab) async throws {
        let field =
            "[...document.querySelectorAll('\(form) :is(input:not([type=file]), textarea)')].at(\(number))"
        try await tab.wait(for: field)
        try await tab.value(
            "(e => { e.focus(); if (e.type === 'checkbox') e.checked = true; else { e.value = \(Tab.quoted(text));"
                + " e.dispatchEvent(new Event('input')) } })(\(field))")
    }

    static func save(_ property: String, _ tab: Tab) async throws {
        try await tab.click("[data-property=\(property)] form button.main")
        try await tab.wait(for: "!document.querySelector('[data-property=\(property)] form')")
    }

    static func wait(_ property: String, shows text: String, _ tab: Tab) async throws {
        try await tab.wait(
            for: "document.querySelector('[data-property=\(property)]').innerText.includes(\(Tab.quoted(text)))")
    }
}
