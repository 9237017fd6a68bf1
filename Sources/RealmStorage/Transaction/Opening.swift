// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Finds the version that a file's header names, after the file was brought in order where that is needed.
struct Opening {
    let file: any DatabaseFile
    let isReadOnly: Bool
    var options = OpenOptions()

    /// Loads the newest version of a file that may be shared with other processes.
    ///
    /// In a session that goes on, the file is in order as a rule, and a writer need not be waited for.
    func load(
        _ sharing: SharedAccess?, _ others: Participants?, _ registry: inout VersionRegistry
    ) throws -> Database.Committed {
        guard let sharing else { return try prepareAndLoad(readers: []) }
        if sharing.session.isJoined, let state = try? loadPinned(&registry) { return state }
        return try sharing.writeLock.locked {
            try file.refresh()
            return try prepareAndLoad(readers: others?.others().flatMap(\.pins).map(\.record) ?? [])
        }
    }

    /// For whoever has the right to write. `readers` are the versions that others hold.
    private func prepareAndLoad(readers: [VersionRecord]) throws -> Database.Committed {
        guard !isReadOnly, !options.leavesFile else { return try load() }
        try Database.prepareForWriting(file, options)
        let state = try load()
        try giveBackTail(of: state, readers + [state.settleFlip(in: file)].compactMap(\.self))
        return state
    }

    /// Loads while others may commit; nil if the file has to be brought in order first.
    private func loadPinned(_ registry: inout VersionRegistry) throws -> Database.Committed? {
        let (named, pin) = try NamedVersion.pinNewest(of: file, in: &registry, "opening")
        defer { registry.unpin(pin) }
        guard named.isInOrder else { return nil }
        try file.refresh()
        return try load(at: named)
    }

    /// Reads the header and the top array it selects (container 1.4, 5.4). For writing, it refuses what may not be
    /// written. With `named`, which is pinned, other processes may commit meanwhile.
    func load(at named: NamedVersion? = nil) throws -> Database.Committed {
        let size = try named?.size ?? file.size()
        let header = try named?.header ?? FileHeader(file, size: size)
        let topRef = try header.topRef(file, size: size)
        let era = FileEra(header.format)
        guard header.format == FileFormat.version || era != nil || (header.format == 0 && topRef == 0) else {
            throw FileEra.refusal(header.format)
        }
        let mapping = try Database.map(file, atLeast: size, withSlab: !isReadOnly || era != nil)
        guard topRef != 0 else {
            if !isReadOnly { try Database.validateWritable(header, nil, options) }
            let start = FileFormat.Header.byteCount
            return Database.Committed(version: 1, topRef: 0, logicalSize: start, header: header, mapping: mapping)
        }
        let space = NodeSpace(mapping: mapping, fileEnd: Ref(size), writable: false)
        let top = try TopArray(space, topRef, fileSize: size)
        if !isReadOnly { try Database.validateWritable(header, top, options) }
        return Database.Committed(
            version: top.version, topRef: topRef, logicalSize: top.logicalSize, header: header, mapping: mapping)
    }

    /// Gives back what a crash, or the last session, left behind the logical end (container 1.6, step 4), but nothing
    /// that somebody may read.
    ///
    /// After the file was found to be one that may be written.
    private func giveBackTail(of state: Database.Committed, _ readers: [VersionRecord]) throws {
        let page = Database.pageByteCount
        let end = readers.reduce(state.logicalSize) { max($0, $1.logicalSize) }
        let target = (end + page - 1) / page * page
        if state.topRef != 0, target < (try file.size()) { try file.resize(to: target) }
    }
}
