// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import TestTraits
import Testing

#if !canImport(ObjectiveC)
    /// Programs for Linux declared such a function before RealmSwift did.
    private func autoreleasepool<T>(_ body: () throws -> T) rethrows -> (T, isOwn: Bool) { (try body(), true) }

    @Suite struct OwnAutoreleasepoolTests {
        @Test(.behaviour("A03")) func aProgramsOwnFunctionIsPreferred() { #expect(autoreleasepool { 1 }.isOwn) }
    }
#endif
