// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An index of one side's instructions, by the objects that they concern.
///
/// Instructions on different objects never interact, except those that erase a class or a property. So the cost of a
/// merge depends on the number of conflicts, not on the product of the two sizes.
struct InstructionIndex {
    /// The position of each object's first instruction. `next` links to the following ones, in order.
    private var heads: [ObjectReference: Int] = [:]
    private var next: [Int]
    /// The positions of the schema instructions. `erasing` has those that erase.
    private var schema: [Int] = []
    private var erasing: [Int] = []
    private let count: Int

    init(_ sides: [Side]) {
        count = sides.count
        next = Array(repeating: -1, count: sides.count)
        var previous: (object: ObjectReference, position: Int)?
        for position in sides.indices.reversed() {
            guard let instruction = sides[position].instruction else { continue }
            guard let object = instruction.object else {
                schema.append(position)
                if instruction.erasesSchema { erasing.append(position) }
                continue
            }
            // Adjacent instructions mostly concern one object, so we look it up once.
            if let last = previous, last.object == object {
                next[position] = last.position
            } else {
                if let last = previous { heads[last.object] = last.position }
                next[position] = heads[object] ?? -1
            }
            previous = (object, position)
        }
        if let last = previous { heads[last.object] = last.position }
        schema.reverse()
        erasing.reverse()
    }

    /// Returns the positions of the instructions that may conflict with an instruction, in order.
    func candidates(for instruction: Instruction) -> Candidates {
        if instruction.erasesSchema { return .all(0, count) }
        guard let object = instruction.object else { return .listed(schema[...]) }
        let head = heads[object] ?? -1
        if erasing.isEmpty { return head < 0 ? .none : .chain(head) }
        return .both(head, erasing[...])
    }

    enum Candidates {
        case none
        case all(Int, Int)
        case listed(ArraySlice<Int>)
        case chain(Int)
        case both(Int, ArraySlice<Int>)
    }

    func take(from candidates: inout Candidates) -> Int? {
        switch candidates {
        case .none: return nil
        case .all(let position, let end):
            candidates = position + 1 < end ? .all(position + 1, end) : .none
            return position < end ? position : nil
        case .listed(var rest):
            let position = rest.popFirst()
            candidates = .listed(rest)
            return position
        case .chain(let position):
            candidates = next[position] < 0 ? .none : .chain(next[position])
            return position
        case .both(let position, var rest):
            guard position >= 0 else {
                candidates = .listed(rest)
                return take(from: &candidates)
            }
            if let erasing = rest.first, erasing < position {
                rest.removeFirst()
                candidates = .both(position, rest)
                return erasing
            }
            candidates = .both(next[position], rest)
            return position
        }
    }
}

extension Instruction {
    fileprivate var erasesSchema: Bool {
        switch self {
        case .eraseTable, .eraseColumn: true
        default: false
        }
    }
}
