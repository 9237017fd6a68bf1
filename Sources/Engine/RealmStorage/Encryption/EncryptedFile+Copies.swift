// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension EncryptedFile {
    /// The number of pages that can hold copies, up to `count`. If there are fewer, the file grows, unless the disk is
    /// full. Returns `count` if no commit has reported free pages, because no copies are made then.
    func copyCount(for count: Int) throws -> Int {
        guard count > 1 else { return count }
        let end = try size() / EncryptedLayout.pageByteCount
        let (present, openStart) = lock.locked { (spares(count, before: end).count, freshlyFreed.openStart) }
        guard present < count, let openStart else { return count }
        do {
            try resize(to: (max(openStart, end) + count - present) * EncryptedLayout.pageByteCount)
            return count
        } catch let failure where isOutOfSpace(failure) {
            return present
        }
    }

    /// Up to `count` free pages before `end` without changes. Guarded by `lock`.
    private func spares(_ count: Int, before end: Int) -> [Int] {
        Array(freshlyFreed.spares(count + dirty.count, before: end).filter { dirty[$0] == nil }.prefix(count))
    }

    /// Chooses free pages for copies of `originals` while those are written, page 0 first. There may be fewer if no
    /// commit has reported free pages.
    func makeCopies(of originals: [DirtyPage]) throws -> [DirtyPage] {
        guard !originals.isEmpty else { return [] }
        let end = try size() / EncryptedLayout.pageByteCount
        let pages = lock.locked { spares(originals.count + EncryptedFile.spareChoice, before: end) }
        var (loose, others): ([DirtyPage], [DirtyPage]) = ([], [])
        for page in pages where loose.count < originals.count {
            let copy = try makeCopy(page, of: originals[0])
            if try isLoose(copy) { loose.append(copy) } else { others.append(copy) }
        }
        var places = (loose + others).prefix(originals.count).map(\.page)
        let missing = originals.count - places.count
        if missing > 0, let start = lock.locked({ freshlyFreed.openStart }) {
            let start = max(start, end)
            try resize(to: (start + missing) * EncryptedLayout.pageByteCount)
            places += start..<start + missing
        }
        return try zip(places, originals).map { try makeCopy($0, of: $1) }
    }

    /// The number of additional pages considered, to find pages that don't need a sync of their own.
    private static let spareChoice = 4

    private func makeCopy(_ page: Int, of original: DirtyPage) throws -> DirtyPage {
        DirtyPage(page, found: try lock.locked { try entry(page) }, copyOf: original)
    }

    // MARK: Finding copies

    /// Finds the copy of the content with the page's newest seal, both decrypted and as stored. It's in a free page
    /// whose entry has the same tag. Guarded by `lock`.
    func restore(
        _ page: Int, _ entry: PageEntry, into buffer: PageBuffer, _ ciphertext: PageBuffer
    ) throws -> Bool {
        let pageCount = try size() / EncryptedLayout.pageByteCount
        for block in 0..<(pageCount + EncryptedLayout.blockPageCount - 1) / EncryptedLayout.blockPageCount {
            let entries = try EntryPage(inner, block: block)
            let start = block * EncryptedLayout.blockPageCount
            for other in start..<min(start + EncryptedLayout.blockPageCount, pageCount)
            where other != page && entries[other].newest.tag == entry.newest.tag {
                unsafe try inner.read(into: ciphertext.mutableBytes, at: EncryptedLayout.offset(ofPage: other))
                guard unsafe cipher.tag(of: ciphertext.bytes) == entry.newest.tag else { continue }
                let vector = EncryptedLayout.vector(counter: entry.newest.counter, page: page)
                unsafe cipher.decrypt(ciphertext.bytes, into: buffer.mutableBytes, vector: vector)
                if page == 0 { hasDoubt = true }
                return true
            }
        }
        return false
    }

    /// The pages with two seals that have copies, according to the entries. Guarded by `lock`.
    func pagesWithCopies() throws -> Set<Int> {
        let pageCount = try size() / EncryptedLayout.pageByteCount
        var (pages, copies): ([UInt64: Int], Set<UInt64>) = ([:], [])
        for block in 0..<(pageCount + EncryptedLayout.blockPageCount - 1) / EncryptedLayout.blockPageCount {
            let entries = try EntryPage(inner, block: block)
            let start = block * EncryptedLayout.blockPageCount
            for page in start..<min(start + EncryptedLayout.blockPageCount, pageCount) {
                let entry = entries[page]
                guard entry.newest.counter != 0 else { continue }
                if entry.isSingle {
                    copies.insert(entry.newest.tag.words.0)
                } else {
                    pages[entry.newest.tag.words.0] = page
                }
            }
        }
        return Set(pages.filter { copies.contains($0.key) }.values)
    }
}
