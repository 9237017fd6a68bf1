// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

private final class SuiteItem: Object {
    @Persisted var number = 0
    @Persisted var numbers: List<Int>
}

/// Objects used on threads other than their Realm's by the original's suite, and thawed ones.
@Suite struct OtherThreadTests {
    private static func configuration(_ name: String) -> Realm.Configuration {
        .init(inMemoryIdentifier: name, objectTypes: [SuiteItem.self])
    }

    private static func onOtherThread<Result>(_ body: @escaping () -> Result) -> Result {
        nonisolated(unsafe) var result: Result?
        nonisolated(unsafe) let body = body
        let done = DispatchSemaphore(value: 0)
        Thread {
            result = body()
            done.signal()
        }.start()
        done.wait()
        return result!
    }

    @Test(.behaviour("S06")) func realmAndStateAreReadableOnAnyThread() throws {
        let realm = try Realm(configuration: Self.configuration("S06"))
        let (kept, deleted) = try realm.write { (realm.create(SuiteItem.self), realm.create(SuiteItem.self)) }
        try realm.write { realm.delete(deleted) }
        let answers = Self.onOtherThread {
            [
                kept.realm == realm, kept.numbers.realm == realm,
                kept.isFrozen, kept.isInvalidated, deleted.isInvalidated,
            ]
        }
        #expect(answers == [true, true, false, false, true])
    }

    @Test(.behaviour("S13")) func thawingDoesNotAdvanceTheLiveRealm() throws {
        let realm = try Realm(configuration: Self.configuration("S13"))
        realm.autorefresh = false
        try realm.write { for number in 1...2 { realm.create(SuiteItem.self, value: ["number": number]) } }
        let all = realm.objects(SuiteItem.self)
        #expect(all.count == 2)
        nonisolated(unsafe) let frozen = Self.onOtherThread { () -> Results<SuiteItem> in
            let other = try! Realm(configuration: Self.configuration("S13"))
            try! other.write { other.delete(other.objects(SuiteItem.self).last!) }
            return other.objects(SuiteItem.self).freeze()
        }
        #expect(frozen.count == 1)
        let thawed = try #require(frozen.thaw())
        #expect(thawed.realm == realm && thawed.count == 2 && all.count == 2)
        realm.refresh()
        #expect(thawed.count == 1 && all.count == 1)
    }
}
