// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages
import PageTestSupport
import Testing

/// Scrolling in a table taller than the maximum height of an element: by keys, the wheel, a finger, and the bar.
@Suite(.serialized, .enabled(if: StudioScene.hasBrowser, "Chromium is absent: apt-get install chromium"))
struct ScrollTests {
    @Test func aLongClassScrollsToItsEnd() async throws {
        let kennel = try Kennel(measurements: 30_000)
        try await StudioScene.show(kennel.path, place: "#data/Measurement") { tab, _ in
            try await tab.wait(for: "\(StudioScene.cell(0, 1)) === '0'")
            try await tab.value("document.querySelector('.grid').focus()")
            try await tab.value(StudioScene.key("End", "ctrlKey: true"))
            try await tab.wait(for: "\(StudioScene.cell(29_999, 1)) === '29999'")
            try await tab.value("document.querySelector('.grid').scrollTop = 0")
            try await tab.wait(for: "\(StudioScene.cell(0, 1)) === '0'")
        }
    }

    @Test func theWheelMovesByRowsToTheEnd() async throws {
        try await showLong(width: 1400, height: 1400) { tab, count in
            let height = try await StudioScene.number(
                "document.querySelector('.grid-row').getBoundingClientRect().height", tab)
            #expect(
                Double(count) * height > 3
                    * (try await StudioScene.number("document.querySelector('.grid').scrollHeight", tab)))
            for turn in 1...3 {
                try await tab.turnWheel(10 * height + 1, over: ".grid")
                try await tab.wait(for: "\(shown(row: "0")) === \(10 * turn)")
            }
            let top = "document.querySelector('.grid-row').getBoundingClientRect().top"
            let before = try await StudioScene.number(top, tab)
            try await tab.turnWheel(0, sideways: 90, over: ".grid")
            try await tab.wait(for: "document.querySelector('.grid').scrollLeft === 90")
            #expect(try await StudioScene.number(top, tab) == before)
            try await tab.turnWheel(5 * height, sideways: -40, over: ".grid")
            try await tab.wait(for: "\(shown(row: "0")) === 35 && document.querySelector('.grid').scrollLeft === 50")
            // The wheel alone reaches the end, through correct rows.
            var pixels = 35 * height
            while pixels < Double(count) * height {
                try await tab.turnWheel(9000 * height, over: ".grid")
                pixels += 9000 * height
                let row = min(count - 1, Int(pixels / height))
                try await tab.wait(for: "\(StudioScene.cell(row, 1)) === '\(row)'")
            }
            try await tab.wait(for: "\(shown(row: "-1")) === \(count - 1)")
            let ends =
                "[\(StudioScene.rows).at(-1), document.querySelector('.grid')]"
                + ".map(e => e.getBoundingClientRect().bottom)"
            #expect(try await tab.value("(([row, grid]) => Math.abs(row - grid) < 40)(\(ends))") == .bool(true))
            try await tab.turnWheel(-height, over: ".grid")
            try await tab.wait(for: "\(shown(row: "-1")) === \(count - 1)")
        }
    }

    /// A finger moves the rows by its distance, at the start, in the middle, and at the end. It reaches both ends.
    @Test func aFingerMovesByRowsToTheEnd() async throws {
        try await showLong { tab, count in
            let height = try await StudioScene.number("document.querySelector('.grid-row').offsetHeight", tab)
            for start in [0, count / 2, count - 40] {
                try await goTo(row: start, tab)
                let first = try await StudioScene.number(shown(row: "0"), tab)
                for turn in 1...4 {
                    try await tab.swipe(3 * height, over: ".grid")
                    let row = try await StudioScene.number(shown(row: "0"), tab)
                    #expect(abs(row - first - Double(3 * turn)) <= 1, "from row \(start), by \(row - first) rows")
                }
            }
            try await tab.swipe(50 * height, over: ".grid")
            try await tab.wait(for: "\(StudioScene.cell(count - 1, 1)) === '\(count - 1)'")
            #expect(try await tab.value(isAtEnd) == .bool(true))
            try await tab.value(StudioScene.key("Home", "ctrlKey: true"))
            try await tab.wait(for: "\(StudioScene.cell(0, 1)) === '0'")
            try await goTo(row: 40, tab)
            try await tab.swipe(-50 * height, over: ".grid")
            try await tab.wait(for: "\(StudioScene.cell(0, 1)) === '0' && \(shown(row: "0")) === 0")
        }
    }

    @Test func afterAFingerTheBarIsWhereTheRowsAre() async throws {
        try await showLong { tab, count in
            let height = try await StudioScene.number("document.querySelector('.grid-row').offsetHeight", tab)
            try await goTo(row: count / 4, tab)
            try await tab.swipe(100 * height, over: ".grid")
            let row = try await StudioScene.number(shown(row: "0"), tab)
            #expect(row > Double(count / 4 + 90))
            #expect(abs(try await StudioScene.number(barShare, tab) - row / Double(count)) < 0.005)
        }
    }

    @Test func theThumbLeadsToTheEndAndToTheMiddle() async throws {
        try await showLong { tab, count in
            let bar = try await StudioScene.number(
                "(g => g.offsetWidth - g.clientWidth)(document.querySelector('.grid'))", tab)
            try #require(bar > 5, "the browser shows no bar")
            for (share, row) in [(1.0, count - 1), (0.0, 0), (0.5, count / 2)] {
                try await dragThumb(to: share, tab)
                if row == 0 || row == count - 1 {
                    try await tab.wait(for: "\(StudioScene.cell(row, 1)) === '\(row)'")
                } else {
                    let first = try await StudioScene.number(shown(row: "0"), tab)
                    #expect(abs(first - Double(row)) < Double(count) / 50)
                    try await tab.wait(for: "\(StudioScene.cell(Int(first), 1)) === '\(Int(first))'")
                }
            }
        }
    }

    // MARK: Helpers

    /// An expression for the position of the scroll bar, from 0 to 1.
    private let barShare = "(g => g.scrollTop / (g.scrollHeight - g.clientHeight))(document.querySelector('.grid'))"

    private let isAtEnd =
        "(([row, grid]) => Math.abs(row - grid) < 40)("
        + "[\(StudioScene.rows).at(-1), document.querySelector('.grid')].map(e => e.getBoundingClientRect().bottom))"

    /// Shows so many rows that their height is four times the maximum height of an element.
    private func showLong(
        width: Double = 2600, height: Double = 1600, _ body: (Tab, Int) async throws -> Void
    ) async throws {
        let count = 300_000
        let kennel = try Kennel(measurements: count)
        try await StudioScene.show(kennel.path, place: "#data/Measurement") { tab, _ in
            try await tab.resize(width: width, height: height)
            // A large font, as some people need it.
            try await tab.value("document.documentElement.style.fontSize = '300%'")
            try await tab.wait(
                for: "document.querySelector('.grid-row')?.offsetHeight > 80 && \(StudioScene.cell(0, 1)) === '0'")
            try await body(tab, count)
        }
    }

    /// Scrolls with the wheel from the first drawn row.
    private func goTo(row: Int, _ tab: Tab) async throws {
        let height = try await StudioScene.number(
            "document.querySelector('.grid-row').getBoundingClientRect().height", tab)
        let first = try await StudioScene.number(shown(row: "0"), tab)
        try await tab.turnWheel((Double(row) - first) * height, over: ".grid")
        try await tab.wait(for: "\(StudioScene.cell(row, 1)) === '\(row)'")
    }

    /// Drags the thumb of the bar to a fraction of its range. Repeats it if the browser was too busy to register where
    /// the mouse was pressed.
    private func dragThumb(to share: Double, _ tab: Tab) async throws {
        let tolerance = share == 0 || share == 1 ? 0.0001 : 0.02
        for _ in 0..<20 {
            let now = try await StudioScene.number(barShare, tab)
            if abs(now - share) <= tolerance { return }
            try await dragThumb(from: now, to: share, tab)
        }
    }

    private func dragThumb(from now: Double, to share: Double, _ tab: Tab) async throws {
        let place = try await tab.value(
            "(g => { const b = g.getBoundingClientRect();"
                + " return [b.right - (g.offsetWidth - g.clientWidth) / 2, b.top, g.clientHeight] })"
                + "(document.querySelector('.grid'))")
        guard let items = place.items, case .number(let x) = items[0], case .number(let top) = items[1],
            case .number(let height) = items[2]
        else { throw RawError(description: "The table has no place.") }
        // The bar has an arrow at both ends, and its thumb has the minimum length.
        let (arrow, thumb) = (15.0, 18.0)
        let way = height - 2 * arrow - thumb
        let middle = { (share: Double) in top + arrow + thumb / 2 + way * share }
        try await tab.drag(from: (x, middle(now)), to: (x, middle(share) + (share == 1 ? 30 : share == 0 ? -30 : 0)))
    }

    /// The number of a drawn row by its position from the top or, if negative, from the bottom.
    private func shown(row place: String) -> String { "(+\(StudioScene.rows).at(\(place))?.ariaRowIndex - 2)" }
}
