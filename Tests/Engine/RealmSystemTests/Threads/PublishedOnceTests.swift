// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmSystem
import Testing

/// Objects that are published once, alone and in an array.
struct PublishedOnceTests {
    private final class Thing: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test func theFirstOneStays() {
        let published = PublishedOnce<Thing>()
        #expect(published.value == nil)
        #expect(published.publish(Thing(1)).number == 1)
        #expect(published.publish(Thing(2)).number == 1)
        #expect(published.value?.number == 1)
    }

    @Test func everyThreadGetsTheSameOneInEachPlace() {
        let places = PublishedPlaces<Thing>(count: 100)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for place in 0..<100 {
                let published = places.publish(Thing(thread * 100 + place), at: place)
                #expect(published.number % 100 == place)
                #expect(places[place] === published)
            }
        }
        #expect((0..<100).allSatisfy { places[$0] != nil })
    }

    @Test func slotsReleaseTheirValues() {
        weak var held: Thing?
        do {
            let places = PublishedPlaces<Thing>(count: 3)
            held = places.publish(Thing(7), at: 1)
            #expect(places[0] == nil && places[1] === held && places[2] == nil)
            #expect(places.unretained(0) == nil)
            #expect(places.unretained(1)?._withUnsafeGuaranteedRef { $0.number } == 7)
        }
        #expect(held == nil)
    }
}
