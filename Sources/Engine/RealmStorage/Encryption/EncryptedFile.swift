// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The data space of an encrypted file (container 9): a `DatabaseFile` over the one that holds the encrypted pages.
///
/// Pages are decrypted when they are first looked at, and gathered when they are written until `sync` or until there
/// are many. A page whose code does not match is an error that names it, never other bytes.
///
/// Of the disk is assumed that it writes 512 bytes whole, and that what was synced is there. An entry lies within such
/// a piece; a page may be torn, and hold parts of two contents. What a crash leaves can be read nevertheless:
///
/// * **Free pages** hold nothing that is needed (`disuse`). Such a page gets an entry with one seal, and counts as
///   never written when it does not fit that (container 9.5, step 4). So from then on entry and page may reach the disk
///   in any order and in any parts (`isLoose`).
/// * **Live pages**, page 0 above all, are written in three steps, each durable before the next begins. (1) The new
///   seal goes into the entry, where the seal of the present content moves to second place; and the new ciphertext goes
///   as it is to a free page, whose entry gets one seal with the same tag: the copy. (2) The page is written. (3) Page
///   0 is, with the flip. Until (2) the second seal fits. From then on the page is what it was, or what it is to be, or
///   torn; and then the copy is whole: it is found by its tag, which nothing else has (`restore`).
/// * No process writes to a free page before all live pages are known to be durable of which a copy may be needed
///   (`resolve`). Page 0 is always taken for such a one, unless this object has made it durable. Others are only if
///   page 0 is not what its entry announces, since page 0 is written when they are durable: then those count of whose
///   tags there are two. The copy of a page is of no use from then on, and its place is free space as before;
///   realm-core sees nothing else in it either.
///
/// The system may show what the disk lacks, because a sync failed and it takes the pages for written. So the present
/// content of a page, before its older seal is given up, must be durable for certain: unless this object has made it
/// so, it is written once more as it is, the same bytes, and synced (`resolve`). With that, every entry that may be on
/// disk fits every page that may be there, whatever fails and whichever process opens the file next:
/// * after `resolve`, there is one content, and all entries that may be there fit it;
/// * the new entry fits it too, and only when that and the copy are durable the new content is written.
///
/// A commit that finds free pages for all it writes, and for the copy of page 0, waits for the disk twice, as in a file
/// that is not encrypted: entries, free pages and the copy go together, and then page 0. `SpaceAllocator` sees to it
/// that there is a free page, and `Database.prepareForWriting` for the copies of databases that realm-core makes, which
/// have none. Where no commit has said what is free there are no copies: in a file that is being made, which counts
/// only when it is done. The first page of a new file becomes durable before its entry.
///
/// `lock` guards all mutable state, the pages' memory included, and is held while one page is read and decrypted. Reads
/// may come from any thread. `write`, `resize` and `sync` come from the one writer, and only they change the file.
package final class EncryptedFile: DatabaseFile, PageSource, @unchecked Sendable {
    let inner: any DatabaseFile
    package let cipher: any PageCipher
    let lock = Lock()
    /// Grows whenever another process may have written.
    var generation: UInt64 = 1
    var dirty: [Int: DirtyPage] = [:]
    /// The entries seen in this generation, by block.
    var entryPages: [Int: EntryPage] = [:]
    /// What was read last, not by way of a mapping: header and top array as a rule, which are read again and again.
    var kept: [Int: CachedPage] = [:]
    /// The last counters of pages whose entries were cut off, so that they are not used again.
    var retiredCounters: [Int: UInt32] = [:]
    /// The contents that this object has made durable, by page. What others wrote, or an earlier opening, need not be
    /// durable: they may have failed, or been killed, between a write and its sync.
    var durable: [Int: LazyPages.Stamp] = [:]
    /// What is not needed any more, as the commit that is under way told.
    var disused = FreshlyFreedPages()
    /// The entry of page 0 when it was settled last, unless something was written since.
    var resolvedEntry: PageEntry?
    /// Whether page 0 was found not to be what was written last.
    var hasDoubt = false
    /// Whether a sync has failed, or pages that are needed are being written.
    var isHarmed = false
    /// Pages that stayed wrong, with the entry that they did not fit.
    var wrong: [Int: PageEntry] = [:]
    /// How often that was so of a page that is no free one, as far as its entry tells.
    var damageCount = 0
    /// How long the file on disk is at least, unless another process has changed it since.
    var durableByteCount = 0
    private var mappings: [WeakMapping] = []

    private struct WeakMapping { weak var mapping: FileMapping? }

    package var path: String { inner.path }
    package var identity: FileIdentity? { inner.identity }

    /// Opens the content of `inner`, which may be empty. Throws if the keys of `cipher` don't fit, if the file isn't
    /// encrypted, or if its first page is damaged and `toleratesDamage` is false.
    package init(_ inner: any DatabaseFile, cipher: any PageCipher, toleratesDamage: Bool = false) throws {
        self.inner = inner
        self.cipher = cipher
        try verifyKey(toleratesDamage: toleratesDamage)
    }

    /// `file` as it is, or decrypted if there is a cipher.
    package static func wrap(
        _ file: any DatabaseFile, _ cipher: (any PageCipher)?, toleratesDamage: Bool = false
    ) throws -> any DatabaseFile {
        guard let cipher else { return file }
        return try EncryptedFile(file, cipher: cipher, toleratesDamage: toleratesDamage)
    }

    // MARK: DatabaseFile

    package var writeUnit: Int { EncryptedLayout.pageByteCount }

    package func size() throws -> Int { EncryptedLayout.dataByteCount(fileByteCount: try inner.size()) }

    /// Reads the data space; a page that was never written reads as zeros.
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
            // What is cut off may contain a copy that may be needed.
            _ = try resolve([])
            try cut(to: size, from: old)
        }
        try inner.resize(to: new)
        lock.locked { durableByteCount = min(durableByteCount, new) }
        // A new file has both its pages or nothing, so that an entry alone is not taken for a foreign file.
        if old == 0 { try inner.sync() }
    }

    package func disuse(_ parts: [Range<Int>], doubtful: [Range<Int>]) {
        lock.locked { disused = FreshlyFreedPages(parts, doubtful: doubtful) }
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

    // MARK: Parts

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

    /// The memory of all mappings; `lock` is held.
    func forEachMapping(_ body: (LazyPages) -> Void) {
        for one in mappings {
            guard let mapping = one.mapping, let pages = mapping.pages else { continue }
            withExtendedLifetime(mapping) { body(pages) }
        }
    }

    /// Splits a range of the data space by pages: the page, the range within it, and how many bytes came before.
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

    /// Gives up what lies behind `size`.
    private func cut(to size: Int, from old: Int) throws {
        let first = EncryptedLayout.pageCount(dataByteCount: size)
        let end = EncryptedLayout.dataByteCount(fileByteCount: old) / EncryptedLayout.pageByteCount
        let (firstBlock, endBlock) = (
            first / EncryptedLayout.blockPageCount + 1, end / EncryptedLayout.blockPageCount
        )
        // Where the pages fill their block, the file ends with the entries of the next one: those of pages that were
        // cut off before (container 9.3).
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
