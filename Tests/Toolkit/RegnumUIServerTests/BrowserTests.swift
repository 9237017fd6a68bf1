// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import LoopbackServer
import PageTestSupport
import RegnumUI
import RegnumUIServer
import Testing

/// Whether a browser is installed. Without one, the scenarios are skipped with a single message.
private let hasBrowser = Chromium.path != nil

/// The page in a real browser, for behaviour that only a browser can show. Everything else is tested without one.
@MainActor @Suite(.serialized, .enabled(if: hasBrowser, "Chromium is absent: apt-get install chromium"))
struct BrowserTests {
    /// One browser for all scenarios, because starting it takes longer than most of them.
    private static let browser = Result { try Chromium() }

    private func show(
        _ path: String = "/", isForeign: Bool = false, _ body: @MainActor (Tab, Served) async throws -> Void
    ) async throws {
        let served = try await Served(DogApp())
        let tab = try await Self.browser.get().open(served.address)
        try await tab.wait(forText: "Rex")
        if path != "/" { try await tab.go(to: "http://127.0.0.1:\(served.port)\(path)") }
        try await connected(tab)
        try await body(tab, served)
        // The page didn't violate its policy, and its script logged no errors.
        let complaints = tab.events("Log.entryAdded").compactMap { $0["params"]?["entry"] }
            .filter { $0["level"] == .text("error") }.compactMap { $0["text"]?.text }
        #expect(isForeign || complaints.allSatisfy { $0.contains("ERR_") || $0.contains("WebSocket") }, "\(complaints)")
        #expect(tab.events("Runtime.exceptionThrown").isEmpty)
        try await tab.close()
        await served.server.stop()
    }

    private func connected(_ tab: Tab) async throws {
        try await tab.wait(
            for: "document.querySelector('[data-id]') && !document.documentElement.classList.contains('offline')")
    }

    @Test func aDragReportsItsDistanceAndIsNotATap() async throws {
        try await show("/scene/gestures") { tab, _ in
            let place = try await tab.value(
                "(() => { const box = document.querySelector('.draggable').getBoundingClientRect();"
                    + " return [box.left + 5, box.top + 5] })()")
            let numbers = (place.items ?? []).compactMap(\.double)
            try #require(numbers.count == 2)
            try await tab.drag(from: (numbers[0], numbers[1]), to: (numbers[0] + 60, numbers[1]))
            try await tab.wait(forText: "ended 60, taps 0")
            try await tab.click(".draggable")
            try await tab.wait(forText: "ended 60, taps 1")
        }
    }

    @Test func theViewsByMouse() async throws {
        try await show { tab, _ in
            try await tab.click("a", "Rex")
            try await tab.wait(for: "document.title === 'Rex' && location.hash === '#1'")
            try await tab.click("input[placeholder=Name]")
            try await tab.type("ford")
            try await tab.wait(for: "document.title === 'Rexford'")
            try await tab.click("input[placeholder=Weight]")
            try await tab.value("document.activeElement.select()")
            try await tab.type("31")
            try await tab.click("input[placeholder=Name]")
            try await tab.click("input[role=switch]")
            try await tab.wait(forText: "Rexford weighs 31 and has a Ball, a favourite")
            try await tab.value(
                "(() => { const s = document.querySelector('select'); s.selectedIndex = 1;"
                    + " s.dispatchEvent(new Event('change')) })()")
            try await tab.wait(forText: "has a Bone")
            // The page's back button, and the browser's forward and back buttons.
            try await tab.click("nav button", "Kennel")
            try await tab.wait(for: "document.title === 'Kennel'")
            try await tab.wait(forText: "Rexford")
            try await tab.click("a", "Ada")
            try await tab.wait(for: "document.title === 'Ada'")
            try await tab.value("history.back()")
            try await tab.wait(for: "document.title === 'Kennel' && location.hash === ''")
            try await tab.value("history.forward()")
            try await tab.wait(for: "document.title === 'Ada'")
            try await tab.value("history.back()")
            try await tab.wait(for: "document.title === 'Kennel'")
            try await tab.click("button", "add")
            try await tab.wait(for: "document.querySelector('dialog[open] input') === document.activeElement")
            try await tab.type("Fido")
            try await tab.click("dialog button", "Save")
            try await tab.wait(for: "!document.querySelector('dialog')")
            try await tab.wait(forText: "Fido")
            try await tab.click("li button.delete", "Delete")
            try await tab.wait(for: "!document.body.innerText.includes('Rexford')")
            try await tab.click("button", "Send all home")
            try await tab.wait(for: "document.querySelector('dialog[open][role=alertdialog]')")
            try await tab.click("dialog button", "Send")
            try await tab.wait(for: "!document.body.innerText.includes('Fido')")
        }
    }

