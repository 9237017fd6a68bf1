// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Protects a walk from cycles in a malicious file: the nodes of a valid file form a tree (container 2.7), so a node
/// that is visited twice is an error.
struct VisitedNodes {
    /// Created when the first node is inserted. Most walks have a single node, which isn't inserted.
    private var refs: WordTable?

    mutating func enter(_ ref: Ref) throws {
        if refs == nil { refs = WordTable() }
        guard refs?.isNew(UInt64(ref)) == true else {
            throw StorageError.corrupt("a node with two parents; the file is damaged", at: ref)
        }
    }
}
