// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages
import PageTestSupport
import RealmTestSupport
import Testing

/// The keyboard focus after parts of the page were rendered again.
@Suite(.serialized, .enabled(if: StudioScene.hasBrowser, "Chromium is absent: apt-get install chromium"))
struct FocusTests {
    /// An expression for the name of the focused element.
    private static let focused = "(e => e.ariaLabel ?? e.textContent)(document.activeElement)"

    /// The result of a search arrives after the focus has moved to a choice.
    @Test func aLateAnswerLeavesTheKeyboardAtTheChoice() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            try await tab.click("[data-property=owner] button", "Edit")
            try await tab.click("[data-property=owner] form button", "choose")
            let choices = "document.querySelectorAll('dialog .choices button')"
            try await tab.wait(for: "\(choices).length === 2")
            try await tab.press("ArrowDown")
            try await tab.press("ArrowDown")
            #expect(try await tab.value("document.activeElement === \(choices)[1]") == .bool(true))
            let chosen = try await tab.value(Self.focused)
            try await searchAgain("", tab)
            #expect(try await tab.value(Self.focused) == chosen)
            try await searchAgain("nothing of that name", tab)
            #expect(try await tab.value("document.activeElement.localName") == .text("input"))
            try await searchAgain("Bo", tab)
            try await tab.press("ArrowDown")
            try await tab.press("Enter")
            try await tab.wait(for: "!document.querySelector('dialog')")
            try await StudioScene.save("owner", tab)
            try await StudioScene.wait("owner", shows: "Bob", tab)
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    /// Searches without the focus, and waits until the result is drawn.
    private func searchAgain(_ text: String, _ tab: Tab) async throws {
        try await tab.value(
            "window.old = document.querySelector('dialog .choices').firstChild;"
                + "(i => { i.value = \(Tab.quoted(text)); i.dispatchEvent(new Event('input')) })"
                + "(document.querySelector('dialog input'))")
        try await tab.wait(for: "!window.old.isConnected")
    }

    @Test func savedAndCancelledPropertiesKeepTheKeyboard() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            for button in ["Save", "Cancel"] {
                try await tab.click("[data-property=name] button", "Edit")
                try await tab.tab(until: "e.textContent === '\(button)'")
                try await tab.press("Enter")
                try await tab.wait(for: "\(Self.focused) === 'Edit name'")
            }
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    @Test func commitsByOthersLeaveTheKeyboardInThePanel() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            try await tab.wait(for: "document.querySelector('[data-property=age] button')")
            try await tab.value("document.querySelector('[data-property=age] button').focus()")
            let change = try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"name\": \"Rexford\"}")
            try await StudioScene.wait("name", shows: "Rexford", tab)
            #expect(try await tab.value(Self.focused) == .text("Edit age"))
            try change.finish()
            let deletion = try OtherProgram(kennel.path, "DELETE Dog WHERE id == 1")
            try await tab.wait(forText: "The object was deleted.")
            #expect(try await tab.value(Self.focused) == .text("Close"))
            try deletion.finish()
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    @Test func commitsByOthersLeaveTheKeyboardAtAClassOfTheChanges() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#changes") { tab, _ in
            let change = try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"name\": \"Rexford\"}")
            try await tab.wait(for: "document.querySelector('.feed a')")
            try await tab.value("document.querySelector('.feed a').focus()")
            try change.finish()
            let another = try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"name\": \"Rexy\"}")
            try await tab.wait(for: "document.querySelectorAll('.feed').length === 2")
            #expect(try await tab.value(Self.focused) == .text("Dog"))
            try another.finish()
        }
        try FileAudit.requireClean(path: kennel.path)
    }
}
