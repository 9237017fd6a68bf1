// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The latest versions of a partition, without a gap. A spool file holds the older ones.
struct RetainedVersions {
    /// Compact, because a client that was offline for long needs many.
    struct Version {
        let salted: SaltedVersion
        let order: ChangeOrder
        /// The newest earlier version that was made by another file.
        fileprivate(set) var previousOfOther: UInt64
        /// The total size of the retained versions up to this one, in bytes, for progress.
        fileprivate(set) var totalBytes: Int
        /// The changeset, or nil for most versions, because it needs about ten times the memory of the bytes.
        fileprivate(set) var decoded: Changeset?
        fileprivate var content: Content
        let originalSize: UInt32
        let instructionCount: UInt32
        let isEmpty: Bool
        /// Whether it changes classes or properties.
        let hasSchema: Bool

        fileprivate enum Content {
            case memory([UInt8], ViewChanges?)
            /// The encoded changeset, and then the views if they have a size.
            case spooled(SpooledBytes, start: UInt32, size: UInt32, viewsSize: UInt32)
        }

        /// The encoded changeset.
        var kept: KeptBytes {
            switch content {
            case .memory(let bytes, _): .memory(bytes)
            case .spooled(let spooled, let start, let size, _): .part(spooled, Int(start)..<Int(start) + Int(size))
            }
        }

        /// Nil with partitions, and if no query has the objects of the version.
        ///
        /// - Throws: `SystemError` if they can't be read from their file.
        var views: ViewChanges? {
            get throws {
                switch content {
                case .memory(_, let views): return views
                case .spooled(_, _, _, 0): return nil
                case .spooled(let spooled, let start, let size, let viewsSize):
                    let offset = Int(start) + Int(size)
                    var reader = RecordReader(try spooled.bytes(in: offset..<offset + Int(viewsSize))[...])
                    return try ViewChanges(&reader)
                }
            }
        }

        /// - Throws: `SystemError` if it can't be read from its file.
        var changeset: Changeset {
            get throws {
                if let decoded { return decoded }
                return isEmpty ? Changeset() : try Changeset(decoding: try kept.bytes)
            }
        }

        /// Returns the version in memory, for several uses.
        ///
        /// - Throws: `SystemError` if it can't be read from its file.
        func loaded() throws -> Version {
            var version = self
            version.decoded = try changeset
            version.content = .memory(try kept.bytes, try views)
            return version
        }

        /// The approximate size of the parts that a spool file can hold; 0 if it holds them.
        fileprivate var memorySize: Int {
            guard case .memory(let bytes, let views) = content else { return 0 }
            return bytes.count + (views.map { $0.members.count * 96 + $0.states.count * 256 } ?? 0)
        }
    }

    /// The version before the first one.
    private(set) var base = SaltedVersion()
    private(set) var all: [Version] = []
    /// The first version whose changeset is decoded. Those before it are merged only by files that are behind.
    private var firstDecoded: UInt64 = 1
    /// The first version that isn't in the spool file, and the size of the versions from it on, in bytes.
    private var firstInMemory: UInt64 = 1
    private var memorySize = 0
    /// The size after which a failed move to the spool file is tried again.
    private var retrySize = 0
    /// The size of the latest versions that stay in memory, in bytes. The changesets of a quarter are decoded.
    private let maxMemory: Int

    init(maxMemory: Int) { self.maxMemory = maxMemory }

    var newest: SaltedVersion { all.last?.salted ?? base }

    /// The version must be after `base` and not after `newest`.
    subscript(version: UInt64) -> Version { all[Int(version - base.version) - 1] }

    func salt(of version: UInt64) -> UInt64? {
        if version == 0 { return 0 }
        if version == base.version { return base.salt }
        return version > base.version && version <= newest.version ? self[version].salted.salt : nil
    }

    func after(_ version: UInt64) -> ArraySlice<Version> {
        all[Int(min(max(version, base.version), newest.version) - base.version)...]
    }

