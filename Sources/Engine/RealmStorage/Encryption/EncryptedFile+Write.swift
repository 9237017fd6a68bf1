// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension EncryptedFile {
    /// The maximum number of changed pages in memory. At the limit they are written immediately.
    private static let dirtyPageLimit = 4096
    /// The maximum number of pages recorded as durable. Forgetting some only causes a redundant write.
    private static let durablePageLimit = 1 << 18
    /// Pages of one commit that stay in memory for its readers.
    private static let residentPageLimit = 64

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        guard unsafe !bytes.isEmpty else { return }
        if offset + bytes.count > (try size()) { try resize(to: offset + bytes.count) }
        try EncryptedFile.forEachPage(offset, bytes.count) { page, within, done in
            let part = unsafe UnsafeRawBufferPointer(rebasing: unsafe bytes[done..<done + within.count])
            try lock.locked {
                let change = try change(page, isWhole: within.count == EncryptedLayout.pageByteCount)
                unsafe change.set(part, at: within.lowerBound)
                forEachMapping { pages in unsafe pages.patch(page, at: within.lowerBound, with: part) }
            }
        }
        if lock.locked({ dirty.count >= EncryptedFile.dirtyPageLimit }) { try sync() }
    }

    /// A damaged page can be replaced as a whole, but not in part. Guarded by `lock`.
    private func change(_ page: Int, isWhole: Bool) throws -> DirtyPage {
        if let change = try changed(page) { return change }
        let buffer = PageBuffer()
        let isFree = freshlyFreed.take(page)
        let current = isFree ? nil : try present(page, isWhole: isWhole, into: buffer)
        let change = DirtyPage(
            page, content: buffer, found: try entry(page), current: current, generation: generation, isFree: isFree)
        dirty[page] = change
        return change
    }

    /// Zeros and nil if the page is absent.
    private func present(_ page: Int, isWhole: Bool, into buffer: PageBuffer) throws -> PageSeal? {
        do {
            switch try resolvedContent(page, into: buffer) {
            case .sealed(let seal): return seal
            case .spoiled where freshlyFreed.mayBeSpoiled(page): break
            case .absent: break
            case .spoiled, .damaged: throw damaged(page)
            }
        } catch let error as StorageError {
            guard isWhole else { throw error }
        }
        buffer.clear()
        return nil
    }

    // MARK: Sync

    /// Writes the changes durably. After a failure the changes are kept, and the next call writes all of them again.
    package func sync() throws { try sync(then: nil) }

    /// Writes the changes and then `bytes` at `offset`, durably. The entry of the page that changes last is written
    /// with the others; until that page is written, its second seal matches, or its copy exists.
    package func sync(then bytes: [UInt8], at offset: Int) throws {
        precondition(offset + bytes.count <= EncryptedLayout.pageByteCount)
        try sync(then: LastChange(start: offset, bytes: bytes))
    }

    /// Applied to page 0 when everything else is durable.
    private struct LastChange {
        let start: Int
        let bytes: [UInt8]

        func apply(to buffer: PageBuffer) {
            unsafe buffer.mutableBytes[start...].copyBytes(from: bytes)
        }

        func result(on buffer: PageBuffer) -> PageBuffer {
            let result = PageBuffer()
            result.copy(from: buffer)
            apply(to: result)
            return result
        }
    }

    /// The pages of one sync, in the order in which they must become durable.
    private struct Parts {
        /// Page 0 of a new file, written before its entry: the entry of a new file never exists without the page.
        var first: [DirtyPage] = []
        /// Written together with all entries.
        var loose: [DirtyPage] = []
        /// Written after the entries are durable.
        var free: [DirtyPage] = []
        /// Written after their copies are durable too, because their contents are needed.
        var live: [DirtyPage] = []
        /// Page 0, written after all others.
        var header: [DirtyPage] = []
    }

    private func sync(then last: LastChange?) throws {
        lock.locked { isHarmed = false }
        let all = try gather(last)
        guard let part = try partWithCopies(all) else { return try write(all, then: last) }
        try write(part, then: nil)
        try sync(then: last)
    }

    /// Returns nil if all changes can be written at once. If the disk is full and there are too few pages for copies,
    /// returns the pages that can be written, including page 0. The others then use the same pages for their copies.
    private func partWithCopies(_ all: [DirtyPage]) throws -> [DirtyPage]? {
        let liveCount = all.count { $0.isLive && $0.isChanged }
        let copyCount = try copyCount(for: liveCount)
        guard copyCount > 1, copyCount < liveCount else { return nil }
        var rest = copyCount - 1
        return all.filter { change in
            guard change.isLive, change.isChanged, change.page != 0 else { return true }
            rest -= 1
            return rest >= 0
        }
    }

    private func write(_ all: [DirtyPage], then last: LastChange?) throws {
        let hasSynced = try resolve(all)
        let changes = all.filter(\.isChanged)
        guard !changes.isEmpty else {
            if !hasSynced { try syncInner() }
            return lock.locked { for change in all { dirty[change.page] = nil } }
        }
        let copies = try makeCopies(of: changes.filter(\.isLive))
        let parts = try divide(changes, copies)
        let announcements = try seal(changes, copies, last)
        // If a later step fails, the state of these pages on disk is unknown.
        lock.locked {
            for change in changes + copies { durable[change.page] = nil }
            resolvedEntry = nil
        }
        if !parts.first.isEmpty { try writeDurably(parts.first) }
        for announcement in announcements { try announcement.write(to: inner) }
        // The barrier: no other page may reach the disk before its entry.
        try writeDurably(parts.loose)
        if !parts.free.isEmpty { try writeDurably(parts.free) }
        if !parts.live.isEmpty { try writeDurably(parts.live, areLive: true) }
        if let last { lock.locked { for change in changes where change.page == 0 { last.apply(to: change.content) } } }
        if !parts.header.isEmpty { try writeDurably(parts.header, areLive: true) }
        lock.locked {
            for change in all { dirty[change.page] = nil }
            finish(changes + copies)
            isHarmed = false
        }
    }

    /// The changed pages in order. Page 0 is included if another live page is changed: until everything is durable, its
    /// entry indicates that the commit may be incomplete (`doubtfulPages`).
    private func gather(_ last: LastChange?) throws -> [DirtyPage] {
        try lock.locked {
            for page in Array(dirty.keys) { _ = try changed(page) }
            let marks = dirty.values.contains { $0.page != 0 && $0.isLive && $0.isChanged }
            if try last != nil || marks && entry(0).newest.counter != 0 {
                try change(0, isWhole: false).isChanged = true
            }
            return dirty.values.ordered { $0.page < $1.page }
        }
    }

    private func divide(_ changes: [DirtyPage], _ copies: [DirtyPage]) throws -> Parts {
        var parts = Parts()
        for change in (changes + copies).ordered(by: { $0.page < $1.page }) {
            if change.page == 0 {
                if change.isLive { parts.header.append(change) } else { parts.first.append(change) }
            } else if change.isLive {
                parts.live.append(change)
            } else if try isLoose(change) {
                parts.loose.append(change)
            } else {
                parts.free.append(change)
            }
        }
        return parts
    }

    /// `areLive`: whether data are lost if this fails half-way, unless the pages are mended.
    private func writeDurably(_ changes: [DirtyPage], areLive: Bool = false) throws {
        if areLive { lock.locked { isHarmed = true } }
        try writePages(changes)
        try syncInner()
    }

    func syncInner() throws {
        let byteCount = try inner.size()
        do {
            try inner.sync()
        } catch {
            lock.locked { isHarmed = true }
            throw error
        }
        lock.locked { durableByteCount = byteCount }
    }

    /// Discards the changes in memory, so that a commit that ran out of space leaves room for a smaller one.
    package func giveUp() -> Bool {
        lock.locked {
            freshlyFreed = FreshlyFreedPages()
            guard !isHarmed else { return false }
            dirty.removeAll()
            entryPages.removeAll()
            return true
        }
    }

    /// Whether the page may reach the disk before its entry. Its old content isn't needed, and with any entry that may
    /// be on disk, the page counts as never written until both are there.
    func isLoose(_ change: DirtyPage) throws -> Bool {
        guard change.isFree, change.attempted == nil else { return false }
        return try lock.locked {
            let entry = try entry(change.page)
            guard entry.newest.counter == 0 else {
                return entry.isSingle && durable[change.page] == entry.newest.stamp
            }
            // A process that truncated and extended the file has committed, and has therefore sealed page 0.
            let isOurs = durable[0] == (try self.entry(0).newest.stamp)
            return isOurs && EncryptedLayout.offset(ofPage: change.page + 1) <= durableByteCount
        }
    }

    // MARK: Sealing

    private struct Announcement {
        let block: Int
        var entries: EntryPage
        var pages: ClosedRange<Int>

        mutating func set(_ page: Int, _ entry: PageEntry) {
            entries[page] = entry
            pages = min(pages.lowerBound, page)...max(pages.upperBound, page)
        }

        func write(to file: any DatabaseFile) throws {
            let range = EntryPage.range(pages.lowerBound).lowerBound..<EntryPage.range(pages.upperBound).upperBound
            let offset = EncryptedLayout.offset(ofBlock: block)
            unsafe try entries.bytes.withUnsafeBytes { bytes in
                unsafe try file.write(UnsafeRawBufferPointer(rebasing: bytes[range]), at: offset + range.lowerBound)
            }
        }
    }

    private func seal(
        _ changes: [DirtyPage], _ copies: [DirtyPage], _ last: LastChange?
    ) throws -> [Announcement] {
        var announcements: [Int: Announcement] = [:]
        for change in changes + copies {
            let block = change.page / EncryptedLayout.blockPageCount
            var announcement =
                try announcements[block]
                ?? Announcement(
                    block: block, entries: try EntryPage(inner, block: block), pages: change.page...change.page)
            announcements[block] = nil
            let used = max(change.lastCounter, announcement.entries[change.page].newest.counter)
            let counter = used == 0 ? lock.locked { retiredCounters[change.page] ?? 0 } : used
            let entry: PageEntry
            if let original = change.original {
                entry = copy(original, to: change, after: counter)
            } else {
                let isLast = last != nil && change.page == 0
                let content = isLast ? last?.result(on: change.content) ?? change.content : change.content
                entry = seal(change, content, after: counter)
            }
            lock.locked { change.attempted = entry }
            announcement.set(change.page, entry)
            announcements[block] = announcement
        }
        return announcements.values.ordered { $0.block < $1.block }
    }

    private static func next(_ counter: UInt32) -> UInt32 { counter == .max ? 1 : counter + 1 }

    /// The copy has the tag of the original, because the ciphertext is the same. The tag is used to find the copy.
    private func copy(_ original: DirtyPage, to copy: DirtyPage, after used: UInt32) -> PageEntry {
        copy.ciphertext = original.ciphertext
        let tag = original.attempted?.newest.tag ?? .none
        return PageEntry(newest: PageSeal(counter: EncryptedFile.next(used), tag: tag), previous: .none)
    }

    /// Encrypts the new content of a page and creates its new entry (container 9.6, steps 1 and 2). `used` is the last
    /// counter ever used for the page: no counter is used twice.
    private func seal(_ change: DirtyPage, _ content: PageBuffer, after used: UInt32) -> PageEntry {
        let previous = change.current ?? .none
        let ciphertext = PageBuffer()
        var counter = used
        var tag: PageTag
        repeat {
            counter = EncryptedFile.next(counter)
            let vector = EncryptedLayout.vector(counter: counter, page: change.page)
            unsafe cipher.encrypt(content.bytes, into: ciphertext.mutableBytes, vector: vector)
            tag = unsafe cipher.tag(of: ciphertext.bytes)
        } while tag == previous.tag
        change.ciphertext = ciphertext
        return PageEntry(newest: PageSeal(counter: counter, tag: tag), previous: previous)
    }

    private func writePages(_ changes: [DirtyPage]) throws {
        var run: [UInt8] = []
        var start = 0
        for change in changes {
            guard let ciphertext = change.ciphertext else { continue }
            let offset = EncryptedLayout.offset(ofPage: change.page)
            if start + run.count != offset {
                if !run.isEmpty { try inner.write(run, at: start) }
                run.removeAll(keepingCapacity: true)
                start = offset
            }
            unsafe run.append(contentsOf: ciphertext.bytes)
        }
        if !run.isEmpty { try inner.write(run, at: start) }
    }

    /// Called when all of `changes` are durable in the file. Guarded by `lock`.
    private func finish(_ changes: [DirtyPage]) {
        if durable.count > EncryptedFile.durablePageLimit { durable.removeAll() }
        for change in changes {
            let page = change.page
            retiredCounters[page] = nil
            entryPages[page / EncryptedLayout.blockPageCount] = nil
            guard let seal = change.attempted?.newest else { continue }
            durable[page] = seal.stamp
            guard change.original == nil else { continue }
            forEachMapping { pages in
                if change.isFree {
                    // For a large commit, only pages that are already in memory are kept.
                    let isKept = changes.count <= EncryptedFile.residentPageLimit && pages.contains(page)
                    guard isKept || pages.stamp(page) != nil else { return }
                    unsafe pages.store(page, unsafe change.content.bytes)
                } else if !isSame(change, pages) {
                    return
                }
                pages.note(page, seal.stamp, generation: generation)
            }
        }
    }

    /// Whether the page in memory is the changed one, or was filled from the change.
    private func isSame(_ change: DirtyPage, _ pages: LazyPages) -> Bool {
        guard let stamp = pages.stamp(change.page) else { return false }
        return (stamp == change.current?.stamp || stamp == .unsealed) && pages.isCurrent(change.page)
    }
}
