// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Combine
import Foundation
import TestTraits
import Testing

private struct Failure: Error, Equatable {}

@Suite struct CombineLatestTests {
    private let a = PassthroughSubject<Int, Failure>()
    private let b = PassthroughSubject<String?, Failure>()

    @Test(.behaviour("W07")) func theLatestValuesAreSentOnceAllHaveOne() {
        var seen: [String] = []
        let sink = a.combineLatest(b).sink(receiveCompletion: { seen.append("\($0)") }) {
            seen.append("\($0) \($1 ?? "nil")")
        }
        a.send(1)
        a.send(2)
        b.send("x")
        b.send(nil)
        a.send(3)
        a.send(completion: .finished)
        b.send("y")
        #expect(seen == ["2 x", "2 nil", "3 nil", "3 y"])
        b.send(completion: .finished)
        #expect(seen.last == "finished")
        withExtendedLifetime(sink) {}
    }

    @Test func aFailureEndsAllAndSoDoesAPublisherThatSendsNothing() {
        var ends: [String] = []
        let failing = Publishers.CombineLatest(a, b).sink(receiveCompletion: { ends.append("\($0)") }) { _ in }
        let empty = Publishers.CombineLatest(a, Empty<Int, Failure>())
            .sink(receiveCompletion: { ends.append("\($0)") }) { _ in }
        #expect(ends == ["finished"])
        b.send(completion: .failure(Failure()))
        #expect(ends.count == 2 && ends[1].hasPrefix("failure"))
        a.send(1)
        #expect(ends.count == 2)
        withExtendedLifetime((failing, empty)) {}
    }

    @Test(.behaviour("W07")) func threeAndFourAreCombinedAndMapped() {
        let numbers = (0..<4).map { CurrentValueSubject<Int, Never>($0) }
        var seen: [[Int]] = []
        let three = Publishers.CombineLatest3(numbers[0], numbers[1], numbers[2]).sink { seen.append([$0, $1, $2]) }
        let four = numbers[0].combineLatest(numbers[1], numbers[2], numbers[3]) { [$0, $1, $2, $3] }
            .sink { seen.append($0) }
        numbers[3].value = 9
        #expect(seen == [[0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 9]])
        withExtendedLifetime((three, four)) {}
    }

    @Test func withoutDemandTheLatestValueWaits() {
        final class Slow: Subscriber {
            var subscription: (any Subscription)?
            var seen: [Int] = []
            func receive(subscription: any Subscription) { self.subscription = subscription }
            func receive(_ input: (Int, String?)) -> Subscribers.Demand {
                seen.append(input.0)
                return .none
            }
            func receive(completion: Subscribers.Completion<Failure>) {}
        }
        let slow = Slow()
        a.combineLatest(b).subscribe(slow)
        b.send("x")
        a.send(1)
        a.send(2)
        #expect(slow.seen.isEmpty)
        slow.subscription?.request(.max(1))
        #expect(slow.seen == [2])
        a.send(3)
        #expect(slow.seen == [2])
        slow.subscription?.cancel()
        slow.subscription?.request(.max(1))
        #expect(slow.seen == [2])
    }

    @Test func valuesFromManyThreadsAreNeitherLostNorReordered() {
        let numbers = CurrentValueSubject<Int, Never>(0)
        let others = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
        nonisolated(unsafe) var counts = [0, 0, 0, 0]
        let sinks = others.enumerated().map { index, other in
            numbers.combineLatest(other).sink { _ in counts[index] += 1 }
        }
        nonisolated(unsafe) let senders = others
        DispatchQueue.concurrentPerform(iterations: 4) { thread in for i in 0..<500 { senders[thread].send(i) } }
        #expect(counts == [500, 500, 500, 500])
        withExtendedLifetime(sinks) {}
    }
}
