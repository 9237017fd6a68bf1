// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The history of a synchronised file, which records every write transaction.
package protocol RecordedHistory: SynchronisedHistory {
    func recorder(for transaction: WriteTransaction) -> any WriteRecorder
}

/// Receives every typed instruction of a write transaction (design decision 14) and writes the history of its commit.
///
/// Confined to the transaction's thread. A local database has no recorder; its only cost there is a nil check for each
/// instruction.
package protocol WriteRecorder: AnyObject {
    /// - Throws: An error if the history can't express the instruction. The transaction must then be rolled back.
    func record(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws

    /// Writes the history of the version that is about to be committed, with `WriteTransaction.replaceHistory`. No
    /// instruction can be executed afterwards.
    func writeHistory(of transaction: WriteTransaction) throws
}
