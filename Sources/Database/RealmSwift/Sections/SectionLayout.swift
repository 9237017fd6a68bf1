// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

struct SectionRun {
    let section: Int
    /// The index of the first element among the elements of all sections; `row` is its index in the section.
    let position: Int
    let row: Int
    let count: Int

    var end: Int { position + count }
}

/// The sections of one version, in order, with their keys and the positions of their elements.
struct SectionLayout<Key: Hashable> {
    /// In the order in which they first occur.
    let keys: [Key]
    fileprivate let numbers: [Key: Int]
    /// All elements, in their order. Usually each section is one run.
    let runs: [SectionRun]
    /// The indexes in `runs`, section by section. `firstRuns` contains the index of each section's first entry.
    private let runsBySection: [Int]
    private let firstRuns: [Int]

    init() { self.init(keys: [], numbers: [:], runs: []) }

    fileprivate init(keys: [Key], numbers: [Key: Int], runs: [SectionRun]) {
        (self.keys, self.numbers, self.runs) = (keys, numbers, runs)
        var firstRuns = [Int](repeating: 0, count: keys.count + 1)
        for run in runs { firstRuns[run.section + 1] += 1 }
        for section in keys.indices { firstRuns[section + 1] += firstRuns[section] }
        var next = firstRuns
        var runsBySection = [Int](repeating: 0, count: runs.count)
        for (place, run) in runs.enumerated() {
            runsBySection[next[run.section]] = place
            next[run.section] += 1
        }
        (self.runsBySection, self.firstRuns) = (runsBySection, firstRuns)
    }

    func number(of key: Key) -> Int? { numbers[key] }

    func rows(of number: Int) -> SectionRows {
        SectionRows(runs, runsBySection[firstRuns[number]..<firstRuns[number + 1]])
    }

    func run(at position: Int) -> SectionRun {
        runs[runs.partitioningIndex { $0.position > position } - 1]
    }

    /// Returns the sections after a change of all elements. `key` is called only for elements that were inserted or
    /// modified, with their positions after the change. Other elements keep their keys.
    func updated(by change: PositionChange, key: (Int) -> Key) -> SectionLayout {
        var builder = SectionLayoutBuilder(changing: self)
        var (deleted, modified) = (change.deletions[...], change.modifications[...])
        var inserted = change.insertions[...]
        var (before, after) = (0, 0)
        var place = 0
        let end = runs.last?.end ?? 0
        while before < end || !inserted.isEmpty {
            while let first = deleted.first, first < before { deleted.removeFirst() }
            while let first = modified.first, first < before { modified.removeFirst() }
            if inserted.first == after {
                builder.append(key(after))
                inserted.removeFirst()
                after += 1
            } else if before >= end {
                break
            } else if deleted.first == before {
                before += 1
            } else if modified.first == before {
                builder.append(key(after))
                (before, after) = (before + 1, after + 1)
            } else {
                while runs[place].end <= before { place += 1 }
                let stop = min(deleted.first ?? end, modified.first ?? end, runs[place].end)
                let count = min(stop - before, (inserted.first ?? .max) - after)
                builder.append(count, ofSection: runs[place].section)
                (before, after) = (before + count, after + count)
            }
        }
        return builder.layout()
    }
}

struct SectionLayoutBuilder<Key: Hashable> {
    /// The sections whose numbers the builder reuses. Keys that don't occur there get higher numbers.
    private let base: SectionLayout<Key>
    private var addedKeys: [Key] = []
    private var addedNumbers: [Key: Int] = [:]
    private var runs: [(section: Int, count: Int)] = []

    init(changing base: SectionLayout<Key> = SectionLayout()) { self.base = base }

    private func key(of section: Int) -> Key {
        section < base.keys.count ? base.keys[section] : addedKeys[section - base.keys.count]
    }

    mutating func append(_ key: Key) {
        // The elements of a section are usually adjacent.
        if let last = runs.last, self.key(of: last.section) == key { return runs[runs.count - 1].count += 1 }
        if let known = base.numbers[key] ?? addedNumbers[key] { return runs.append((known, 1)) }
        let section = base.keys.count + addedKeys.count
        addedKeys.append(key)
        addedNumbers[key] = section
        runs.append((section, 1))
    }

    mutating func append(_ count: Int, ofSection section: Int) {
        if runs.last?.section == section { runs[runs.count - 1].count += count } else { runs.append((section, count)) }
    }

    func layout() -> SectionLayout<Key> {
        var numbers = [Int](repeating: -1, count: base.keys.count + addedKeys.count)
        var sections: [Int] = []
        var counts: [Int] = []
        var position = 0
        var numbered: [SectionRun] = []
        numbered.reserveCapacity(runs.count)
        for run in runs {
            if numbers[run.section] < 0 {
                numbers[run.section] = sections.count
                sections.append(run.section)
                counts.append(0)
            }
            let number = numbers[run.section]
            numbered.append(SectionRun(section: number, position: position, row: counts[number], count: run.count))
            counts[number] += run.count
            position += run.count
        }
        if addedKeys.isEmpty, sections.elementsEqual(base.keys.indices) {
            return SectionLayout(keys: base.keys, numbers: base.numbers, runs: numbered)
        }
        let keys = sections.map(key)
        let byKey = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        return SectionLayout(keys: keys, numbers: byKey, runs: numbered)
    }
}

/// The positions of a section's elements among all elements, in ascending order.
struct SectionRows: RandomAccessCollection {
    private let runs: [SectionRun]
    private let places: ArraySlice<Int>

    fileprivate init(_ runs: [SectionRun], _ places: ArraySlice<Int>) { (self.runs, self.places) = (runs, places) }

    var startIndex: Int { 0 }
    var endIndex: Int { places.last.map { runs[$0].row + runs[$0].count } ?? 0 }

    subscript(index: Int) -> Int {
        let after = places.partitioningIndex { runs[$0].row > index }
        let run = runs[places[after - 1]]
        return run.position + index - run.row
    }

    func makeIterator() -> AnyIterator<Int> {
        var rest = places[...]
        var range = 0..<0
        return AnyIterator {
            if range.isEmpty, let place = rest.popFirst() { range = runs[place].position..<runs[place].end }
            return range.popFirst()
        }
    }
}
