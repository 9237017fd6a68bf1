// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import Testing

@Suite struct TextTests {
    /// Swift considers "é" as one or two scalars equal. The protocol has two names.
    @Test func textsAreComparedByTheirBytes() {
        #expect("\u{e9}" == "e\u{301}")
        #expect(Text("\u{e9}") != Text("e\u{301}"))
        #expect(Text("name").hashValue == Text("name").hashValue)
    }
}
