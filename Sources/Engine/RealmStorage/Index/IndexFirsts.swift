// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The first object of each value, according to a value index: one for each literal and list.
///
/// Correct only if equal values have equal paths, so not for Mixed. A list of the last level may hold objects of
/// several values; in other lists the first key is the smallest (content 9.4, 13.5).
package struct IndexFirsts {
    /// In the order of the index.
    package private(set) var keys: [ObjectKey] = []
    /// Objects whose values occur in no other entry, but several of which may have equal values.
    package private(set) var undecided: [ObjectKey] = []

    init(_ index: SearchIndex) throws {
        precondition(!index.isMixed)
        let space = index.space
        var walk = IndexWalk(space)
        try walk.visit(index.root) { entry, offset in
            switch entry {
            case .literal(let key): keys.append(key)
            case .list(let root) where offset < FileFormat.lastIndexOffset:
                keys.append(try IndexList(space, root).key(at: 0))
            default: undecided += try entry.keys(in: space)
            }
            return true
        }
    }
}
