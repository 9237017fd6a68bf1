// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageMessages
import PageTestSupport
import RealmStorage
import RealmStudio
import RealmTestSupport
import RealmTools
import Testing

/// `realm studio` in a real browser.
@Suite(.serialized, .enabled(if: StudioScene.hasBrowser, "Chromium is absent: apt-get install chromium"))
struct PageTests {
    private func cell(_ row: Int, _ column: Int) -> String { StudioScene.cell(row, column) }

    // MARK: Data

    @Test func classesAndAllTypesAreShown() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex' && \(cell(2, 2)) === 'Fido'")
            try await tab.wait(forText: "read-only")
            try await tab.wait(for: "\(cell(0, 13)) === '→ Ann'")
            try await tab.wait(for: "\(cell(0, 14)).startsWith('2  [2 · Ada')")
            #expect(try await tab.value("document.querySelectorAll('#classes a').length") == JSONValue(3))
        }
    }

    @Test func linksAreFollowedAndBack() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog/0") { tab, _ in
            try await tab.click("#object button.link", "Person Ann")
            try await tab.wait(for: "location.hash.startsWith('#data/Person/')")
            try await tab.wait(for: "document.querySelector('#object .incoming')?.innerText.includes('Dog.owner')")
            try await tab.click("#object .incoming button.link", "Ada")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText.includes('Ada')")
            try await tab.click("#back")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText.includes('Ann')")
            try await tab.click("#forward")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText.includes('Ada')")
        }
    }

    @Test func allRowsAreChosenByKeys() async throws {
        let kennel = try Kennel(measurements: 3000)
        try await StudioScene.show(kennel.path, write: true, place: "#data/Measurement") { tab, _ in
            try await tab.wait(for: "\(cell(0, 1)) === '0'")
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.value(StudioScene.key("End", "ctrlKey: true, shiftKey: true"))
            try await tab.press("Delete")
            try await tab.wait(forText: "Delete 3,000 objects?")
            try await tab.click("dialog button", "Delete")
            try await tab.wait(for: "document.querySelector('#status').innerText.includes('deleted 3,000')")
            try await tab.wait(for: "!document.querySelector('.grid-row')")
            try await tab.click("#undo")
            try await tab.wait(for: "\(cell(0, 1)) === '0'")
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    @Test func sortingAndFilteringAreTheEngines() async throws {
        let kennel = try Kennel(measurements: 5000)
        try await StudioScene.show(kennel.path, place: "#data/Measurement") { tab, _ in
            try await tab.click(".grid-head button", "number")
            try await tab.click(".grid-head button", "number")
            try await tab.wait(for: "\(cell(0, 1)) === '4999'")
            try await tab.click("#query")
            try await tab.type("number < 10 AND place != nil")
            try await tab.press("Enter")
            try await tab.wait(for: "\(cell(0, 1)) === '9' && !\(cell(10, 1))")
            try await tab.value("document.querySelector('#query').value = 'number << 10'")
            try await tab.click("button", "Find")
            try await tab.wait(for: "document.querySelector('#query-error').innerText.includes('^')")
        }
    }

    /// The chosen objects, by keys, as other programs read them.
    @Test func chosenObjectsAreCopiedAsJSON() async throws {
        let kennel = try Kennel()
        let permissions: JSONValue = .list([.text("clipboardReadWrite"), .text("clipboardSanitizedWrite")])
        try await StudioScene.browser.get().order("Browser.grantPermissions", ["permissions": permissions])
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            // The status of the table appears a frame after it, and would replace the status of the copy.
            try await tab.wait(forText: "shown after")
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.press("ArrowDown", shift: true)
            try await tab.value(StudioScene.key("c", "ctrlKey: true"))
            try await tab.wait(forText: "copied")
            let names = "navigator.clipboard.readText().then(t => JSON.parse(t).map(d => d.name + d.age).join(' '))"
            #expect(try await tab.value(names) == .text("Rex1 Ada4"))
            try await tab.value("location.hash = '#data/Dog/2'")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText.includes('Fido')")
            try await tab.value("document.querySelector('#status').textContent = ''")
            // Apple's keyboards use another key.
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.value(StudioScene.key("c", "metaKey: true"))
            try await tab.wait(forText: "copied")
            try await tab.value("document.querySelector('#status').textContent = ''")
            try await tab.click("#object button", "Copy as JSON")
            try await tab.wait(forText: "copied")
            #expect(
                try await tab.value("navigator.clipboard.readText().then(t => JSON.parse(t).name)") == .text("Fido"))
        }
    }

    @Test func changesByOthersAppear() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            // The mark is removed after some seconds.
            let mark = "document.querySelector('.grid-row > .changed')?.textContent === 'Rexford'"
            try await tab.value(
                "window.wasMarked = false; new MutationObserver(() => { wasMarked ||= \(mark) }).observe("
                    + "document.querySelector('.grid'), { subtree: true, childList: true, attributes: true }); 0")
            let change = try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"name\": \"Rexford\"}")
            try await tab.wait(for: "\(cell(0, 2)) === 'Rexford'")
            try await tab.wait(for: "wasMarked")
            try change.finish()
            let creation = try OtherProgram(kennel.path, "CREATE Dog {\"id\": 9, \"name\": \"New\", \"age\": 1}")
            try await tab.wait(for: "\(cell(3, 2)) === 'New'")
            try creation.finish()
            try await tab.value("location.hash = '#changes'")
            try await tab.wait(forText: "name: \"Rex\" → \"Rexford\"")
        }
    }

    // MARK: Queries

    @Test func propertiesAndOperatorsAreCompleted() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            try await tab.click("#query")
            try await tab.type("owner.na")
            try await tab.wait(for: "document.querySelector('#completion:not([hidden])')?.innerText.includes('name')")
            try await tab.press("Tab")
            try await tab.type("BEG")
            try await tab.wait(for: "document.querySelector('#completion').innerText.includes('BEGINSWITH')")
            try await tab.press("Tab")
            try await tab.type("'A'")
            try await tab.press("Enter")
            try await tab.wait(for: "\(cell(1, 2)) === 'Ada' && !\(cell(2, 2))")
            try await tab.click("button", "Plan")
            try await tab.wait(for: "/actual 2/.test(document.querySelector('#answer').innerText)")
            try await tab.click("button", "Save query")
            try await tab.wait(
                for: "[...document.querySelectorAll('#bar option')].some(o => o.value.includes('BEGINS'))")
            try await tab.click("button", "Group")
            try await tab.wait(for: "document.querySelector('#answer').innerText.includes('2 groups')")
            let csv = try await tab.value("fetch(document.querySelector('#bar a[href*=csv]').href).then(r => r.text())")
            #expect(csv.text?.split(separator: "\n").count == 3)
        }
    }

    // MARK: Edits

    @Test func everyTypeIsEditedAndTakenBack() async throws {
        let kennel = try Kennel()
        let values = [
            ("name", "Zoë"), ("age", "9007199254740993"), ("weight", "2.5"), ("score", "0.5"), ("good", "true"),
            ("born", "2020-02-29T12:00:00Z"), ("photo", "00ff"), ("price", "1.50"),
            ("tag", "aaaaaaaa-1111-4222-8333-444455556666"), ("chip", "0123456789abcdef01234567"),
            ("toys", "ball"), ("marks", "7"), ("home", "12"),
        ]
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            for (property, text) in values {
                try await StudioScene.set(property, text, tab)
                try await tab.wait(
                    for: "document.querySelector('[data-property=\(property)]').innerText.includes(\(Tab.quoted(text)))"
                )
            }
            #expect(try kennel.dog("age") == .int(9_007_199_254_740_993))
            #expect(try kennel.dog("photo") == .binary([0, 255]))
            try await tab.click("[data-property=age] button", "Edit")
            try await tab.value("document.querySelector('[data-property=age] input').value = '1.5'")
            try await tab.click("[data-property=age] form button.main")
            try await tab.wait(
                for: "document.querySelector('[data-property=age] form').innerText.includes('digits only')")
            try await tab.click("[data-property=age] form button", "Cancel")
            for _ in values { try await undo("#undo", tab) }
            try await tab.wait(for: "document.querySelector('[data-property=name]').innerText.includes('Rex')")
            #expect(try kennel.dog("age") == .int(1))
            #expect(try kennel.dog("born") == .null)
            for _ in values { try await undo("#redo", tab) }
            try await tab.wait(for: "document.querySelector('[data-property=name]').innerText.includes('Zoë')")
            #expect(try kennel.dog("born") == .timestamp(Timestamp(seconds: 1_582_977_600, nanoseconds: 0)))
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    private func undo(_ button: String, _ tab: Tab) async throws {
        try await tab.value("document.getElementById('status').textContent = ''")
        try await tab.click(button)
        try await tab.wait(for: "/undid|did again/.test(document.getElementById('status').textContent)")
    }

    @Test func undoDoesNotOverwriteChangesByOthers() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/0") { tab, _ in
            try await StudioScene.set("age", "5", tab)
            try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"age\": 6}").finish()
            try await tab.wait(for: "\(cell(0, 3)) === '6'")
            try await tab.click("#undo")
            try await tab.wait(for: "document.querySelector('#status.error')?.innerText.includes('another program')")
            #expect(try kennel.dog("age") == .int(6))
        }
    }

    @Test func objectsAreMadeDuplicatedAndDeleted() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog/1") { tab, _ in
            try await tab.click("#object button", "Duplicate")
            try await tab.wait(for: "\(cell(3, 1)) === '4' && \(cell(3, 2)) === 'Ada'")
            try await tab.click("button", "New object")
            try await tab.wait(for: "document.querySelector('dialog input')")
            try await tab.type("77")
            try await tab.press("Enter")
            try await tab.wait(for: "\(cell(4, 1)) === '77'")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText === 'Dog 77'")
            try await tab.value("location.hash = '#data/Dog/1'")
            try await tab.wait(for: "document.querySelector('#object h2')?.innerText.includes('2 · Ada')")
            try await tab.click("#object button", "Delete")
            try await tab.click("dialog button", "Delete")
            try await tab.wait(for: "\(cell(1, 1)) === '3'")
            #expect(try kennel.dog("name", id: 2) == nil)
            try await tab.click("#undo")
            try await tab.wait(for: "\(cell(1, 2)) === 'Ada' && \(cell(0, 14)).startsWith('2  [2 · Ada')")
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    @Test func cellsAreEditedWhereTheyAreByKeys() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.press("ArrowDown")
            for _ in 0..<3 { try await tab.press("ArrowRight") }
            try await tab.press("Enter")
            try await tab.wait(for: "document.activeElement.matches('.cell-editor')")
            try await tab.type("42")
            try await tab.press("Enter")
            try await tab.wait(for: "\(cell(1, 3)) === '42'")
            #expect(try kennel.dog("age", id: 2) == .int(42))
        }
    }

    // MARK: Displayed information

    @Test func schemaBytesVersionsAndDistributionAreShown() async throws {
        let kennel = try Kennel(measurements: 2000)
        try await StudioScene.show(kennel.path, place: "#schema") { tab, _ in
            try await tab.wait(for: "document.querySelectorAll('svg g[role=link]').length === 4")
            // The labels don't overlap, so they are readable.
            let labels =
                "[...document.querySelectorAll('svg > text')].map(e => e.getBoundingClientRect())"
                + ".filter((a, i, all) => all.some((b, j) => i !== j && a.left < b.right - 1 && b.left < a.right - 1"
                + " && a.top < b.bottom - 4 && b.top < a.bottom - 4)).length"
            #expect(try await tab.value(labels) == JSONValue(0))
            try await tab.value("location.hash = '#bytes'")
            try await tab.wait(for: "document.querySelector('svg')?.getAttribute('aria-label').includes('Measurement')")
            // Free space isn't counted as used, and the status of the table has been cleared.
            let sizes = "document.querySelector('.page b').innerText.match(/[0-9.]+ kB/g).map(parseFloat)"
            #expect(try await tab.value("(s => s[1] < s[0])(\(sizes))") == .bool(true))
            #expect(try await tab.value("document.getElementById('status').textContent") == .text(""))
            try await tab.value("location.hash = '#versions'")
            try await tab.wait(forText: "realm studio")
            try await tab.value("location.hash = '#data/Measurement'")
            try await tab.click("button", "Distribution")
            try await tab.click("dialog button", "place")
            try await tab.wait(forText: "50 different values")
        }
    }

    @Test func theSchemaIsSavedAsSVG() async throws {
        let kennel = try Kennel()
        let folder = try TemporaryFolder()
        try await StudioScene.browser.get().order(
            "Browser.setDownloadBehavior", ["behavior": .text("allow"), "downloadPath": .text(folder.path)])
        try await StudioScene.show(kennel.path, place: "#schema") { tab, _ in
            try await tab.click("button", "Save SVG")
            let url = URL(fileURLWithPath: folder.path + "/schema.svg")
            var text = ""
            let end = ContinuousClock.now + .seconds(1200)
            while !text.hasSuffix("</svg>"), ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
                text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
            }
            // An image viewer needs a standalone document, with colours and without a style sheet.
            let document = "new DOMParser().parseFromString(\(Tab.quoted(text)), 'image/svg+xml')"
            #expect(try await tab.value("\(document).documentElement.nodeName") == .text("svg"))
            #expect(text.contains("friends") && text.contains("Person") && text.contains("fill=\""))
        }
    }

    /// At 200 % in a window of 1280 × 800, nothing is wider than the window, and there is room for rows.
    @Test func everythingFitsAt200Percent() async throws {
        let kennel = try Kennel(measurements: 200)
        try await StudioScene.show(kennel.path, write: true, place: "#data/Measurement") { tab, _ in
            try await tab.resize(width: 640, height: 400, scale: 2)
            try await tab.wait(for: "\(cell(0, 1)) === '0'")
            #expect(try await StudioScene.number("document.querySelector('.grid').clientHeight", tab) >= 120)
            for (place, sign) in [
                ("data/Measurement", ".grid-row"), ("data/Dog/0", "#object:not([hidden])"), ("schema", ".page svg"),
                ("bytes", ".page svg"), ("versions", ".page table"), ("changes", ".page p"),
            ] {
                try await tab.value("location.hash = '#\(place)'")
                let view = "document.querySelector('#views [aria-current]').dataset.view"
                try await tab.wait(for: "'\(place)'.startsWith(\(view)) && document.querySelector('\(sign)')")
                let widest =
                    "Math.max(...[...document.querySelectorAll('header *, #bar *, #object *, .page > *')]"
                    + ".filter(e => !e.closest('svg')).map(e => e.getBoundingClientRect().right))"
                #expect(try await StudioScene.number(widest, tab) <= 640, "\(place)")
                #expect(try await StudioScene.number("document.documentElement.scrollHeight", tab) <= 400, "\(place)")
                guard place.hasSuffix("/0") else { continue }
                let panel = "document.querySelector('#object').getBoundingClientRect().top"
                let header = "document.querySelector('header').getBoundingClientRect().bottom"
                #expect(try await tab.value("\(panel) >= \(header)") == .bool(true), "the panel covers the views")
            }
        }
    }

    // MARK: Server

    @Test func thePagePromptsForTheKeyOfAnEncryptedFile() async throws {
        let key = String(repeating: "0b", count: 64)
        let kennel = try Kennel(key: key)
        try await StudioScene.show(kennel.path) { tab, _ in
            try await tab.click("input[name=key]")
            try await tab.value(
                "document.querySelector('input[name=key]').value = '\(String(repeating: "0a", count: 64))'")
            try await tab.press("Enter")
            try await tab.wait(forText: "the encryption key is not the file's")
            try await tab.value("document.querySelector('input[name=key]').value = '\(key)'")
            try await tab.press("Enter")
            try await tab.click("#classes a", "Dog")
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
        }
    }

    /// The server rejects the change, not only the page.
    @Test func aFileThatIsOpenForReadingIsNotChanged() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog/0") { tab, _ in
            try await tab.wait(for: "!document.querySelector('#object').hidden")
            #expect(
                try await tab.value("[...document.querySelectorAll('button')].some(b => b.innerText === 'Edit')")
                    == .bool(false))
            let answer = try await tab.value(
                "import('/connection.js').then(c => c.request('delete', {table: 0, objects: [0]})).catch(e => e.message)"
            )
            #expect(answer.text?.contains("--write") == true)
        }
    }

    @Test func aPageOfAnotherOriginIsRefused() async throws {
        let kennel = try Kennel()
        let server = try await StudioServer.start(StudioOptions(path: kennel.path))
        let (port, key) = (server.port, server.address.components(separatedBy: "key=")[1])
        try await outside { () throws in
            let cookie = "regnum-\(port)=\(key)"
            #expect(try RawClient(port: port).request("/").status == 403)
            #expect(try RawClient(port: port).request("/", ["Cookie": cookie]).status == 200)
            #expect(try RawClient(port: port).request("/", ["Cookie": cookie, "Host": "evil.example"]).status == 403)
            let foreign = ["Cookie": cookie, "Origin": "http://evil.example"]
            #expect(try RawClient(port: port).upgrade(foreign).status != 101)
            #expect(try RawClient(port: port).upgrade(["Cookie": cookie]).status == 101)
            #expect(try RawClient(port: port).request("/export?table=0&format=csv").status == 403)
        }
        await server.stop()
    }

    /// The page prompts for the file, and shows why it can't open one.
    @Test func withoutAFileThePagePromptsForOne() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(nil) { tab, _ in
            try await tab.click("input[name=path]")
            try await tab.type(kennel.folder.path + "/none.realm")
            try await tab.press("Enter")
            try await tab.wait(for: "document.querySelector('[role=alert].error')?.innerText.includes('none.realm')")
            try await tab.wait(for: "document.querySelector('input[name=path]')?.value === ''")
            try await tab.value("document.querySelector('input[name=path]').value = \(Tab.quoted(kennel.path))")
            try await tab.value("document.querySelector('input[name=path]').focus()")
            try await tab.press("Enter")
            try await tab.click("#classes a", "Dog")
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
        }
    }

    @Test func aDamagedFileIsRefusedInThePage() async throws {
        let kennel = try Kennel()
        let url = URL(fileURLWithPath: kennel.path)
        var bytes = try Data(contentsOf: url)
        for index in 0..<16 { bytes[index] = index % 8 == 5 ? 0x10 : 0 }
        try bytes.write(to: url)
        try await StudioScene.show(kennel.path) { tab, _ in
            try await tab.wait(for: "document.querySelector('[role=alert].error')?.innerText.length > 10")
            #expect(try await tab.value("!document.querySelector('input[name=key]')") == .bool(true))
        }
    }
}
