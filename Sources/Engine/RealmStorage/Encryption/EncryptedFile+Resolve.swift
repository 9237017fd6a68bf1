// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Makes the contents that precede a commit durable and complete.
extension EncryptedFile {
    package func mend() throws {
        guard needsMending else { return }
        _ = try resolve([])
        lock.locked { hasDoubt = false }
    }

    package var needsMending: Bool { lock.locked { hasDoubt } }

    /// Makes the present contents of the pages durable if that isn't certain. Before anything else is written, the same
    /// is done for all pages that a crash may have torn, because their copies are in free pages. Returns whether this
    /// required a sync.
    ///
    /// A sync alone wouldn't suffice: after a failed one, the system reports the next as successful although the lost
    /// data weren't written. Only data written again are durable then. So the pages are rewritten unchanged, with their
    /// seals; because the bytes are equal, it doesn't matter how many of them reach the disk.
    func resolve(_ changes: [DirtyPage]) throws -> Bool {
        var pages = try doubtfulPages()
        for change in changes where !change.isFree {
            // The state that a failed attempt has left must be read again.
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

    /// Whether the page's content may not be on disk. Guarded by `lock`.
    private func isUnsettled(_ page: Int) throws -> Bool {
        let entry = try entry(page)
        if page == 0, resolvedEntry == entry { return false }
        return entry.newest.counter != 0 && durable[page] != entry.newest.stamp
    }

    /// Page 0, unless it's certainly durable. If it doesn't match its newest seal, the interrupted process may also
    /// have been writing other pages: those with copies.
    private func doubtfulPages() throws -> Set<Int> {
        try lock.locked {
            guard try isUnsettled(0) else { return [] }
            entryPages[0] = nil
            let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
            let isNewest = try wholeContent(0, into: buffer, ciphertext) == entry(0).newest
            return isNewest ? [0] : try pagesWithCopies().union([0])
        }
    }

    /// The seal of the page's content, and its ciphertext; nil for an absent or spoiled page. The caller holds the
    /// write lock, so no other process changes the page. Guarded by `lock`.
    private func wholeContent(_ page: Int, into buffer: PageBuffer, _ ciphertext: PageBuffer) throws -> PageSeal? {
        let entry = try entry(page)
        switch try content(page, entry, into: buffer, ciphertext) {
        case .sealed(let seal): return seal
        case .damaged: return try restore(page, entry, into: buffer, ciphertext) ? entry.newest : nil
        case .absent, .spoiled: return nil
        }
    }
}
