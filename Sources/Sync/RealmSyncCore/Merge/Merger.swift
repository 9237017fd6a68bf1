// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct MergeInput: Sendable {
    package var changeset: Changeset
    package let order: ChangeOrder
    /// Whether the new form of the changeset has to be stored.
    package fileprivate(set) var isChanged = false

    package init(_ changeset: Changeset, _ order: ChangeOrder) {
        self.changeset = changeset
        self.order = order
    }
}

/// Operational transformation: transforms concurrent changes so that each can be applied after the other (§4.2).
package struct Merger {
    /// The instructions of all incoming changesets. `owners` has the index of each one's changeset.
    private var incoming: [Side] = []
    private var owners: [Int] = []
    private var index = InstructionIndex([])

    /// Merges changesets based on one version with those that the receiver committed after it.
    ///
    /// Afterwards `incoming` can be applied to the state that `local` produced. `local` is transformed to follow the
    /// incoming changesets, and is the input of the next merge with the same peer.
    package static func merge(
        incoming: inout [MergeInput], local: inout [MergeInput]
    ) throws(MergeError) {
        var budget = MergeBudget.unlimited
        try merge(incoming: &incoming, local: &local, &budget)
    }

    /// - Throws: `MergeError.tooLong` if the merge exceeds `budget`.
    package static func merge(
        incoming: inout [MergeInput], local: inout [MergeInput], _ budget: inout MergeBudget
    ) throws(MergeError) {
        if incoming.allSatisfy(\.changeset.isEmpty) || local.allSatisfy(\.changeset.isEmpty) { return }
        for input in incoming { try budget.spend(input.changeset.instructions.count) }
        var merger = Merger(incoming)
        for index in local.indices { try merger.merge(&local[index], &budget) }
        merger.store(in: &incoming)
    }

    private init(_ inputs: [MergeInput]) {
        for (owner, input) in inputs.enumerated() {
            for instruction in input.changeset.instructions {
                incoming.append(Side(instruction, input.order))
                owners.append(owner)
            }
        }
        index = InstructionIndex(incoming)
    }

    private mutating func merge(_ local: inout MergeInput, _ budget: inout MergeBudget) throws(MergeError) {
        var isChanged = false
        var kept: [Instruction] = []
        let instructions = local.changeset.instructions
        try budget.spend(instructions.count)
        for position in instructions.indices {
            var candidates = index.candidates(for: instructions[position])
            if case .none = candidates {
                if isChanged { kept.append(instructions[position]) }
                continue
            }
            var side = Side(instructions[position], local.order)
            var predecessors: [Instruction] = []
            var hasPredecessor = false
            try meet(&side, &candidates, &predecessors, &hasPredecessor, &budget)
            if side.isChanged || hasPredecessor, !isChanged {
                isChanged = true
                kept = Array(instructions[..<position])
            }
            if isChanged {
                kept += predecessors
                if let instruction = side.instruction { kept.append(instruction) }
            }
        }
        if isChanged {
            local.changeset.instructions = kept
            local.isChanged = true
        }
    }

    /// Merges an instruction with the candidates, in order, until it is discarded. `predecessors` receives the
    /// instructions that rules inserted before it, merged with the remaining candidates.
    private mutating func meet(
        _ a: inout Side, _ candidates: inout InstructionIndex.Candidates, _ predecessors: inout [Instruction],
        _ hasPredecessor: inout Bool, _ budget: inout MergeBudget
    ) throws(MergeError) {
        while let position = index.take(from: &candidates) {
            guard a.instruction != nil else { return }
            try budget.spend(1)
            try Merger.meet(&a, &incoming[position])
            if let predecessor = incoming[position].predecessor {
                incoming[position].predecessor = nil
                try budget.spend(incoming.count)
                insert(predecessor, at: position)
            }
            if let predecessor = a.predecessor {
                a.predecessor = nil
                hasPredecessor = true
                var side = Side(predecessor, a.order)
                var rest = candidates
                try meet(&side, &rest, &predecessors, &hasPredecessor, &budget)
                if let instruction = side.instruction { predecessors.append(instruction) }
            }
        }
    }

    /// Inserts an instruction before an incoming one. A rule requires this only when the merged instruction is
    /// discarded, so no candidates with outdated positions remain.
    private mutating func insert(_ predecessor: Instruction, at position: Int) {
        incoming.insert(Side(predecessor, incoming[position].order), at: position)
        incoming[position].markChanged()
        owners.insert(owners[position], at: position)
        index = InstructionIndex(incoming)
    }

    private static func meet(_ a: inout Side, _ b: inout Side) throws(MergeError) {
        guard let first = a.instruction, let second = b.instruction else { return }
        let (levelA, levelB) = (first.level, second.level)
        if levelA < levelB {
            try NestedRules.apply(first, to: &b)
        } else if levelB < levelA {
            try NestedRules.apply(second, to: &a)
        }
        try PairRules.apply(&a, &b)
    }

    private func store(in inputs: inout [MergeInput]) {
        var changed = Array(repeating: false, count: inputs.count)
        for (side, owner) in zip(incoming, owners) where side.isChanged { changed[owner] = true }
        for owner in inputs.indices where changed[owner] {
            inputs[owner].changeset.instructions.removeAll(keepingCapacity: true)
            inputs[owner].isChanged = true
        }
        for (side, owner) in zip(incoming, owners) where changed[owner] {
            if let instruction = side.instruction { inputs[owner].changeset.instructions.append(instruction) }
        }
    }
}
