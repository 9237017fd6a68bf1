// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import Testing

@Suite struct TextTests {
    /// "é" in one character and in two is one text to Swift, and two names to the other ends.
    @Test func textsAreTheirBytes() {
        #expect("\u{e9}" == "e\u{301}")
        #expect(Text("\u{e9}") != Text("e\u{301}"))
        #expect(Text("name").hashValue == Text("name").hashValue)
    }
}