    @Test func theViewsByKeyboard() async throws {
        try await show { tab, _ in
            try await tab.tab(until: "e.matches('a') && e.textContent.includes('Rex')")
            try await tab.press("Enter")
            try await tab.wait(for: "document.title === 'Rex' && document.activeElement.matches('h1')")
            try await tab.tab(until: "e.placeholder === 'Name'")
            // The text of a field that gets the focus by the keyboard is selected.
            try await tab.type("Rexy")
            try await tab.wait(for: "document.title === 'Rexy'")
            try await tab.tab(until: "e.matches('[role=switch]')")
            try await tab.press(" ")
            try await tab.wait(forText: ", a favourite")
            try await tab.tab(until: "e.matches('select')")
            try await tab.press("ArrowDown")
            try await tab.wait(forText: "has a Bone")
            try await tab.tab(until: "e.matches('.is-back')")
            try await tab.press("Enter")
            try await tab.wait(for: "document.title === 'Kennel'")
            // A sheet has the focus while it is presented, Escape closes it, and the focus returns.
            try await tab.tab(until: "name === 'add'")
            try await tab.press("Enter")
            try await tab.wait(for: "document.activeElement.placeholder === 'Name of the dog'")
            for _ in 0..<6 {
                try await tab.press("Tab")
                let isInside = try await tab.value(
                    "document.activeElement === document.body || !!document.activeElement.closest('dialog')")
                #expect(isInside == .bool(true))
            }
            try await tab.press("Escape")
            try await tab.wait(
                for: "!document.querySelector('dialog') && document.activeElement.querySelector('[aria-label=add]')")
            // The Delete key deletes a row, and the next row gets the focus.
            try await tab.tab(until: "e.matches('a') && e.textContent.includes('Rex')")
            try await tab.press("Delete")
            try await tab.wait(for: "!document.body.innerText.includes('Rex')")
            try await tab.wait(for: "document.activeElement.textContent.includes('Ada')")
            try await tab.tab(until: "e.type === 'search'")
            try await tab.type("bo")
            try await tab.wait(for: "!document.body.innerText.includes('Ada')")
            try await tab.press("Escape")
            try await tab.wait(forText: "Ada")
        }
    }

    @Test func typingFastLosesNothing() async throws {
        try await show("/scene/fields") { tab, served in
            try await tab.emulate(isOffline: false, latency: 500)
            await served.server.disconnect()
            try await connected(tab)
            let text = "The quick brown fox jumps over the lazy dog"
            try await tab.click("input[placeholder=Note]")
            try await tab.wait(for: "document.activeElement.placeholder === 'Note'")
            let start = ContinuousClock.now
            try await tab.type(text)
            // A typed text is shown at once, and the app's outdated batches don't overwrite it.
            for _ in 0..<8 {
                let shown = try await tab.value("document.querySelector('input[placeholder=Note]').value")
                #expect(shown == .text(text))
                try await Task.sleep(for: .milliseconds(100))
            }
            try await tab.wait(forText: "Said: \(text)")
            #expect(ContinuousClock.now - start > .milliseconds(500), "The line was not slow.")
            try await tab.click("input[placeholder=Loud]")
            try await tab.type("abcdefghijk")
            try await tab.wait(for: "document.querySelector('input[placeholder=Loud]').value === 'ABCDEFGH'")
            try await tab.emulate(isOffline: false, latency: 0)
        }
    }

