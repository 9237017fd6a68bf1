// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Combine
import Foundation
import RealmSwift
import Testing

private final class CombineItem: Object {
    @Persisted var number = 0
}

/// An app's file that imports only Combine compiles unchanged (host §5.4).
@Suite struct CombineImportTests {
    @Test func importingCombineProvidesSubjectsSchedulersAndTheRealmsPublishers() throws {
        let numbers = CurrentValueSubject<Int, Never>(1)
        var seen: [Int] = []
        let sink = numbers.map { $0 * 2 }.sink { seen.append($0) }
        numbers.send(4)
        #expect(seen == [2, 8])

        let queue = DispatchQueue(label: "test.combine")
        let counts = CurrentValueSubject<[Int], Never>([])
        let (observed, token) = try queue.sync {
            let realm = try Realm(
                configuration: .init(inMemoryIdentifier: "combine", objectTypes: [CombineItem.self]), queue: queue)
            let cancellable = realm.objects(CombineItem.self).collectionPublisher
                .map(\.count).assertNoFailure().sink { counts.value.append($0) }
            return (realm, cancellable)
        }
        try queue.sync {
            try observed.write { observed.add(CombineItem()) }
            try observed.write {}
        }
        queue.sync { #expect(counts.value == [0, 1]) }
        withExtendedLifetime((sink, token)) {}
    }
}
