// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Combine
import TestTraits
import Testing

@Suite struct MergingTests {
    @Test(.behaviour("W07")) func mergedPublishersSendInTheOrderOfTheirValues() {
        let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
        var (all, tens, hundreds): ([Int], [Int], [Int]) = ([], [], [])
        var ends = 0
        let many = Publishers.MergeMany(subjects).sink(receiveCompletion: { _ in ends += 1 }) { all.append($0) }
        let two = subjects[0].merge(with: subjects[1]).sink { tens.append($0 * 10) }
        let kinds = subjects[0].merge(with: Just(7), subjects[2].map { -$0 }).sink { hundreds.append($0 * 100) }
        subjects[1].send(1)
        subjects[0].send(2)
        subjects[2].send(3)
        #expect(all == [1, 2, 3])
        #expect(tens == [10, 20])
        #expect(hundreds == [700, 200, -300])
        for subject in subjects.dropLast() { subject.send(completion: .finished) }
        #expect(ends == 0)
        subjects[2].send(completion: .finished)
        #expect(ends == 1)
        withExtendedLifetime((many, two, kinds)) {}
    }
}
