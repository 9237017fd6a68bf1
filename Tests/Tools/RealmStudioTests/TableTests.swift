// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages
import PageTestSupport
import RealmStorage
import RealmTestSupport
import Testing

/// The table in interactive use: open editors, columns, and back navigation.
@Suite(.serialized, .enabled(if: StudioScene.hasBrowser, "Chromium is absent: apt-get install chromium"))
struct TableTests {
    private func cell(_ row: Int, _ column: Int) -> String { StudioScene.cell(row, column) }

    private func edit(column: Int, _ tab: Tab, name: String = "Rex") async throws {
        try await tab.wait(for: "\(cell(0, 2)) === '\(name)'")
        try await tab.value("document.querySelector('.grid').focus()")
        try await tab.press("ArrowUp")
        try await tab.value(StudioScene.key("Home"))
        for _ in 0..<column { try await tab.value(StudioScene.key("ArrowRight")) }
        try await tab.press("Enter")
        try await tab.wait(for: "document.activeElement.matches('.cell-editor')")
    }

    @Test func commitsOfAnotherProgramLeaveAnEditorUnchanged() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog") { tab, _ in
            try await edit(column: 2, tab)
            try await tab.type("Max")
            try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"age\": 17}").finish()
            try await tab.wait(for: "\(cell(0, 3)) === '17'")
            #expect(try await tab.value("document.activeElement.value") == .text("Max"))
            try await tab.press("Enter")
            try await tab.wait(for: "\(cell(0, 2)) === 'Max'")
            #expect(try kennel.dog("name") == .string("Max"))
            #expect(try kennel.dog("age") == .int(17))
        }
    }

    /// A click elsewhere keeps the typed text, as in spreadsheets. An invalid value is reported.
    @Test func aClickElsewhereEndsAnEdit() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, write: true, place: "#data/Dog") { tab, _ in
            try await edit(column: 2, tab)
            try await tab.type("Max")
            try await tab.click("#query")
            try await tab.wait(for: "\(cell(0, 2)) === 'Max' && document.activeElement.id === 'query'")
            #expect(try kennel.dog("name") == .string("Max"))
            try await edit(column: 3, tab, name: "Max")
            try await tab.type("many")
            try await tab.press("Enter")
            try await tab.wait(for: "document.querySelector('#status.error')?.innerText.includes('digits only')")
            #expect(try await tab.value("document.activeElement.value") == .text("many"))
            try await tab.press("Escape")
            try await tab.wait(for: "\(cell(0, 3)) === '1' && document.activeElement.matches('.grid')")
        }
    }

    /// A mistyped address shows something, without an error in the page.
    @Test(arguments: ["#data/%zz", "#%", "#data/Dog/%", "#data/Dog?sort=x&linked={", "#data/Dog?sort=5&linked=null"])
    func aMalformedAddressShowsAPage(_ place: String) async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: place) { tab, _ in
            try await tab.wait(for: "document.querySelector('#classes a')")
            try await tab.value("location.hash = '#data/Dog'")
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
        }
    }

    @Test func keysSortAndChooseAll() async throws {
        let kennel = try Kennel(measurements: 2000)
        try await StudioScene.show(kennel.path, place: "#data/Measurement") { tab, _ in
            try await tab.wait(for: "\(cell(0, 1)) === '0'")
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.value(StudioScene.key("ArrowRight"))
            for _ in 0..<2 { try await tab.press("s") }
            try await tab.wait(for: "\(cell(0, 1)) === '1999' && \(StudioScene.cell(1, 1)) === '1998'")
            try await tab.value(StudioScene.key("a", "ctrlKey: true"))
            try await tab.wait(for: "document.querySelectorAll('.grid-row:not(.picked)').length === 0")
        }
    }

    @Test func classesAreChosenByKeys() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            try await tab.tab(until: "e.matches('#classes a') && name.includes('Person')")
            try await tab.press("Enter")
            try await tab.wait(for: "\(cell(1, 1)) === 'Bob'")
            #expect(try await tab.value("document.activeElement.innerText.includes('Person')") == .bool(true))
        }
    }

    /// Screen readers get the cell at the cursor as accessible name.
    @Test func theCellOfTheCursorIsNamed() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.press("ArrowDown")
            try await tab.value(StudioScene.key("ArrowRight"))
            try await tab.value(StudioScene.key("ArrowRight"))
            let active =
                "document.getElementById(document.querySelector('.grid').getAttribute('aria-activedescendant'))"
            try await tab.wait(for: "\(active)?.textContent === 'Ada' && \(active).parentElement.ariaRowIndex === '3'")
        }
    }

    @Test func backLeadsToWhereTheTableWas() async throws {
        let kennel = try Kennel(measurements: 20_000)
        try await StudioScene.show(kennel.path, place: "#data/Measurement") { tab, _ in
            try await tab.wait(for: "\(cell(0, 1)) === '0'")
            try await tab.value(
                "document.querySelector('.grid').scrollTop"
                    + " = 9000 * document.querySelector('.grid-row').getBoundingClientRect().height")
            try await tab.wait(for: "\(cell(9000, 1)) === '9000'")
            try await tab.click("#classes a", "Dog")
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            try await tab.click("#back")
            try await tab.wait(for: "\(cell(9000, 1)) === '9000'")
            try await tab.click("#views a", "Schema")
            try await tab.wait(for: "document.querySelector('.page svg')")
            try await tab.click("#views a", "Data")
            try await tab.wait(for: "location.hash === '#data/Measurement' && document.querySelector('.grid-row')")
        }
    }

    @Test func columnsAreMadeWider() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog") { tab, _ in
            try await tab.wait(for: "\(cell(0, 2)) === 'Rex'")
            let edge = "document.querySelectorAll('.grid-head .edge')[1].getBoundingClientRect()"
            let (x, y) = (
                try await StudioScene.number("\(edge).left + 3", tab),
                try await StudioScene.number("\(edge).top + 9", tab)
            )
            let width = "document.querySelector('.grid-row').children[2].getBoundingClientRect().width"
            let before = try await StudioScene.number(width, tab)
            try await tab.drag(from: (x, y), to: (x + 100, y))
            #expect(abs(try await StudioScene.number(width, tab) - before - 100) < 2)
            // The drag isn't a click on the header, which would sort.
            #expect(try await tab.value("location.hash") == .text("#data/Dog"))
            try await tab.value("document.querySelector('.grid').focus()")
            for _ in 0..<2 { try await tab.value(StudioScene.key("ArrowRight")) }
            try await tab.value(StudioScene.key("+"))
            #expect(try await StudioScene.number(width, tab) > before + 101)
            try await tab.value(
                "document.querySelectorAll('.grid-head .edge')[1].dispatchEvent(new MouseEvent('dblclick'))")
            #expect(try await StudioScene.number(width, tab) < before)
            // The row has the width of all columns, like the header.
            let ends =
                "['.grid-head', '.grid-row'].map(s => document.querySelector(s).lastChild.getBoundingClientRect().right)"
            #expect(try await tab.value("(([a, b]) => a === b)(\(ends))") == .bool(true))
        }
    }

    @Test func linkedObjectsAreExportedAndGrouped() async throws {
        let kennel = try Kennel()
        try await StudioScene.show(kennel.path, place: "#data/Dog/0") { tab, _ in
            try await tab.click("[data-property=friends] button.link", "show in the table")
            try await tab.wait(for: "\(cell(1, 2)) === 'Fido' && !\(cell(2, 2))")
            let csv = try await tab.value("fetch(document.querySelector('#bar a[href*=csv]').href).then(r => r.text())")
            #expect(csv.text?.split(separator: "\n").count == 3)
            try await tab.click("button", "Group")
            try await tab.wait(for: "document.querySelector('#answer').innerText.includes('2 groups')")
        }
    }

    /// A file without classes shows a note, and then the first class that another program creates.
    @Test func aClassThatIsMadeLaterAppears() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/new.realm"
        try Database.open(path).write { _ in }
        try await StudioScene.show(path) { tab, _ in
            try await tab.wait(forText: "the file has no classes")
            try Database.open(path).write { write in
                let table = try write.schema.addTable("class_Cat")
                let name = try write.schema.addColumn("name", .string, to: table)
                _ = try write.createObject(in: table, [name: .string("Tom")])
            }
            try await tab.wait(for: "\(cell(0, 1)) === 'Tom'")
        }
    }
}
