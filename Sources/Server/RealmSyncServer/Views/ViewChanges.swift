// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The objects of a version that are in the results of each query, before and after the version.
///
/// Objects are numbered in the order of their first instructions. A version is filtered for any file with these sets,
/// also long after the state of the version is gone.
struct ViewChanges {
    struct Members: Hashable {
        var before = NumberSet()
        var after = NumberSet()

        var isEmpty: Bool { before.isEmpty && after.isEmpty }
    }

    /// Keyed by the query's id. Queries without these objects are missing.
    var members: [UInt64: Members] = [:]
    /// The instructions that create the objects which an update has moved into the results of a query.
    var states: [Int: [Instruction]] = [:]

    var isEmpty: Bool { members.isEmpty }

    /// Returns the form of a version for a file: objects that leave its view are erased, those that enter are replaced.
    func filter(_ changeset: Changeset, for view: FileView) -> Changeset {
        var numbers: [ObjectReference: Int] = [:]
        var result: [Instruction] = []
        for instruction in changeset.instructions {
            guard let object = instruction.object else {
                result.append(instruction)
                continue
            }
            let known = numbers[object]
            let number = known ?? numbers.count
            numbers[object] = number
            let members = view.queries[object.table].flatMap { self.members[$0] }
            switch (members?.before.contains(number) == true, members?.after.contains(number) == true) {
            case (false, false): break
            case (true, true): if view.shows(instruction) { result.append(instruction) }
            case (true, false): if known == nil { result.append(.eraseObject(object)) }
            case (false, true):
                guard let state = states[number] else {
                    if view.shows(instruction) { result.append(instruction) }
                    continue
                }
                if known == nil { result += [.eraseObject(object)] + state.filter(view.shows) }
            }
        }
        return Changeset(result)
    }
}

/// A set of small numbers.
struct NumberSet: Hashable {
    private(set) var words: [UInt64] = []

    init(words: [UInt64] = []) { self.words = words }

    init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ index: Int) -> Bool {
        index >> 6 < words.count && words[index >> 6] & 1 << UInt64(index & 63) != 0
    }

    var numbers: [Int] {
        words.indices.flatMap { word in
            words[word] == 0 ? [] : (0..<64).filter { words[word] & 1 << UInt64($0) != 0 }.map { word << 6 + $0 }
        }
    }

    mutating func formUnion(_ other: NumberSet) {
        while words.count < other.words.count { words.append(0) }
        for (index, word) in other.words.enumerated() { words[index] |= word }
    }

    func intersection(_ other: NumberSet) -> NumberSet {
        NumberSet(words: zip(words, other.words).map { $0 & $1 })
    }

    func subtracting(_ other: NumberSet) -> NumberSet {
        NumberSet(words: words.enumerated().map { $1 & ~($0 < other.words.count ? other.words[$0] : 0) })
    }

    /// - Parameter numbers: The new number of each; negative if it's omitted. Nil retains all.
    func renumbered(_ numbers: [Int]?) -> NumberSet {
        guard let numbers else { return self }
        var result = NumberSet()
        for number in self.numbers where numbers[number] >= 0 { result.insert(numbers[number]) }
        return result
    }

    mutating func insert(_ index: Int) {
        while words.count <= index >> 6 { words.append(0) }
        words[index >> 6] |= 1 << UInt64(index & 63)
    }
}

extension Changeset {
    /// In the order of their first instructions, without repetitions.
    var objects: [ObjectReference] {
        var seen: Set<ObjectReference> = []
        return instructions.compactMap(\.object).filter { seen.insert($0).inserted }
    }

    /// Removes the instructions on objects.
    func without(_ objects: Set<ObjectReference>) -> Changeset {
        if objects.isEmpty { return self }
        return Changeset(instructions.filter { $0.object.map { !objects.contains($0) } ?? true })
    }
}
