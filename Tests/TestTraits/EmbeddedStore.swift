// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

extension Trait where Self == ConditionTrait {
    /// A test of the files of a server's embedded store, which `Scripts/test-postgres` skips.
    package static var embeddedStore: Self { .enabled(if: isEmbedded, "only with the embedded store") }

    /// The variable is that of `TestDatabases`, which starts the servers.
    private static var isEmbedded: Bool { ProcessInfo.processInfo.environment["REGNUM_TEST_STORE"] != "postgres" }
}
