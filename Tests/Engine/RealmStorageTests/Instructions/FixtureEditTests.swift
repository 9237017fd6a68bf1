// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

/// Random instructions on every file of the reference, over its own schema. Both checkers find it clean.
/// RealmCryptoTests has the encrypted ones.
@Suite struct FixtureEditTests {
    static let names = Fixtures.names(in: "v24").filter { !$0.hasPrefix("encrypted-") }

    @Test(arguments: names) func survivesRandomEdits(_ name: String) throws { try FixtureEdit(name).run() }
}
