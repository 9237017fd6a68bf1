// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The tables of a file of formats 2 to 9 (older 2.3).
struct RowDirectory {
    let names: [String]
    let refs: [Ref]

    init(_ directory: TableDirectory, _ space: NodeSpace) throws {
        names = directory.names
        refs = directory.elements.map { Ref(element: $0) }
        for (element, ref) in zip(directory.elements, refs) {
            guard !Tagged.isTagged(element) else { throw RowDirectory.halfUpgraded(nil) }
            let count = try space.refs(ref).count
            guard count == RowFormat.Table.count else { throw RowDirectory.halfUpgraded(count) }
        }
    }

    /// Throws if the file can't be upgraded, as far as that can be detected without reading the rows.
    static func validate(_ top: TopArray, _ space: NodeSpace) throws {
        _ = try RowDirectory(TableDirectory(top, in: space), space)
    }

    /// Realm 6 to 10 upgraded in several commits, and kept the old format in the header until the last one (older 2.4).
    private static func halfUpgraded(_ slotCount: Int?) -> any Error {
        StorageError(
            .invalidDatabase,
            "an upgrade of this file was begun and not finished"
                + (slotCount.map { " (it has a table of \($0) slots)" } ?? " (it has a vacant table)")
                + "; a Realm 6 to 10 before 10.46 finishes it, open the file with that once")
    }
}
