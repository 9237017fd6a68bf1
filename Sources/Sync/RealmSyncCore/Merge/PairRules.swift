// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The rules for two concurrent instructions of different files (§4.4).
///
/// Each rule applies to both orders of its pair. Unlisted pairs have no effect.
enum PairRules {
    static func apply(_ a: inout Side, _ b: inout Side) throws(MergeError) {
        guard let first = a.instruction, let second = b.instruction else { return }
        switch (first, second) {
        case (.change(let placeA, let changeA), .change(let placeB, let changeB)):
            guard placeA.column == placeB.column, placeA.object == placeB.object else { return }
            try ValueRules.apply(placeA, changeA, &a, placeB, changeB, &b)
        default:
            if try apply(first, &a, second, &b) { return }
            _ = try apply(second, &b, first, &a)
        }
    }

    /// Applies the rules for the schema and objects.
    ///
    /// | pair | rule |
    /// |---|---|
    /// | AddTable / AddTable, same class | they agree: discard both; else it fails |
    /// | EraseTable / AddTable, same class | discard AddTable |
    /// | EraseTable / EraseTable, same class | discard both |
    /// | AddColumn, links to T / EraseTable T | discard AddColumn; an EraseColumn of it goes before EraseTable |
    /// | AddColumn / AddColumn, same column | they agree: discard both; else it fails |
    /// | EraseColumn / AddColumn, same column | discard AddColumn |
    /// | EraseColumn / EraseColumn, same column | discard both |
    /// | EraseColumn / anything that changes its values | discard the change |
    /// | EraseObject / CreateObject, same object | discard CreateObject |
    /// | EraseObject / EraseObject, same object | keep the later one |
    ///
    /// Returns false if the pair is not listed in this order.
    private static func apply(
        _ first: Instruction, _ a: inout Side, _ second: Instruction, _ b: inout Side
    ) throws(MergeError) -> Bool {
        switch (first, second) {
        case (.addTable(let tableA), .addTable(let tableB)):
            guard tableA.name == tableB.name else { return true }
            guard tableA == tableB else { throw MergeError("a class is added as \(tableA) and as \(tableB)") }
            discardBoth(&a, &b)
        case (.eraseTable(let name), .addTable(let table)):
            if table.name == name { b.discard() }
        case (.eraseTable(let nameA), .eraseTable(let nameB)):
            if nameA == nameB { discardBoth(&a, &b) }
        case (.addColumn(let column), .eraseTable(let name)):
            if column.target == name {
                a.discard()
                b.predecessor = .eraseColumn(column.column)
            }
        case (.addColumn(let columnA), .addColumn(let columnB)):
            guard columnA.column == columnB.column else { return true }
            guard columnA == columnB else { throw MergeError("a property is added as \(columnA) and as \(columnB)") }
            discardBoth(&a, &b)
        case (.eraseColumn(let column), .addColumn(let added)):
            if added.column == column { b.discard() }
        case (.eraseColumn(let columnA), .eraseColumn(let columnB)):
            if columnA == columnB { discardBoth(&a, &b) }
        case (.eraseColumn(let column), .change(let place, _)):
            if place.column == column.name, place.object.table == column.table { b.discard() }
        case (.eraseObject(let object), .createObject(let created)):
            if object == created { b.discard() }
        case (.eraseObject(let objectA), .eraseObject(let objectB)):
            if objectA == objectB { discardEarlier(&a, &b) }
        default: return false
        }
        return true
    }
}
