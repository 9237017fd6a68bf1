// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct Side {
    /// Nil once a rule has discarded it.
    var instruction: Instruction? {
        didSet { isChanged = true }
    }
    let order: ChangeOrder
    /// An instruction that a rule inserted before this one. Only an EraseTable has one.
    var predecessor: Instruction?
    private(set) var isChanged = false

    init(_ instruction: Instruction, _ order: ChangeOrder) {
        self.instruction = instruction
        self.order = order
    }

    mutating func discard() { instruction = nil }

    mutating func markChanged() { isChanged = true }
}

extension Instruction {
    /// The nesting level: 1 for classes, 2 for properties and objects, more for values and nested values.
    var level: Int {
        switch self {
        case .addTable, .eraseTable: 1
        case .addColumn, .eraseColumn, .createObject, .eraseObject: 2
        case .change(let place, _): 3 + place.path.count
        }
    }
}

func discardEarlier(_ a: inout Side, _ b: inout Side) {
    if a.order < b.order { a.discard() } else { b.discard() }
}

func discardBoth(_ a: inout Side, _ b: inout Side) {
    a.discard()
    b.discard()
}
