// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

/// Every file of the reference survives random instructions over the schema it has: after each commit both checkers
/// find it clean. The encrypted ones are in RealmCryptoTests.
@Suite struct FixtureEditTests {
    static let names = Fixtures.names(in: "v24").filter { !$0.hasPrefix("encrypted-") }

    @Test(arguments: names) func survivesRandomEdits(_ name: String) throws { try FixtureEdit(name).run() }
}
