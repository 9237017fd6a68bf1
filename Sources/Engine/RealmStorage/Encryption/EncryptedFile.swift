// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The data space of an encrypted file (container 9): a `DatabaseFile` that stores encrypted pages in another one.
///
/// Pages are decrypted on first access. Changed pages are collected until `sync`, or until there are many. A page whose
/// code doesn't match causes an error with its position; its bytes are never returned.
///
/// We assume that 512-byte writes are atomic, and that synced data are on disk. An entry is within such a unit. A page
/// can be torn: it then has parts of two contents. The state after a crash can nevertheless be read:
///
/// * **Free pages** have no data that is needed (`discardUnused`). Such a page gets an entry with one seal, and counts
///   as never written if it doesn't match the seal (container 9.5, step 4). So from then on entry and page may reach
///   the disk in any order and in any parts (`isLoose`).
/// * **Live pages**, above all page 0, are written in three steps, each durable before the next begins. (1) The new
///   seal is written to the entry, where the seal of the present content becomes the second one. The new ciphertext is
///   written to a free page, whose entry gets one seal with the same tag: the copy. (2) The page is written. (3) Page 0
///   is written, with the flip. Until (2) the second seal matches. From then on the page has its old content, or its
///   new content, or is torn; in that case the copy is complete and can be found by its unique tag (`restore`).
/// * No process writes to a free page before all live pages whose copies may be needed are known to be durable
///   (`resolve`). Page 0 is always assumed to be one of them, unless this object has made it durable. The others are
///   the pages whose tags occur twice, but only if page 0 doesn't match its entry's newest seal, because page 0 is
///   written when they are durable. Afterwards the copy of a page isn't needed, and its page is free again. To
///   realm-core it is always free space.
///
/// The system may show data that the disk lacks, because a sync failed and the system treats the pages as written. So
/// the present content of a page must certainly be durable before its older seal is replaced: unless this object has
/// made it durable, the same bytes are written again and synced (`resolve`). Then every entry that may be on disk
/// matches every page that may be on disk, whatever fails and whichever process opens the file next:
///
/// * After `resolve`, there is one content, and all entries that may be on disk match it.
/// * The new entry matches it too, and the new content is written only when the entry and the copy are durable.
///
/// A commit that finds free pages for all its writes, and for the copy of page 0, waits for the disk twice, as in a
/// file that isn't encrypted: first for entries, free pages, and the copy together, and then for page 0. `SpaceReserve`
/// ensures that there are free pages, and `Database.prepareForWriting` does so for copies of databases made by
/// realm-core, which lack them. On a full disk, live pages are written in several such syncs, whose copies use the same
/// free pages (`partWithCopies`). If no commit has reported free pages, no copies are made: this is the case in a file
/// that is being created, which isn't valid until it's complete. The first page of a new file becomes durable before
/// its entry.
///
/// `lock` guards all mutable state, including the pages' memory, and is held while one page is read and decrypted.
/// Reads can be made from any thread. `write`, `resize`, and `sync` are called by the one writer, and only they change
/// the file.
package final class EncryptedFile: DatabaseFile, PageSource, @unchecked Sendable {
    let inner: any DatabaseFile
    package let cipher: any PageCipher
    let lock = Lock()
    /// Incremented whenever another process may have written.
    var generation: UInt64 = 1
    var dirty: [Int: DirtyPage] = [:]
    /// The entries read in this generation, by block.
    var entryPages: [Int: EntryPage] = [:]
    /// The pages last read without a mapping: usually the header and the top array, which are read repeatedly.
    var kept: [Int: CachedPage] = [:]
    /// The last counters of pages whose entries were truncated, so that they aren't reused.
    var retiredCounters: [Int: UInt32] = [:]
    /// The contents that this object has made durable, by page. Contents written by others, or by an earlier opening,
    /// may not be durable: the writer may have failed, or been killed, between a write and its sync.
    var durable: [Int: LazyPages.Stamp] = [:]
    /// The pages that aren't needed any more, as reported by the current commit.
    var freshlyFreed = FreshlyFreedPages()
    /// The entry of page 0 when it was last resolved, unless anything has been written since.
    var resolvedEntry: PageEntry?
    /// Whether page 0 didn't have the content written last.
    var hasDoubt = false
    /// Whether a sync has failed, or live pages are being written.
    var isHarmed = false
    /// Pages that stayed damaged, with the entry that they didn't match.
    var wrong: [Int: PageEntry] = [:]
    /// The number of such pages that aren't free, according to their entries.
    var damageCount = 0
    /// The minimum length of the file on disk, unless another process has changed it since.
    var durableByteCount = 0
    private var mappings: [WeakMapping] = []

    private struct WeakMapping { weak var mapping: FileMapping? }

    package var path: String { inner.path }
    package var identity: FileIdentity? { inner.identity }

    /// Opens the content of `inner`, which may be empty. Throws if the keys of `cipher` don't match, if the file isn't
    /// encrypted, or if its first page is damaged and `toleratesDamage` is false.
    package init(_ inner: any DatabaseFile, cipher: any PageCipher, toleratesDamage: Bool = false) throws {
        self.inner = inner
        self.cipher = cipher
        try verifyKey(toleratesDamage: toleratesDamage)
    }

    package static func wrap(
        _ file: any DatabaseFile, _ cipher: (any PageCipher)?, toleratesDamage: Bool = false
    ) throws -> any DatabaseFile {
        guard let cipher else { return file }
        return try EncryptedFile(file, cipher: cipher, toleratesDamage: toleratesDamage)
    }

    // MARK: DatabaseFile

    package var writeUnit: Int { EncryptedLayout.pageByteCount }

    package func size() throws -> Int { EncryptedLayout.dataByteCount(fileByteCount: try inner.size()) }

    /// A page that was never written reads as zeros.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        guard offset >= 0, offset + buffer.count <= (try size()) else {
            throw SystemError("read past the end", path: path, number: EIO)
        }
        unsafe try copyPages(into: buffer, from: offset, load)
    }

    package func contents() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try size())
        unsafe try bytes.withUnsafeMutableBytes { unsafe try copyPages(into: $0, from: 0, loadForAudit) }
        return bytes
    }

    package func resize(to size: Int) throws {
        let old = try inner.size()
        let new = EncryptedLayout.fileByteCount(dataByteCount: size)
        if new < old {
            // The truncated part may contain a copy that is still needed.
            _ = try resolve([])
            try cut(to: size, from: old)
        }
        try inner.resize(to: new)
        lock.locked { durableByteCount = min(durableByteCount, new) }
        // A new file has both its pages or nothing, so that an entry alone isn't mistaken for a foreign file.
        if old == 0 { try inner.sync() }
    }

    package func discardUnused(_ parts: [Range<Int>], doubtful: [Range<Int>]) {
        lock.locked { freshlyFreed = FreshlyFreedPages(parts, doubtful: doubtful) }
    }

    package func refresh() throws {
        try inner.refresh()
        lock.locked {
            generation += 1
            entryPages.removeAll(keepingCapacity: true)
            forEachMapping { $0.begin(generation: generation) }
        }
    }

    package func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try lock.locked {
            let mapping = try FileMapping(
                pagesOf: self, generation: generation, path: path, fileWindow: fileWindow, slabWindow: slabWindow)
            mappings.removeAll { $0.mapping == nil }
            mappings.append(WeakMapping(mapping: mapping))
            return mapping
        }
    }

    // MARK: Pages

    private func copyPages(
        into buffer: UnsafeMutableRawBufferPointer, from offset: Int, _ load: (Int, PageBuffer) throws -> Void
    ) throws {
        let page = PageBuffer()
        try EncryptedFile.forEachPage(offset, buffer.count) { number, within, done in
            try lock.locked { try load(number, page) }
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: unsafe buffer[done..<done + within.count])
            unsafe part.copyMemory(from: UnsafeRawBufferPointer(rebasing: page.bytes[within]))
        }
    }

    /// Guarded by `lock`.
    func forEachMapping(_ body: (LazyPages) -> Void) {
        for one in mappings {
            guard let mapping = one.mapping, let pages = mapping.pages else { continue }
            withExtendedLifetime(mapping) { body(pages) }
        }
    }

    /// `within` is the range in the page, `done` the number of bytes before it.
    static func forEachPage(
        _ offset: Int, _ count: Int, _ body: (_ page: Int, _ within: Range<Int>, _ done: Int) throws -> Void
    ) rethrows {
        var done = 0
        while done < count {
            let start = (offset + done) % EncryptedLayout.pageByteCount
            let length = min(EncryptedLayout.pageByteCount - start, count - done)
            try body((offset + done) / EncryptedLayout.pageByteCount, start..<start + length, done)
            done += length
        }
    }

    private func cut(to size: Int, from old: Int) throws {
        let first = EncryptedLayout.pageCount(dataByteCount: size)
        let end = EncryptedLayout.dataByteCount(fileByteCount: old) / EncryptedLayout.pageByteCount
        let (firstBlock, endBlock) = (
            first / EncryptedLayout.blockPageCount + 1, end / EncryptedLayout.blockPageCount
        )
        // If the last block is full, the file ends with the entries of the next one, which belong to pages truncated
        // earlier (container 9.3).
        try lock.locked {
            for block in stride(from: firstBlock, through: endBlock, by: 1) {
                let entries = try EntryPage(inner, block: block)
                for page in (0..<EncryptedLayout.blockPageCount).map({ block * EncryptedLayout.blockPageCount + $0 }) {
                    let counter = entries[page].newest.counter
                    if counter != 0 { retiredCounters[page] = counter }
                }
            }
            entryPages.removeAll()
            dirty = dirty.filter { $0.key < first }
            kept = kept.filter { $0.key < first }
            durable = durable.filter { $0.key < first }
            wrong = wrong.filter { $0.key < first }
            forEachMapping { $0.forget(from: first, to: end) }
        }
    }
}