    /// Measures the time from a key press to the app's echo. Run only by `Scripts/page-latency`, because a measurement
    /// isn't a test.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["REGNUM_LATENCY"] != nil, "only Scripts/page-latency measures")
    )
    func latency() async throws {
        try await show("/scene/fields") { tab, _ in
            try await tab.click("input[placeholder=Note]")
            try await tab.value(
                """
                (() => {
                    window.times = []
                    let start = 0
                    const field = document.querySelector('input[placeholder=Note]')
                    field.addEventListener('keydown', () => (start = performance.now()))
                    new MutationObserver(() => {
                        if (document.body.innerText.includes('Said: ' + field.value) && start) {
                            times.push(performance.now() - start)
                            start = 0
                        }
                    }).observe(document.body, { subtree: true, childList: true, characterData: true })
                })()
                """)
            for count in 1...200 {
                try await tab.type("x")
                try await tab.wait(for: "times.length >= \(count)")
            }
            let times = try await tab.value("times").items?.compactMap(\.double).sorted() ?? []
            let text = [0.5, 0.95, 0.99].map { share in
                "\(Int(share * 100)) %: \((times[Int(Double(times.count - 1) * share)] * 10).rounded() / 10) ms"
            }
            print("From a key to its echo, \(times.count) keys: \(text.joined(separator: ", "))")
        }
    }

    @Test func compositionIsOneEdit() async throws {
        try await show("/scene/fields") { tab, _ in
            try await tab.click("input[placeholder=Note]")
            try await tab.value(
                "(() => { window.edits = 0; const send = WebSocket.prototype.send;"
                    + " WebSocket.prototype.send = function (m) { if (m.includes('\"input\"')) window.edits++; send.call(this, m) } })()"
            )
            for part in ["k", "ka", "か", "かん"] {
                try await tab.order(
                    "Input.imeSetComposition",
                    [
                        "text": .text(part), "selectionStart": JSONValue(part.count),
                        "selectionEnd": JSONValue(part.count),
                    ])
            }
            let during = try await tab.value("window.edits")
            #expect(during == JSONValue(0))
            try await tab.order("Input.insertText", ["text": .text("漢")])
            try await tab.wait(forText: "Said: 漢")
            let after = try await tab.value("window.edits")
            #expect(after == JSONValue(1))
        }
    }

    @Test func aLostConnectionIsRestored() async throws {
        try await show("/scene/fields") { tab, served in
            try await tab.click("input[placeholder=Note]")
            try await tab.type("before")
            try await tab.wait(forText: "Said: before")
            try await tab.emulate(isOffline: true, latency: 0)
            await served.server.disconnect()
            try await tab.wait(forText: "The connection is lost")
            // The page stays readable, fields accept typing, and other controls have no effect.
            try await tab.type(" and after")
            try await Task.sleep(for: .seconds(10))
            let text = try await tab.value("document.body.innerText")
            #expect(text.text?.contains("Said: before") == true && text.text?.contains("after") == false)
            try await tab.emulate(isOffline: false, latency: 0)
            try await tab.wait(forText: "Said: before and after")
            let isQuiet = try await tab.value("document.getElementById('notice').hidden")
            #expect(isQuiet == .bool(true))
        }
    }

    /// A browser that reconnects to a port without a listener may briefly connect to itself.
    private static func restarted(at port: Int, _ key: ServerKey) async throws -> Served {
        for _ in 0..<40 {
            if let served = try? await Served(DogApp(), port: port, key: key) { return served }
            try await Task.sleep(for: .milliseconds(250))
        }
        return try await Served(DogApp(), port: port, key: key)
    }

    @Test func aProgramThatWasStartedAgainIsNoticed() async throws {
        let key = ServerKey()
        let first = try await Served(DogApp(), key: key)
        let tab = try await Self.browser.get().open(first.address)
        try await tab.wait(forText: "Rex")
        try await connected(tab)
        await first.server.stop()
        try await tab.wait(forText: "The program has ended.")
        let second = try await Self.restarted(at: first.port, key)
        try await tab.wait(forText: "The program was started again")
        try await tab.click("#notice button", "Reload")
        try await tab.wait(for: "document.getElementById('notice').hidden && document.querySelector('[data-id]')")
        try await tab.wait(forText: "Rex")
        // The page is drawn before its socket is open, and a server that stops refuses a new one in other words.
        try await connected(tab)
        await second.server.stop()
        // With another key, reloading doesn't help, and the page shows instructions.
        try await tab.wait(forText: "The program has ended.")
        let third = try await Self.restarted(at: first.port, ServerKey())
        try await tab.wait(forText: "Open the address that it has printed")
        try await tab.close()
        await third.server.stop()
    }

    @Test func twoTabsFollowEachOther() async throws {
        try await show { tab, served in
            let other = try await Self.browser.get().open("http://127.0.0.1:\(served.port)/")
            try await other.wait(forText: "Rex")
            try await connected(other)
            try await other.click("a", "Ada")
            try await other.wait(for: "document.title === 'Ada'")
            try await tab.click("button", "add")
            try await tab.wait(for: "document.activeElement.placeholder === 'Name of the dog'")
            try await tab.type("Fido")
            try await tab.click("dialog button", "Save")
            try await tab.wait(forText: "Fido")
            try await other.click("input[placeholder=Name]")
            try await other.type("line")
            try await tab.wait(forText: "Adaline")
            try await other.click("nav button", "Kennel")
            try await other.wait(forText: "Fido")
            try await other.close()
        }
    }

    @Test func aLongListScrolls() async throws {
        try await show("/scene/rows") { tab, _ in
            try await tab.wait(forText: "Row 199")
            let first = try await tab.value("document.querySelectorAll('li').length")
            #expect(first == JSONValue(200))
            try await tab.value("document.querySelector('li').dataset.mark = 'kept'")
            var count = 0.0
            while count < 1000 {
                try await tab.value("document.querySelector('li:last-child').scrollIntoView()")
                try await tab.wait(for: "document.querySelectorAll('li').length > \(count)")
                count = try await tab.value("document.querySelectorAll('li').length").double ?? 0
            }
            try await tab.wait(forText: "Row 999")
            let mark = try await tab.value("document.querySelector('li').dataset.mark")
            #expect(mark == .text("kept"))
        }
    }

    @Test func anotherPageGetsNothing() async throws {
        try await show(isForeign: true) { tab, served in
            // Another port of this machine is another origin, but the browser sends it the cookie nevertheless.
            let foreign = try await Served(DogApp())
            try await tab.go(to: foreign.address)
            try await connected(tab)
            for name in ["127.0.0.1", "localhost"] {
                let result = try await tab.value(
                    "new Promise(done => { const s = new WebSocket('ws://\(name):\(served.port)/socket');"
                        + " s.onopen = () => done('open'); s.onerror = () => done('refused') })")
                #expect(result == .text("refused"))
            }
            // The page's own policy forbids the request. Without it, the response couldn't be read.
            let answer = try await tab.value(
                "fetch('http://127.0.0.1:\(served.port)/').then(a => a.text(), () => 'refused')")
            #expect(answer == .text("refused"))
            await foreign.server.stop()
            // A host name that resolves to this machine but isn't ours.
            let client = try await outside {
                try RawClient(port: served.port).request(
                    "/", ["Host": "evil.example:\(served.port)", "Cookie": served.cookie]
                ).status
            }
            #expect(client == 403)
        }
    }

    @Test func textsOfAUserAreEscaped() async throws {
        let evil = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>"
        try await show { tab, _ in
            try await tab.click("button", "add")
            try await tab.wait(for: "document.activeElement.placeholder === 'Name of the dog'")
            try await tab.order("Input.insertText", ["text": .text(evil)])
            try await tab.click("dialog button", "Save")
            try await tab.wait(forText: evil)
            let first = try await tab.value("window.pwned === undefined && !document.querySelector('main img')")
            #expect(first == .bool(true))
            // The page has it before the script runs, too.
            try await tab.order("Page.reload")
            try await tab.wait(forText: evil)
            try await connected(tab)
            let second = try await tab.value("window.pwned === undefined && !document.querySelector('main img')")
            #expect(second == .bool(true))
        }
    }

    @Test func everyControlHasARoleAndAName() async throws {
        try await show { tab, served in
            let controls: Set = [
                "button", "link", "textbox", "searchbox", "switch", "checkbox", "combobox", "slider", "spinbutton",
                "menuitem", "tab", "radio", "dialog", "alertdialog", "image", "progressbar", "heading", "Date",
                "InputTime", "DateTime", "ColorWell", "radiogroup", "ProgressIndicator", "progressIndicator",
            ]
            func check(_ wanted: [(String, String)]) async throws {
                let all = try await tab.accessible()
                for (role, name) in all where controls.contains(role) {
                    #expect(!name.isEmpty, "\(role) without a name")
                }
                for (role, name) in wanted {
                    #expect(
                        all.contains { $0.role == role && (name.isEmpty || $0.name.contains(name)) },
                        "\(role) \(name) in \(all)")
                }
            }
            try await check([
                ("heading", "Kennel"), ("button", "add"), ("link", "Rex"), ("searchbox", "Search"), ("list", ""),
                ("listitem", ""), ("heading", "Dogs"), ("button", "Delete"), ("button", "Move up"), ("navigation", ""),
                ("search", ""), ("main", ""),
            ])
            try await tab.click("a", "Rex")
            try await tab.wait(for: "document.title === 'Rex'")
            try await check([
                ("heading", "Rex"), ("textbox", "Name"), ("textbox", "Weight"), ("switch", "Favourite"),
                ("combobox", "Toy"),
                ("button", "Kennel"),
            ])
            try await tab.click("nav button", "Kennel")
            try await tab.click("button", "add")
            try await tab.wait(for: "document.querySelector('dialog[open]')")
            try await check([
                ("dialog", "New dog"), ("textbox", "Name of the dog"), ("button", "Save"), ("button", "Close"),
            ])
            try await tab.press("Escape")
            try await tab.wait(for: "!document.querySelector('dialog')")
            try await tab.click("button", "Send all home")
            try await tab.wait(for: "document.querySelector('dialog[open]')")
            try await check([("alertdialog", "All?"), ("button", "Send"), ("button", "Cancel")])
            try await tab.click("dialog button", "Cancel")
            try await tab.go(to: "http://127.0.0.1:\(served.port)/scene/fields")
            try await connected(tab)
            try await check([
                ("textbox", "Secret"), ("slider", "Size"), ("button", "Do"), ("image", "never heard of"),
            ])
            try await tab.go(to: "http://127.0.0.1:\(served.port)/scene/controls")
            try await connected(tab)
            try await check([
                ("heading", "Controls"), ("group", "Count"), ("button", "Increment"), ("button", "Decrement"),
                ("Date", "Born"), ("InputTime", "Fed"), ("DateTime", "Seen"), ("ColorWell", "Colour"),
                ("radiogroup", "Size"), ("radio", "small"), ("progressbar", "Loading"), ("textbox", "Notes"),
                ("button", "More"), ("switch", "star"), ("button", "delete"), ("textbox", "Nickname"),
                ("button", "Bark"), ("button", "Do"), ("button", "Reload"),
            ])
        }
    }
}
