// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The changes of a list or a set between two versions.
///
/// Without the deletions, and with the new elements at the insertions, the old elements equal the new ones except at
/// the modifications. A list's contents alone don't determine its edits: a moved element is a deletion and an
/// insertion, and an element inserted in place of a removed one is a modification. Of several edits with the same
/// outcome, a shortest one is reported if it can be found cheaply (`TreeAligner`).
package struct CollectionDiff: Sendable, Equatable {
    package enum Positions: Sendable {
        /// As visible to users: without the unresolved links of lists and sets of links (content 5.8).
        case visible
        case stored
    }

    /// In the old version, ascending.
    package var deletions: [Int] = []
    /// In the new version, ascending.
    package var insertions: [Int] = []
    /// Positions in the old version, ascending, of replaced elements, and of collections that changed at any depth.
    /// Always empty for sets.
    package var modifications: [Int] = []
    /// The positions of the modified elements in the new version, in the order of `modifications`.
    package var newModifications: [Int] = []

    package init() {}

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Returns nil if the lists are equal. `isOneFile` as for `TableDiff`.
    package init?(from old: BPlusTree, to new: BPlusTree, positions: Positions = .visible, isOneFile: Bool = true)
        throws
    {
        try self.init(from: old, to: new, positions: positions, pairing: true, isOneFile)
    }

    package init?(from old: SetTree, to new: SetTree, positions: Positions = .visible, isOneFile: Bool = true) throws {
        try self.init(from: old.tree, to: new.tree, positions: positions, pairing: false, isOneFile)
    }

    /// With `pairing`, a deletion and an insertion at the same position are combined into a modification.
    private init?(from old: BPlusTree, to new: BPlusTree, positions: Positions, pairing: Bool, _ isOneFile: Bool) throws
    {
        let nodes = SharedNodes(old: old.space, new: new.space, isOneFile: isOneFile)
        if nodes.areSame(old.root, new.root) { return nil }
        var values = ValueComparison(nodes: nodes, budget: DiffBudget(nodes), nested: .identity)
        var aligner = try TreeAligner(old, new, values)
        let alignment = try aligner.align()
        alignment.forEachGap { append($0, pairing: pairing) }
        if old.kind == .mixed, new.kind == .mixed {
            values.nested = .content
            try addChangedElements(alignment, try TreePair(old, new, values))
        }
        if positions == .visible { hide(try old.hiddenPositions(), try new.hiddenPositions()) }
        if isEmpty { return nil }
    }

    private mutating func append(_ gap: SequenceAlignment.Gap, pairing: Bool) {
        let count = pairing ? min(gap.old.count, gap.new.count) : 0
        modifications += gap.old.prefix(count)
        newModifications += gap.new.prefix(count)
        deletions += gap.old.dropFirst(count)
        insertions += gap.new.dropFirst(count)
    }

    private mutating func addChangedElements(_ alignment: SequenceAlignment, _ pair: TreePair) throws {
        let changed = try alignment.differences(pair)
        guard !changed.isEmpty else { return }
        modifications = (modifications + changed.map(\.old)).sorted()
        newModifications = (newModifications + changed.map(\.new)).sorted()
    }

    /// The arguments are the positions of the hidden elements, ascending.
    private mutating func hide(_ old: [Int], _ new: [Int]) {
        guard !old.isEmpty || !new.isEmpty else { return }
        let hidden = (Set(old), Set(new))
        var replaced: [(old: Int, new: Int)] = []
        for (before, after) in zip(modifications, newModifications) {
            switch (hidden.0.contains(before), hidden.1.contains(after)) {
            case (false, false): replaced.append((before, after))
            case (true, false): insertions.append(after)
            case (false, true): deletions.append(before)
            case (true, true): break
            }
        }
        func visible(_ positions: [Int], _ hidden: [Int], _ set: Set<Int>) -> [Int] {
            positions.filter { !set.contains($0) }.sorted().map { position in
                position - hidden.partitioningIndex { $0 >= position }
            }
        }
        deletions = visible(deletions, old, hidden.0)
        insertions = visible(insertions, new, hidden.1)
        modifications = visible(replaced.map(\.old), old, hidden.0)
        newModifications = visible(replaced.map(\.new), new, hidden.1)
    }
}

extension SequenceAlignment {
    func differences(_ pair: TreePair) throws -> [(old: Int, new: Int)] {
        var pair = pair
        var result: [(old: Int, new: Int)] = []
        for run in runs {
            var index = 0
            while index < run.count {
                index += try pair.common(run.old + index, run.new + index, limit: run.count - index)
                guard index < run.count else { break }
                result.append((run.old + index, run.new + index))
                index += 1
            }
        }
        return result
    }
}

extension BPlusTree {
    /// Unresolved links in a list or set of links, whose root has a flag for them (content 7.4).
    func hiddenPositions() throws -> [Int] {
        guard kind == .key, root != 0, try space.node(root).header.hasContext else { return [] }
        var result: [Int] = []
        try forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count where ObjectKey(try leaf.leaf.ref(at: row)).isUnresolved {
                result.append(leaf.start + row)
            }
            return true
        }
        return result
    }
}
