// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// The contents of texts.
@MainActor @Suite struct TextTests {
    private func read(_ text: Text) throws -> String { try UIHost.pair(text).find(.role(.text)).name }

    @Test func keysHaveMarksAndStringsHaveNot() throws {
        let name = "**x**"
        let marked = try read(Text("a **bold** *word* `code` ~~gone~~ [link](https://a.example)"))
        #expect(marked == "a bold word code gone link")
        #expect(try read(Text(name)) == "**x**")
        #expect(try read(Text("Hello \(name)!")) == "Hello **x**!")
        #expect(try read(Text("2 * 3 * 4")) == "2 * 3 * 4")
        #expect(try read(Text("**open")) == "**open")
        #expect(try read(Text(verbatim: "[a](b)")) == "[a](b)")
    }

    @Test func valuesAreInterpolatedInKeys() throws {
        #expect(try read(Text("\(3) of \(4) is 100%")) == "3 of 4 is 100%")
        #expect(try read(Text("\(2.5, specifier: "%.2f") m")) == "2.50 m")
        #expect(try read(Text("\(1234, format: .number.grouping(.never))")) == "1234")
        #expect(try read(Text("a") + Text("b").bold() + Text("\(Text("c").italic())")) == "abc")
    }

    @Test func relativeDatesFollowTheClock() throws {
        let host = UIHost.pair(Text(Date().addingTimeInterval(90), style: .timer))
        #expect(try host.find(.role(.text)).name == "1:30")
        host.advance(by: .seconds(30))
        #expect(try host.find(.role(.text)).name == "1:00")
        host.advance(by: .seconds(7200))
        #expect(try host.find(.role(.text)).name == "1:59:00")
    }

    @Test func addressesOfTheFormatAreStrict() throws {
        let style = URL.FormatStyle.url
        #expect(try style.parseStrategy.parse("https://a.example/b").host == "a.example")
        #expect(throws: (any Error).self) { try style.parseStrategy.parse("a b") }
        #expect(throws: (any Error).self) { try style.parseStrategy.parse(":x") }
        #expect(throws: (any Error).self) { try style.parseStrategy.parse("/x") }
        #expect(throws: (any Error).self) { try style.parseStrategy.parse("") }
    }
}
