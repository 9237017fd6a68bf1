// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The changes of a dictionary between two versions. An Int key is represented by its digits.
package struct DictionaryDiff: Sendable, Equatable {
    /// In key order, like the other keys.
    package var deletions: [String] = []
    package var insertions: [String] = []
    /// The keys whose values differ, compared by content at any depth. Unresolved links count as null.
    package var modifications: [String] = []

    package init() {}

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Returns nil if the dictionaries are equal. `isOneFile` as for `TableDiff`.
    package init?(from old: DictionaryTree, to new: DictionaryTree, isOneFile: Bool = true) throws {
        guard let space = old.keys?.space ?? new.keys?.space else { return nil }
        let nodes = SharedNodes(old: old.keys?.space ?? space, new: new.keys?.space ?? space, isOneFile: isOneFile)
        let values = ValueComparison(nodes: nodes, budget: DiffBudget(nodes), nested: .content)
        if let keysA = old.keys, let keysB = new.keys, let valuesA = old.valuesTree, let valuesB = new.valuesTree {
            if nodes.areSame(keysA.root, keysB.root), nodes.areSame(valuesA.root, valuesB.root) { return nil }
            var aligner = try TreeAligner(keysA, keysB, values)
            let alignment = try aligner.align()
            try alignment.forEachGap { try append($0, old, new) }
            let changed = try alignment.differences(try TreePair(valuesA, valuesB, values))
            modifications = try changed.map { try old.key(at: $0.old) }
        } else {
            deletions = try (0..<old.count).map { try old.key(at: $0) }
            insertions = try (0..<new.count).map { try new.key(at: $0) }
        }
        if isEmpty { return nil }
    }

    private mutating func append(_ gap: SequenceAlignment.Gap, _ old: DictionaryTree, _ new: DictionaryTree) throws {
        deletions += try gap.old.map { try old.key(at: $0) }
        insertions += try gap.new.map { try new.key(at: $0) }
    }
}