    /// The total size of all versions, in bytes.
    var totalBytes: Int { all.last?.totalBytes ?? 0 }

    /// The total size of the versions up to one, in bytes.
    func totalBytes(at version: UInt64) -> Int {
        version <= base.version ? 0 : self[min(version, newest.version)].totalBytes
    }

    // MARK: Changes

    /// Removes all versions. The next one follows `version`.
    mutating func restart(at version: SaltedVersion) {
        self = RetainedVersions(maxMemory: maxMemory)
        base = version
    }

    /// Returns the size that counts for progress, in bytes.
    ///
    /// - Parameter spool: Receives the oldest versions in memory if there are too many.
    mutating func append(
        _ record: VersionRecord, _ changeset: Changeset, _ views: ViewChanges?, hasSchema: Bool, _ spool: SpoolFile?
    ) -> Int {
        let size = changeset.isEmpty ? 0 : record.originalSize
        let last = all.last
        let version = Version(
            salted: record.version, order: ChangeOrder(timestamp: record.timestamp, fileIdent: record.origin),
            previousOfOther: last.map { $0.order.fileIdent == record.origin ? $0.previousOfOther : newest.version }
                ?? base.version,
            totalBytes: totalBytes + size, decoded: changeset, content: .memory(record.bytes, views),
            originalSize: UInt32(clamping: record.originalSize),
            instructionCount: UInt32(clamping: changeset.instructions.count), isEmpty: changeset.isEmpty,
            hasSchema: hasSchema)
        all.append(version)
        memorySize += version.memorySize
        forgetDecoded()
        if let spool { move(to: spool) }
        return size
    }

    private mutating func forgetDecoded() {
        firstDecoded = max(firstDecoded, base.version + 1)
        while totalBytes - totalBytes(at: firstDecoded - 1) > maxMemory / 4, firstDecoded <= newest.version {
            all[Int(firstDecoded - base.version) - 1].decoded = nil
            firstDecoded += 1
        }
    }

    /// Moves the oldest versions in memory to the spool file if there are too many. If that fails, they remain.
    private mutating func move(to spool: SpoolFile) {
        firstInMemory = max(firstInMemory, base.version + 1)
        guard memorySize > max(maxMemory, retrySize) else { return }
        var writer = RecordWriter()
        var ends: [(changeset: Int, views: Int)] = []
        let first = Int(firstInMemory - base.version) - 1
        for version in all[first...] {
            guard writer.bytes.count < maxMemory / 4, version.salted.version < firstDecoded,
                case .memory(let bytes, let views) = version.content
            else { break }
            writer.raw(bytes)
            let end = writer.bytes.count
            views?.write(to: &writer)
            ends.append((end, writer.bytes.count))
        }
        guard !ends.isEmpty, writer.bytes.count <= UInt32.max, let stored = try? spool.store(writer.bytes) else {
            retrySize = memorySize + maxMemory / 4
            return
        }
        retrySize = 0
        var start = 0
        for (index, end) in zip(first..., ends) {
            memorySize -= all[index].memorySize
            all[index].content = .spooled(
                stored, start: UInt32(start), size: UInt32(end.changeset - start),
                viewsSize: UInt32(end.views - end.changeset))
            start = end.views
        }
        firstInMemory += UInt64(ends.count)
    }

    /// Removes the versions up to one. Returns false, without effect, if it isn't retained.
    mutating func trim(through version: UInt64) -> Bool {
        guard version > base.version, let salt = salt(of: version) else { return false }
        let bytes = totalBytes(at: version)
        all = after(version).map {
            var kept = $0
            kept.previousOfOther = max($0.previousOfOther, version)
            kept.totalBytes -= bytes
            return kept
        }
        base = SaltedVersion(version: version, salt: salt)
        memorySize = all.reduce(0) { $0 + $1.memorySize }
        return true
    }
}
