// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Keeps a walk over hostile bytes finite: the nodes of a sound file form a tree (container 2.7), so a node that is
/// met twice is damage.
struct VisitedNodes {
    /// Made for the first of them: most walks have one node only, which is not entered.
    private var refs: WordTable?

    mutating func enter(_ ref: Ref) throws {
        if refs == nil { refs = WordTable() }
        guard refs?.isNew(UInt64(ref)) == true else {
            throw StorageError.corrupt("a node with two parents; the file is damaged", at: ref)
        }
    }
}
