// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Imports nothing else, so Foundation must come from RealmSwift.
import RealmSwift
import TestTraits
import Testing

private final class Visit: Object {
    @Persisted var date = Date(timeIntervalSince1970: 5)
    @Persisted var identifier = UUID()
    @Persisted var data = Data([1])
}

/// Files that import nothing but RealmSwift.
@Suite struct OnlyRealmSwiftTests {
    @Test(.behaviour("A03")) func realmSwiftExportsFoundation() {
        let visit = Visit()
        #expect(visit.date.timeIntervalSince1970 == 5 && visit.data.count == 1)
        #expect(NSPredicate(format: "date > %@", visit.date) != NSPredicate(value: true))
    }

    @Test(.behaviour("A03")) func autoreleasepoolRunsItsBody() throws {
        let result = try autoreleasepool { try Realm(configuration: .init(inMemoryIdentifier: "A03")).isEmpty }
        #expect(result)
        #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
    }
}
