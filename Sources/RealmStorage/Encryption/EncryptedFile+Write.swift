// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension EncryptedFile {
    /// Changed pages that are kept in memory; more of them are written at once.
    private static let dirtyPageLimit = 4096
    /// Pages that are known to be durable; to forget some costs no more than to write them once too often.
    private static let durablePageLimit = 1 << 18
    /// The pages of a commit that stay in memory for those who read it.
    private static let residentPageLimit = 64

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
        let isFree = disused.take(page)
        let current = isFree ? nil : try present(page, isWhole: isWhole, into: buffer)
        let change = DirtyPage(
            page, content: buffer, found: try entry(page), current: current, generation: generation, isFree: isFree)
        dirty[page] = change
        return change
    }

    /// What the page holds, and its seal; zeros and nil if that is nothing.
    private func present(_ page: Int, isWhole: Bool, into buffer: PageBuffer) throws -> PageSeal? {
        do {
            switch try settledContent(page, into: buffer) {
            case .sealed(let seal): return seal
            case .spoiled where disused.mayBeSpoiled(page): break
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

    /// Writes what was changed, and returns when it is durable. After a failure the changes are kept, and the next
    /// call begins anew.
    package func sync() throws { try sync(then: nil) }

    /// As above. The entry of the page that changes last goes to the disk with those of the others; until the page
    /// follows, its second seal fits.
    package func sync(then bytes: [UInt8], at offset: Int) throws {
        let (page, start) = offset.quotientAndRemainder(dividingBy: EncryptedLayout.pageByteCount)
        try sync(then: LastChange(page: page, start: start, bytes: bytes))
    }

    /// What is changed of a page when all else is durable.
    private struct LastChange {
        let page: Int
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

    private func sync(then last: LastChange?) throws {
        let changes = try lock.locked {
            if let last { _ = try change(last.page, isWhole: false) }
            for page in Array(dirty.keys) { _ = try changed(page) }
            return dirty.values.ordered { $0.page < $1.page }
        }
        guard !changes.isEmpty else { return try syncInner() }
        try settle(changes)
        let loose = try changes.map { try $0.page != last?.page && isLoose($0) }
        // Whatever fails from here on, what is on disk of these pages is known no more.
        lock.locked { for change in changes { durable[change.page] = nil } }
        for block in EncryptedFile.blocks(changes) { try sealAndAnnounce(changes[block], last) }
        try writePages(changes.indices.filter { loose[$0] }.map { changes[$0] })
        // The barrier: no other page may reach the disk before its entry has.
        try syncInner()
        let bound = changes.indices.filter { !loose[$0] && changes[$0].page != last?.page }.map { changes[$0] }
        if !bound.isEmpty {
            try writePages(bound)
            try syncInner()
        }
        if let last, let change = changes.first(where: { $0.page == last.page }) {
            lock.locked { last.apply(to: change.content) }
            try writePages([change])
            try syncInner()
        }
        lock.locked { finish(changes) }
    }

    private func syncInner() throws {
        let byteCount = try inner.size()
        try inner.sync()
        lock.locked { durableByteCount = byteCount }
    }

    /// Whether the page may reach the disk before its entry: nobody needs what it held, and with any entry that may be
    /// on disk it counts as never written until both are there.
    private func isLoose(_ change: DirtyPage) throws -> Bool {
        guard change.isFree, change.attempted == nil else { return false }
        return try lock.locked {
            let entry = try entry(change.page)
            guard entry.newest.counter == 0 else {
                return entry.isSingle && durable[change.page] == entry.newest.stamp
            }
            // Whoever else may have cut the file and let it grow again has committed before, and so sealed page 0.
            let isOurs = durable[0] == (try self.entry(0).newest.stamp)
            return isOurs && EncryptedLayout.offset(ofPage: change.page + 1) <= durableByteCount
        }
    }

    /// Makes the present contents of the pages durable, as far as that is not certain.
    ///
    /// A sync by itself would not do: after one that failed, the next is called a success without what was lost; only
    /// what is written once more is durable then. So the pages are written as they are, with the seals they have. A
    /// crash leaves what was on disk or what is here, and the entries that may be there fit either.
    private func settle(_ changes: [DirtyPage]) throws {
        let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
        var isComplete = true
        for change in changes {
            try lock.locked {
                let page = change.page
                // What an attempt that failed has left is looked at anew.
                if change.attempted != nil { entryPages[page / EncryptedLayout.blockPageCount] = nil }
                guard !change.isFree else { return }
                let entry = try entry(page)
                guard entry.newest.counter != 0, durable[page] != entry.newest.stamp else { return }
                let content = try content(page, entry, into: buffer, ciphertext)
                change.current = if case .sealed(let seal) = content { seal } else { nil }
                guard change.current != nil else { return }
                unsafe try inner.write(ciphertext.bytes, at: EncryptedLayout.offset(ofPage: page))
                isComplete = false
            }
        }
        if !isComplete { try syncInner() }
    }

    /// Encrypts changed pages of one block and writes their entries, with what lies between them as it is.
    private func sealAndAnnounce(_ changes: ArraySlice<DirtyPage>, _ last: LastChange?) throws {
        guard let first = changes.first?.page, let end = changes.last?.page else { return }
        let block = first / EncryptedLayout.blockPageCount
        var entries = try EntryPage(inner, block: block)
        for change in changes {
            let used = max(change.lastCounter, entries[change.page].newest.counter)
            var content = change.content
            if let last, last.page == change.page { content = last.result(on: content) }
            let entry = seal(change, content, after: used == 0 ? retiredCounters[change.page] ?? 0 : used)
            lock.locked { change.attempted = entry }
            entries[change.page] = entry
        }
        let range = EntryPage.range(first).lowerBound..<EntryPage.range(end).upperBound
        let offset = EncryptedLayout.offset(ofBlock: block)
        unsafe try entries.bytes.withUnsafeBytes { bytes in
            unsafe try inner.write(UnsafeRawBufferPointer(rebasing: bytes[range]), at: offset + range.lowerBound)
        }
    }

    /// Encrypts what a page is to hold and makes its new entry (container 9.6, steps 1 and 2). `used` is the last
    /// counter that was ever used for the page: none is used twice.
    private func seal(_ change: DirtyPage, _ content: PageBuffer, after used: UInt32) -> PageEntry {
        let previous = change.current ?? .none
        let ciphertext = PageBuffer()
        var counter = used
        var tag: PageTag
        repeat {
            counter = counter == .max ? 1 : counter + 1
            let vector = EncryptedLayout.vector(counter: counter, page: change.page)
            unsafe cipher.encrypt(content.bytes, into: ciphertext.mutableBytes, vector: vector)
            tag = unsafe cipher.tag(of: ciphertext.bytes)
        } while tag == previous.tag
        change.ciphertext = ciphertext
        return PageEntry(newest: PageSeal(counter: counter, tag: tag), previous: previous)
    }

    /// The ranges of `changes`, ascending, that share a block of entries.
    private static func blocks(_ changes: [DirtyPage]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in changes.indices {
            let block = changes[index].page / EncryptedLayout.blockPageCount
            if let last = ranges.last, changes[last.lowerBound].page / EncryptedLayout.blockPageCount == block {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        return ranges
    }

    /// Writes encrypted pages; those that are side by side in the file in one piece.
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

    /// All of `changes` are in the file, durably; `lock` is held.
    private func finish(_ changes: [DirtyPage]) {
        if durable.count > EncryptedFile.durablePageLimit { durable.removeAll() }
        for change in changes {
            let page = change.page
            dirty[page] = nil
            retiredCounters[page] = nil
            entryPages[page / EncryptedLayout.blockPageCount] = nil
            guard let seal = change.attempted?.newest else { continue }
            durable[page] = seal.stamp
            forEachMapping { pages in
                if change.isFree {
                    // Of a large commit, only what is in memory anyway.
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

    /// Whether the page in memory is the one that was changed, or was filled from the change.
    private func isSame(_ change: DirtyPage, _ pages: LazyPages) -> Bool {
        guard let stamp = pages.stamp(change.page) else { return false }
        return (stamp == change.current?.stamp || stamp == .unsealed) && pages.isCurrent(change.page)
    }
}
