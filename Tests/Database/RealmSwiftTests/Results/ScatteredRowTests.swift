// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSwift

private final class Stop: TestObject {
    @Persisted var number: Int
    @Persisted var place: Int
    @Persisted var text: String
    @Persisted var next: Stop?
    @Persisted(originProperty: "next") var previous: LinkingObjects<Stop>
}

private final class OtherStop: TestObject {
    @Persisted var number: Int
    @Persisted var place: Int
}

/// Walks through rows in another order than the table's, compared with plain arrays.
struct ScatteredRowTests {
    /// Enough objects to fill ten leaves, in another order than the table's.
    private static let count = 2600

    private static func place(of number: Int) -> Int { number * 1009 % count }

    private static func target(of number: Int) -> Int? { number % 7 == 0 ? nil : number * 577 % count }

    private func withStops(_ body: (Realm) throws -> Void) throws {
        try withRealm([Stop.self, OtherStop.self], tracksReads: false) { realm in
            try realm.write {
                let stops = (0..<Self.count).map { number in
                    realm.create(OtherStop.self, value: ["number": -number, "place": Self.place(of: number)])
                    return realm.create(
                        Stop.self,
                        value: ["number": number, "place": Self.place(of: number), "text": "stop \(number)"])
                }
                for (number, stop) in stops.enumerated() { stop.next = Self.target(of: number).map { stops[$0] } }
            }
            try body(realm)
        }
    }

    private static let numbersByPlace = (0..<count).sorted { place(of: $0) < place(of: $1) }

    @Test func rowsHaveTheRequestedOrder() throws {
        try withStops { realm in
            func verify(_ realm: Realm) {
                let stops = realm.objects(Stop.self).sorted(byKeyPath: "place")
                #expect(stops.map(\.number) == Self.numbersByPlace)
                #expect(Array(stops).map(\.text) == Self.numbersByPlace.map { "stop \($0)" })
                let few = stops.where { $0.place < 5 || $0.place == 1000 }
                #expect(few.map(\.number) == Self.numbersByPlace[..<5] + [Self.numbersByPlace[1000]])
            }
            verify(realm)
            verify(realm.freeze())
            try realm.write { verify(realm) }
        }
    }

    @Test func walksThroughTwoClassesAreIndependent() throws {
        try withStops { realm in
            let others = realm.objects(OtherStop.self).sorted(byKeyPath: "place")
            for (stop, other) in zip(realm.objects(Stop.self).sorted(byKeyPath: "place"), others) {
                #expect(stop.number == -other.number)
            }
        }
    }

    @Test func linksReadInTurnLeadToTheirTargets() throws {
        try withStops { realm in
            for stop in realm.objects(Stop.self) { #expect(stop.next?.number == Self.target(of: stop.number)) }
            for stop in realm.objects(Stop.self).sorted(byKeyPath: "place") where stop.number % 3 > 0 {
                #expect(stop.next?.text == Self.target(of: stop.number).map { "stop \($0)" })
            }
            var sources = [Int: [Int]]()
            for number in 0..<Self.count { Self.target(of: number).map { sources[$0, default: []].append(number) } }
            for stop in realm.objects(Stop.self) {
                #expect(stop.previous.map(\.number).sorted() == sources[stop.number, default: []])
            }
        }
    }

    /// A row located ahead may have been deleted or moved by the time the walk reaches it.
    @Test(arguments: [false, true]) func changesDuringAWalkAreSeen(inOneWrite: Bool) throws {
        var random = SeededGenerator(seed: 0xA4EAD)
        try withStops { realm in
            var texts = [Int: String](uniqueKeysWithValues: (0..<Self.count).map { ($0, "stop \($0)") })
            let all = Array(realm.objects(Stop.self))
            func change() {
                let stop = all[Int.random(in: 0..<all.count, using: &random)]
                guard !stop.isInvalidated else { return }
                if Bool.random(using: &random) {
                    texts[stop.number] = nil
                    realm.delete(stop)
                } else {
                    texts[stop.number]? += "!"
                    stop.text += "!"
                }
            }
            func walk() throws {
                for (step, stop) in realm.objects(Stop.self).sorted(byKeyPath: "place").enumerated() {
                    let number = Self.numbersByPlace[step]
                    #expect(stop.isInvalidated == (texts[number] == nil))
                    #expect(stop.text == texts[number, default: ""])
                    guard step % 5 == 0 else { continue }
                    if inOneWrite { change() } else { try realm.write { change() } }
                }
            }
            if inOneWrite { try realm.write { try walk() } } else { try walk() }
            #expect(texts.count < Self.count)
            for stop in realm.objects(Stop.self) {
                let target = Self.target(of: stop.number).flatMap { texts[$0] }
                #expect(stop.next?.text == target)
            }
        }
    }
}
