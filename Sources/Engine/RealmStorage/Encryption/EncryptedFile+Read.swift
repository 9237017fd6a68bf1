// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

enum PageContent {
    /// The page was never written, or its first write was interrupted.
    case absent
    case sealed(PageSeal)
    /// The only seal of the entry doesn't match. A crash can leave a free page in this state; any other page is
    /// damaged.
    case spoiled
    /// Neither seal of the entry matches.
    case damaged
}

extension EncryptedFile {
    /// Fills a page of a mapping with the file's content. An absent page is an error, because no valid ref leads to
    /// one.
    package func fill(_ page: Int, of pages: LazyPages) throws {
        do {
            try lock.locked {
                guard !pages.isCurrent(page) else { return }
                if let change = try changed(page) {
                    unsafe pages.store(page, unsafe change.content.bytes)
                    return pages.note(page, .unsealed, generation: generation)
                }
                if let known = pages.stamp(page), try entry(page).newest.stamp == known {
                    return pages.note(page, known, generation: generation)
                }
                if let known = try keptPage(page) {
                    unsafe pages.store(page, unsafe known.content.bytes)
                    return pages.note(page, known.seal.stamp, generation: generation)
                }
                let buffer = PageBuffer()
                guard case .sealed(let seal) = try content(page, into: buffer) else { throw missing(page) }
                unsafe pages.store(page, unsafe buffer.bytes)
                pages.note(page, seal.stamp, generation: generation)
            }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// Reads the current content of the page, including changes; zeros if it's absent. Guarded by `lock`.
    func load(_ page: Int, into buffer: PageBuffer) throws {
        if let change = try changed(page) { return buffer.copy(from: change.content) }
        // A second read of a page is made to detect changes.
        entryPages[page / EncryptedLayout.blockPageCount] = nil
        if let known = try keptPage(page) { return buffer.copy(from: known.content) }
        switch try content(page, into: buffer) {
        case .sealed(let seal): keep(page, seal, buffer)
        default: buffer.clear()
        }
    }

    private func keptPage(_ page: Int) throws -> CachedPage? {
        guard let known = kept[page], try entry(page).newest == known.seal else { return nil }
        return known
    }

    private func keep(_ page: Int, _ seal: PageSeal, _ buffer: PageBuffer) {
        if kept.count == EncryptedFile.keptPageLimit { kept.removeAll() }
        let content = PageBuffer()
        content.copy(from: buffer)
        kept[page] = CachedPage(seal: seal, content: content)
    }

    private static let keptPageLimit = 4

    /// Reads a page like `load`, but a page spoiled by a crash also reads as zeros. Guarded by `lock`.
    func loadForAudit(_ page: Int, into buffer: PageBuffer) throws {
        if let change = try changed(page) { return buffer.copy(from: change.content) }
        switch try resolvedContent(page, into: buffer) {
        case .sealed: break
        case .absent, .spoiled: buffer.clear()
        case .damaged: throw damaged(page)
        }
    }

    /// The change of a page that isn't in the file yet. Nil if a failed commit left it and another process has written
    /// the page since. Guarded by `lock`.
    func changed(_ page: Int) throws -> DirtyPage? {
        guard let change = dirty[page] else { return nil }
        if change.generation != generation {
            guard change.isOurs(try entry(page)) else {
                dirty[page] = nil
                return nil
            }
            change.generation = generation
        }
        return change
    }

    /// The entry as it was at some time in this generation. Guarded by `lock`.
    func entry(_ page: Int) throws -> PageEntry {
        let block = page / EncryptedLayout.blockPageCount
        if let known = entryPages[block] { return known[page] }
        let read = try EntryPage(inner, block: block)
        entryPages[block] = read
        return read[page]
    }

    /// Reads and decrypts a page; throws if it's damaged. Guarded by `lock`.
    ///
    /// The known entry may be older than the page, and another process may be writing both. So an absent page is read
    /// once more, and a page that doesn't match is read again: a few times, and for up to five seconds while the entry
    /// keeps changing (container 9.6).
    func content(_ page: Int, into buffer: PageBuffer) throws -> PageContent {
        let content = try resolvedContent(page, into: buffer)
        switch content {
        case .absent, .sealed: return content
        case .spoiled, .damaged: throw damaged(page)
        }
    }

    /// The content of a page; permanent damage is a result instead of an error. Guarded by `lock`.
    ///
    /// A page torn by a crash is restored from its copy. A page that stayed damaged isn't retried while its entry is
    /// unchanged. With many damaged pages none is retried: the file is then damaged and not being written, and
    /// searching all entries each time would take too long.
    func resolvedContent(_ page: Int, into buffer: PageBuffer) throws -> PageContent {
        let ciphertext = PageBuffer()
        var entry = try entry(page)
        var (calm, rounds) = (0, 0)
        let patience = wrong.count < EncryptedFile.maxWrongPages ? EncryptedFile.calmRounds : 1
        while true {
            let content = try content(page, entry, into: buffer, ciphertext)
            if case .sealed = content { return content }
            entryPages[page / EncryptedLayout.blockPageCount] = nil
            let again = try self.entry(page)
            (calm, rounds) = (again == entry ? calm + 1 : 0, rounds + 1)
            if case .absent = content, calm > 0 { return content }
            if calm > 0, wrong[page] == again { return content }
            if calm == min(2, patience), case .damaged = content, damageCount < EncryptedFile.maxWrongPages,
                try restore(page, entry, into: buffer, ciphertext)
            {
                return .sealed(entry.newest)
            }
            guard calm <= patience, rounds < EncryptedFile.maxRounds else {
                if case .damaged = content { damageCount += 1 }
                wrong[page] = again
                return content
            }
            if rounds > 1, patience > 1 { usleep(EncryptedFile.pause) }
            entry = again
        }
    }

    private static let calmRounds = 5
    private static let pause: UInt32 = 2000
    private static let maxRounds = 2500
    private static let maxWrongPages = 16

    /// Reads a page and decrypts it with the seal that matches (container 9.5).
    ///
    /// A page with one seal that doesn't match counts as absent only if all its bytes are zero. Otherwise it's spoiled:
    /// its content must not be needed, because writing a part of it would destroy the rest.
    func content(
        _ page: Int, _ entry: PageEntry, into buffer: PageBuffer, _ ciphertext: PageBuffer
    ) throws -> PageContent {
        let offset = EncryptedLayout.offset(ofPage: page)
        guard entry.newest.counter != 0, try inner.size() - offset >= EncryptedLayout.pageByteCount else {
            return .absent
        }
        unsafe try inner.read(into: ciphertext.mutableBytes, at: offset)
        let tag = unsafe cipher.tag(of: ciphertext.bytes)
        let seals = entry.isSingle ? [entry.newest] : [entry.newest, entry.previous]
        guard let seal = seals.first(where: { $0.tag == tag }) else {
            return ciphertext.isZero ? .absent : entry.isSingle ? .spoiled : .damaged
        }
        let vector = EncryptedLayout.vector(counter: seal.counter, page: page)
        unsafe cipher.decrypt(ciphertext.bytes, into: buffer.mutableBytes, vector: vector)
        return .sealed(seal)
    }

    /// The decrypted content of a page without authentication; nil if it was never written. A damaged sector turns 528
    /// bytes into noise.
    package func unverifiedContent(ofPage page: Int) throws -> [UInt8]? {
        let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
        return try lock.locked {
            let (seal, offset) = (try entry(page).newest, EncryptedLayout.offset(ofPage: page))
            guard seal.counter != 0, try inner.size() - offset >= EncryptedLayout.pageByteCount else { return nil }
            unsafe try inner.read(into: ciphertext.mutableBytes, at: offset)
            let vector = EncryptedLayout.vector(counter: seal.counter, page: page)
            unsafe cipher.decrypt(ciphertext.bytes, into: buffer.mutableBytes, vector: vector)
            return unsafe Array(buffer.bytes)
        }
    }

    // MARK: Damage and wrong keys

    @inline(never) func damaged(_ page: Int) -> any Error {
        let offset = EncryptedLayout.offset(ofPage: page)
        return StorageError(
            .invalidDatabase,
            "a damaged page in an encrypted file: its authentication code does not match (file offset \(offset))",
            path: path, offset: Ref(page * EncryptedLayout.pageByteCount))
    }

    @inline(never) private func missing(_ page: Int) -> any Error {
        StorageError(
            .invalidDatabase, "a reference to a page of an encrypted file that was never written; the file is damaged",
            path: path, offset: Ref(page * EncryptedLayout.pageByteCount))
    }

    /// Distinguishes a wrong key from a file that isn't encrypted, by the first page (container 9.5). If damage is
    /// tolerated, another page that matches the key is sufficient.
    func verifyKey(toleratesDamage: Bool) throws {
        let size = try inner.size()
        guard size > 0 else { return }
        let start = try inner.bytes(min(size, FileFormat.Header.byteCount), at: 0)
        let isPlain = EncryptedFile.hasMnemonic(start)
        guard size >= EncryptedLayout.smallestFileByteCount else {
            throw isPlain
                ? notEncrypted
                : StorageError(
                    .invalidDatabase, "not an encrypted Realm file: it has only \(size) bytes", path: path)
        }
        let buffer = PageBuffer()
        // Another process may be writing the header. The entry isn't kept, because its changes can't be detected yet.
        let (content, entry) = try lock.locked { () -> (PageContent, PageEntry) in
            defer { entryPages[0] = nil }
            let content = try resolvedContent(0, into: buffer)
            if case .sealed(let seal) = content { keep(0, seal, buffer) }
            return (content, try self.entry(0))
        }
        switch content {
        case .absent: if isPlain { throw notEncrypted }
        case .sealed(let seal):
            // The authentication half of the key is right, but the encryption half is wrong.
            let header = unsafe Array(buffer.bytes[..<FileFormat.Header.byteCount])
            guard EncryptedFile.hasMnemonic(header) else { throw wrongKey(": it decrypts to something else") }
            if seal != entry.newest { lock.locked { hasDoubt = true } }
        case .spoiled, .damaged:
            if isPlain { throw notEncrypted }
            guard try hasPageOfThisKey() else { throw wrongKey(", or it is not an encrypted Realm file") }
            if toleratesDamage { return }
            throw StorageError(
                .invalidDatabase,
                "the first page of the encrypted file is torn or damaged, and has no copy; other pages show "
                    + "that the key is right: 'realm salvage' saves what they hold", path: path, offset: 0)
        }
    }

    /// Whether a page other than the first matches one of its seals, which proves the key. In a large file only some
    /// pages are tried.
    private func hasPageOfThisKey() throws -> Bool {
        let pageCount = try size() / EncryptedLayout.pageByteCount
        let (buffer, ciphertext) = (PageBuffer(), PageBuffer())
        let step = max(1, pageCount / EncryptedFile.maxProofs)
        return try lock.locked {
            for page in stride(from: 1, to: pageCount, by: step) {
                if case .sealed = try content(page, entry(page), into: buffer, ciphertext) { return true }
            }
            return false
        }
    }

    private static let maxProofs = 512

    private static func hasMnemonic(_ bytes: [UInt8]) -> Bool {
        let place = FileFormat.Header.mnemonic
        return bytes.count >= place + 4 && Array(bytes[place..<place + 4]) == FileFormat.mnemonic
    }

    private var notEncrypted: StorageError {
        StorageError(.wrongKey, "the Realm file is not encrypted; open it without a key", path: path)
    }

    @inline(never) private func wrongKey(_ detail: String) -> any Error {
        StorageError(.wrongKey, "the encryption key is not the file's\(detail)", path: path)
    }
}
