// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension EncryptedFile {
    /// Changed pages that are kept in memory; more of them are written at once.
    private static let dirtyPageLimit = 4096
    /// Pages that are known to be durable; to forget some costs no more than to write them once too often.
    private static let durablePageLimit = 1 << 18

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        guard unsafe !bytes.isEmpty else { return }
        if offset + bytes.count > (try size()) { try resize(to: offset + bytes.count) }
        try EncryptedFile.forEachPage(offset, bytes.count) { page, within, done in
            let part = unsafe UnsafeRawBufferPointer(rebasing: unsafe bytes[done..<done + within.count])
            try lock.locked {
                let change = try change(page, isWhole: within.count == EncryptedLayout.pageByteCount)
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: unsafe change.content.mutableBytes[within])
                unsafe target.copyMemory(from: part)
                forEachMapping { pages in unsafe pages.patch(page, at: within.lowerBound, with: part) }
            }
        }
        if lock.locked({ dirty.count >= EncryptedFile.dirtyPageLimit }) { try sync() }
    }

    /// The page, ready to be changed; `lock` is held. A damaged page may be replaced as a whole, but not in part.
    private func change(_ page: Int, isWhole: Bool) throws -> DirtyPage {
        if let change = try changed(page) { return change }
        let buffer = PageBuffer()
        var current: PageSeal?
        do {
            switch try content(page, into: buffer) {
            case .sealed(let seal): current = seal
            case .absent, .damaged: buffer.clear()
            }
        } catch let error as StorageError {
            guard isWhole else { throw error }
            buffer.clear()
        }
        let change = DirtyPage(
            content: buffer, found: try entry(page), current: current, generation: generation)
        dirty[page] = change
        return change
    }

    // MARK: Sync

    /// Writes what was changed, and returns when it is durable. After a failure the changes are kept, and the next
    /// call begins anew.
    package func sync() throws {
        let changes = try lock.locked {
            for page in Array(dirty.keys) { _ = try changed(page) }
            return dirty.map { (page: $0.key, change: $0.value) }.sorted { $0.page < $1.page }
        }
        guard !changes.isEmpty else { return try inner.sync() }
        try settle(changes)
        // Whatever fails from here on, what is on disk of these pages is known no more.
        lock.locked { for (page, _) in changes { durable[page] = nil } }
        var sealed: [PageBuffer] = []
        for block in EncryptedFile.blocks(changes.map(\.page)) { sealed += try sealAndAnnounce(changes[block]) }
        // The barrier: no page may reach the disk before its entry has.
        try inner.sync()
        try writePages(changes.map(\.page), sealed)
        try inner.sync()
        lock.locked { finish(changes) }
    }

    /// Makes the present contents of the pages durable, as far as that is not certain.
    ///
    /// A sync by itself would not do: after one that failed, the next is called a success without what was lost; only
    /// what is written once more is durable then. So the pages are written as they are, with the seals they have. A
    /// crash leaves what was on disk or what is here, and the entries that may be there fit either.
    private func settle(_ changes: [(page: Int, change: DirtyPage)]) throws {
        let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
        var isComplete = true
        for (page, change) in changes {
            try lock.locked {
                // What an attempt that failed has left is looked at anew.
                if change.attempted != nil { entryPages[page / EncryptedLayout.blockPageCount] = nil }
                let entry = try entry(page)
                guard entry.newest.counter != 0, durable[page] != entry.newest.stamp else { return }
                let content = try content(page, entry, into: buffer, ciphertext)
                change.current = if case .sealed(let seal) = content { seal } else { nil }
                guard change.current != nil else { return }
                unsafe try inner.write(ciphertext.bytes, at: EncryptedLayout.offset(ofPage: page))
                isComplete = false
            }
        }
        if !isComplete { try inner.sync() }
    }

    /// Encrypts changed pages of one block and writes their entries, with what lies between them as it is.
    private func sealAndAnnounce(_ changes: ArraySlice<(page: Int, change: DirtyPage)>) throws -> [PageBuffer] {
        guard let first = changes.first?.page, let last = changes.last?.page else { return [] }
        let block = first / EncryptedLayout.blockPageCount
        var entries = try EntryPage(inner, block: block)
        let sealed = changes.map { page, change in
            let used = max(change.lastCounter, entries[page].newest.counter)
            let (ciphertext, entry) = seal(page, change, after: used == 0 ? retiredCounters[page] ?? 0 : used)
            lock.locked { change.attempted = entry }
            entries[page] = entry
            return ciphertext
        }
        let range = EntryPage.range(first).lowerBound..<EntryPage.range(last).upperBound
        let offset = EncryptedLayout.offset(ofBlock: block)
        unsafe try entries.bytes.withUnsafeBytes { bytes in
            unsafe try inner.write(UnsafeRawBufferPointer(rebasing: bytes[range]), at: offset + range.lowerBound)
        }
        return sealed
    }

    /// Encrypts a changed page and makes its new entry (container 9.6, steps 1 and 2). `used` is the last counter that
    /// was ever used for the page: none is used twice.
    private func seal(_ page: Int, _ change: DirtyPage, after used: UInt32) -> (PageBuffer, PageEntry) {
        let previous = change.current ?? .none
        let ciphertext = PageBuffer()
        var counter = used
        var tag: PageTag
        repeat {
            counter = counter == .max ? 1 : counter + 1
            let vector = EncryptedLayout.vector(counter: counter, page: page)
            unsafe cipher.encrypt(change.content.bytes, into: ciphertext.mutableBytes, vector: vector)
            tag = unsafe cipher.tag(of: ciphertext.bytes)
        } while tag == previous.tag
        return (ciphertext, PageEntry(newest: PageSeal(counter: counter, tag: tag), previous: previous))
    }

    /// The ranges of `pages`, ascending, that share a block of entries.
    private static func blocks(_ pages: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in pages.indices {
            let block = pages[index] / EncryptedLayout.blockPageCount
            if let last = ranges.last, pages[last.lowerBound] / EncryptedLayout.blockPageCount == block {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        return ranges
    }

    /// Writes encrypted pages; those that are side by side in the file in one piece.
    private func writePages(_ pages: [Int], _ sealed: [PageBuffer]) throws {
        var run: [UInt8] = []
        var start = 0
        for (page, buffer) in zip(pages, sealed) {
            let offset = EncryptedLayout.offset(ofPage: page)
            if start + run.count != offset {
                if !run.isEmpty { try inner.write(run, at: start) }
                run.removeAll(keepingCapacity: true)
                start = offset
            }
            unsafe run.append(contentsOf: buffer.bytes)
        }
        if !run.isEmpty { try inner.write(run, at: start) }
    }

    /// All of `changes` are in the file, durably; `lock` is held.
    private func finish(_ changes: [(page: Int, change: DirtyPage)]) {
        if durable.count > EncryptedFile.durablePageLimit { durable.removeAll() }
        for (page, change) in changes {
            dirty[page] = nil
            retiredCounters[page] = nil
            entryPages[page / EncryptedLayout.blockPageCount] = nil
            guard let seal = change.attempted?.newest else { continue }
            durable[page] = seal.stamp
            forEachMapping { pages in
                // The page in memory is the one that was changed, or was filled from the change.
                guard let stamp = pages.stamp(page), stamp == change.current?.stamp || stamp == .unsealed,
                    pages.isCurrent(page)
                else { return }
                pages.note(page, seal.stamp, generation: generation)
            }
        }
    }
}
