// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmSystem
import Testing

@testable import RealmSwift

private final class StepNote: TestObject {
    @Persisted var number: Int
}

private final class WritingNote: TestObject {
    @Persisted var number: Int

    static let work = Locked<(@Sendable () -> Void)?>(nil)

    required init() {
        super.init()
        guard let work = Self.work.withLock({ $0.take() }) else { return }
        work()
        Self.work.withLock { $0 = work }
    }
}

/// Steps between rows with one accessor, in all kinds of loops.
struct AccessorStepperTests {
    private func withNotes(_ count: Int, _ body: (Realm) throws -> Void) throws {
        try withRealm([StepNote.self], tracksReads: false) { realm in
            try realm.write { for number in 0..<count { realm.create(StepNote.self, value: ["number": number]) } }
            try body(realm)
        }
    }

    @Test(arguments: [0, 1, 2, 3, 255, 256, 257, 511, 513]) func everyRowOnce(count: Int) throws {
        for gap in [nil, 0, 1, 254, 255, 256, count - 1] where gap ?? 0 < max(count, 1) {
            try withNotes(count) { realm in
                let notes = realm.objects(StepNote.self)
                if let gap, count > 0 { try realm.write { realm.delete(notes.where { $0.number == gap }) } }
                let numbers = (0..<count).filter { $0 != gap }
                for interval in [1, 2, 3, 255, 1000] {
                    var (seen, kept): ([Int], [StepNote]) = ([], [])
                    for note in notes {
                        seen.append(note.number)
                        if seen.count % interval == 0 { kept.append(note) }
                    }
                    #expect(seen == numbers)
                    let expected = numbers.enumerated().filter { ($0.offset + 1) % interval == 0 }.map(\.element)
                    #expect(kept.map(\.number) == expected)
                }
            }
        }
    }

    @Test func twoObjectsOfOneIteratorAreTwo() throws {
        try withNotes(20) { realm in
            var iterator = realm.objects(StepNote.self).makeIterator()
            var (pairs, last): ([[Int]], StepNote?) = ([], nil)
            while let first = iterator.next(), let second = iterator.next() {
                pairs.append([first.number, second.number])
                #expect(first !== second && last !== first)
                last = second
            }
            #expect(pairs == (0..<10).map { [2 * $0, 2 * $0 + 1] })
            #expect(last?.number == 19)
        }
    }

    @Test func loopsInLoopsHaveObjectsOfTheirOwn() throws {
        try withNotes(30) { realm in
            let notes = realm.objects(StepNote.self)
            var sum = 0
            for outer in notes {
                for inner in notes { sum += inner.number * outer.number }
                #expect(outer.number == notes[outer.number].number)
            }
            #expect(sum == 435 * 435)
        }
    }

    /// A step uses the iteration's version, not that of the accessor's creation.
    @Test func anAccessorThatWritesWhenItIsMade() throws {
        try withRealm([WritingNote.self], tracksReads: false) { realm in
            try realm.write { for number in 0..<600 { realm.create(WritingNote.self, value: ["number": number]) } }
            let configuration = realm.configuration
            let deleted = Locked<Set<Int>>([])
            let delete: @Sendable () -> Void = {
                guard let realm = try? Realm(configuration: configuration) else { return }
                let notes = realm.objects(WritingNote.self)
                guard let number = notes.where({ $0.number >= 300 }).min(of: \.number) else { return }
                deleted.withLock { _ = $0.insert(number) }
                try? realm.write { realm.delete(notes.where { $0.number == number }) }
            }
            WritingNote.work.withLock { $0 = delete }
            defer { WritingNote.work.withLock { $0 = nil } }
            var (seen, kept): ([Int], [Int: WritingNote]) = ([], [:])
            for note in realm.objects(WritingNote.self) where !note.isInvalidated {
                let number = note.number
                seen.append(number)
                if seen.count % 7 == 3 { kept[number] = note }
            }
            #expect(seen == seen.sorted() && Set(seen).count == seen.count)
            let gone = deleted.withLock { $0 }
            #expect(gone.count > 20 && Set(0..<600).subtracting(seen).isSubset(of: gone))
            for (number, note) in kept where !gone.contains(number) { #expect(note.number == number) }
        }
    }
}
