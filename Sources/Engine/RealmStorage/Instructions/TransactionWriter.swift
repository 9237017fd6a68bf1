// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A group of the instructions of a write transaction, such as those that change a list.
///
/// Creating a writer costs nothing. A writer holds no state of the transaction, so it stays valid as long as the
/// transaction.
protocol TransactionWriter {
    var transaction: WriteTransaction { get }
}

extension TransactionWriter {
    var store: NodeStore { @inline(__always) get { transaction.store } }
    var space: NodeSpace { @inline(__always) get { transaction.space } }

    @inline(__always) func table(_ key: TableKey) throws -> Table? { try transaction.table(key) }
    @inline(__always) func require(_ key: TableKey) throws -> Table { try transaction.require(key) }

    func origin(of back: Column, in table: Table) throws -> (table: Table, column: Column)? {
        guard let origin = try self.table(table.oppositeTables[back.leafIndex]),
            let column = origin.column(table.oppositeColumns[back.leafIndex])
        else { return nil }
        return (origin, column)
    }

    @inline(__always)
    func changed(_ table: Table, _ changes: Table.Changes) { transaction.changed(table, changes) }

    @inline(__always)
    func changed(_ table: Table, in extent: ChangeExtent) { transaction.changed(table, in: extent) }

    @inline(__always)
    func record(_ instruction: @autoclosure () throws -> WrittenInstruction) throws {
        try transaction.recorder?.record(instruction(), in: transaction)
    }
}
