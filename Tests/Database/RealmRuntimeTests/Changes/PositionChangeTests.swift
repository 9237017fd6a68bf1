// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmRuntime

/// Changes between two states of a sequence, for all small sequences.
@Suite struct PositionChangeTests {
    private func replay<Element>(_ change: PositionChange, _ old: [Element], _ new: [Element]) -> [Element] {
        var result = old
        for position in change.deletions.reversed() { result.remove(at: position) }
        for position in change.insertions { result.insert(new[position], at: position) }
        return result
    }

    private func sequences(_ values: [Int], upTo count: Int) -> [[Int]] {
        var all: [[Int]] = [[]]
        var longest = all
        for _ in 0..<count {
            longest = longest.flatMap { sequence in values.map { sequence + [$0] } }
            all += longest
        }
        return all
    }

    private func isAscending(_ positions: [Int]) -> Bool { zip(positions, positions.dropFirst()).allSatisfy(<) }

    @Test func everyPairWithRepetitions() {
        let all = sequences([1, 2, 3], upTo: 4)
        for old in all {
            for new in all {
                let change = PositionChange(from: old, to: new) { $0 == 2 }
                #expect(replay(change, old, new) == new)
                #expect(isAscending(change.deletions) && isAscending(change.insertions))
                #expect(isAscending(change.modifications))
                let stayed = Set(old.indices).subtracting(change.deletions)
                #expect(Set(change.modifications) == stayed.filter { old[$0] == 2 })
            }
        }
    }

    @Test func everyPairOfAscendingSets() {
        for before in 0..<64 {
            for after in 0..<64 {
                let old = (0..<6).filter { before >> $0 & 1 == 1 }
                let new = (0..<6).filter { after >> $0 & 1 == 1 }
                let change = PositionChange(ascending: old, new) { $0 % 2 == 0 }
                #expect(change == PositionChange(from: old, to: new) { $0 % 2 == 0 })
                #expect(replay(change, old, new) == new)
                #expect(change.deletions.map { old[$0] } == old.filter { !new.contains($0) })
            }
        }
    }

    /// The moves are minimal, and prefer modified elements.
    @Test func everyPermutation() {
        let old = Array(0..<5)
        for new in permutations(old) {
            for mask in 0..<32 {
                let change = PositionChange(from: old, to: new) { mask >> $0 & 1 == 1 }
                #expect(replay(change, old, new) == new)
                let stayed = Set(old).subtracting(change.deletions.map { old[$0] })
                let best = (0..<32).map { set in old.filter { set >> $0 & 1 == 1 } }
                    .filter { chosen in new.filter(chosen.contains) == chosen }
                    .map { chosen in weight(chosen, mask) }.max()
                #expect(weight(Array(stayed), mask) == best)
            }
        }
    }

    private func weight(_ elements: [Int], _ mask: Int) -> Int {
        elements.reduce(0) { $0 + (mask >> $1 & 1 == 1 ? 1 : 100) }
    }

    private func permutations(_ elements: [Int]) -> [[Int]] {
        if elements.isEmpty { return [[]] }
        return elements.flatMap { first in permutations(elements.filter { $0 != first }).map { [first] + $0 } }
    }
}
