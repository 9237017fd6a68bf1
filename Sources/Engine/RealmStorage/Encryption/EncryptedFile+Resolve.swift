// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// What was there before a commit: durable for certain, and whole.
extension EncryptedFile {
    package func mend() throws {
        guard needsMending else { return }
        _ = try resolve([])
        lock.locked { hasDoubt = false }
    }

    package var needsMending: Bool { lock.locked { hasDoubt } }

    /// Makes the present contents of the pages durable, as far as that is not certain; and before anything else is
    /// written, of all pages that a crash may have left half written, because their copies are in free pages. Returns
    /// whether that took a sync.
    ///
    /// A sync by itself would not do: after one that failed, the next is called a success without what was lost; only
    /// what is written once more is durable then. So the pages are written as they are, with the seals they have: the
    /// same bytes, so that it is all the same how much of them reaches the disk.
    func resolve(_ changes: [DirtyPage]) throws -> Bool {
        var pages = try doubtfulPages()
        for change in changes where !change.isFree {
            // What an attempt that failed has left is looked at anew.
            try lock.locked {
                if change.attempted != nil { entryPages[change.page / EncryptedLayout.blockPageCount] = nil }
                if try isUnsettled(change.page) { pages.insert(change.page) }
            }
        }
        var present: [Int: PageSeal] = [:]
        let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
        for page in pages.ordered(by: <) {
            try lock.locked {
                guard let seal = try wholeContent(page, into: buffer, ciphertext) else { return }
                present[page] = seal
                unsafe try inner.write(ciphertext.bytes, at: EncryptedLayout.offset(ofPage: page))
            }
        }
        if !present.isEmpty { try syncInner() }
        try lock.locked {
            for change in changes where !change.isFree && pages.contains(change.page) {
                change.current = present[change.page]
            }
            resolvedEntry = try entry(0)
        }
        return !present.isEmpty
    }

    /// Whether it is unknown if what the page holds is on disk; `lock` is held.
    private func isUnsettled(_ page: Int) throws -> Bool {
        let entry = try entry(page)
        if page == 0, resolvedEntry == entry { return false }
        return entry.newest.counter != 0 && durable[page] != entry.newest.stamp
    }

    /// Page 0, unless it is durable for certain. If it is not what was announced last, the interrupted process may have
    /// been writing other pages: those of which there are copies.
    private func doubtfulPages() throws -> Set<Int> {
        try lock.locked {
            guard try isUnsettled(0) else { return [] }
            entryPages[0] = nil
            let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
            let isNewest = try wholeContent(0, into: buffer, ciphertext) == entry(0).newest
            return isNewest ? [0] : try pagesWithCopies().union([0])
        }
    }

    /// The seal of what the page holds, and its ciphertext; nil for nothing. The caller holds the write lock, so that
    /// no other process changes it meanwhile; `lock` is held.
    private func wholeContent(_ page: Int, into buffer: PageBuffer, _ ciphertext: PageBuffer) throws -> PageSeal? {
        let entry = try entry(page)
        switch try content(page, entry, into: buffer, ciphertext) {
        case .sealed(let seal): return seal
        case .damaged: return try restore(page, entry, into: buffer, ciphertext) ? entry.newest : nil
        case .absent, .spoiled: return nil
        }
    }
}
