// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The history of a synchronised file, whose every write transaction is recorded.
package protocol RecordedHistory: SynchronisedHistory {
    /// The recorder of one transaction, which was just begun.
    func recorder(for transaction: WriteTransaction) -> any WriteRecorder
}

/// Is told every typed instruction of a write transaction (design decision 14), and writes the history of its commit.
///
/// One thread at a time, that of the transaction. A local database has none: its instructions ask for one, and that is
/// all that it pays.
package protocol WriteRecorder: AnyObject {
    /// Takes note of an instruction.
    ///
    /// - Throws: if it cannot be expressed in the history. The transaction must be rolled back then.
    func record(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws

    /// The transaction is about to be committed as the version after its base: writes what belongs to that, with
    /// `WriteTransaction.replaceHistory`. Instructions are possible for the last time.
    func writeHistory(of transaction: WriteTransaction) throws
}
