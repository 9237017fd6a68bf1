// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The memory of one page. Its holder decides which thread may use it when.
@safe
final class PageBuffer {
    private let memory: UnsafeMutableRawBufferPointer

    /// A page of zeros.
    init() {
        unsafe memory = .allocate(byteCount: EncryptedLayout.pageByteCount, alignment: 8)
        clear()
    }

    deinit { unsafe memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(memory) }
    var mutableBytes: UnsafeMutableRawBufferPointer { unsafe memory }

    func clear() { unsafe memory.initializeMemory(as: UInt8.self, repeating: 0) }

    func copy(from other: PageBuffer) { unsafe memory.copyMemory(from: other.bytes) }

    var isZero: Bool {
        unsafe memory.withMemoryRebound(to: UInt64.self) { words in unsafe words.allSatisfy { $0 == 0 } }
    }
}

/// A page as it was read once. As long as the newest seal of its entry is this one, the file holds nothing else: the
/// entry of a page is written before the page.
struct CachedPage {
    let seal: PageSeal
    let content: PageBuffer
}

/// A page that was changed and is not in the file yet.
final class DirtyPage {
    let page: Int
    let content: PageBuffer
    /// What goes into the file, once it is sealed.
    var ciphertext: PageBuffer?
    /// The page's entry when it was read.
    var found: PageEntry
    /// The entry that a failed write may have left in the file.
    var attempted: PageEntry?
    /// What is in the file now, as far as it can be read; nil if there is nothing.
    var current: PageSeal?
    /// When the entry was last seen to be our own.
    var generation: UInt64
    /// Whether what was there before is not needed.
    let isFree: Bool
    /// Whether the content differs from what is in the file.
    var isChanged: Bool
    /// The page of which this is a copy, for the time while that one is written.
    private(set) var original: DirtyPage?

    init(
        _ page: Int, content: PageBuffer, found: PageEntry, current: PageSeal?, generation: UInt64, isFree: Bool
    ) {
        self.page = page
        self.content = content
        self.found = found
        self.current = current
        self.isFree = isFree
        self.generation = generation
        isChanged = isFree || current == nil
    }

    /// The page that takes a copy of the encrypted content of `original`; what is in it is not needed.
    init(_ page: Int, found: PageEntry, copyOf original: DirtyPage) {
        self.page = page
        content = original.content
        self.found = found
        generation = original.generation
        isFree = true
        isChanged = true
        self.original = original
    }

    /// Whether what is in the file now is needed.
    var isLive: Bool { !isFree && current != nil }

    /// Puts `bytes` at `offset` within the page.
    func set(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let target = unsafe UnsafeMutableRawBufferPointer(
            rebasing: unsafe content.mutableBytes[offset..<offset + bytes.count])
        if !isChanged {
            isChanged = unsafe !target.elementsEqual(bytes)
            guard isChanged else { return }
        }
        unsafe target.copyMemory(from: bytes)
    }

    /// Whether no other process has written the page if this is its entry.
    func isOurs(_ entry: PageEntry) -> Bool { entry == found || entry == attempted }

    /// The greatest counter that was used for the page, as far as its entries tell.
    var lastCounter: UInt32 { (attempted ?? found).newest.counter }
}
