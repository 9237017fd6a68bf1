// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The memory of one page. Its owner determines which thread may use it.
@safe
final class PageBuffer {
    private let memory: UnsafeMutableRawBufferPointer

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

/// A page as read earlier. While its entry's newest seal equals this one, the file has the same content: the entry of a
/// page is written before the page.
struct CachedPage {
    let seal: PageSeal
    let content: PageBuffer
}

/// The page isn't in the file yet.
final class DirtyPage {
    let page: Int
    let content: PageBuffer
    /// Nil until the page is sealed.
    var ciphertext: PageBuffer?
    /// The page's entry when it was read.
    var found: PageEntry
    /// The entry that a failed write may have left in the file.
    var attempted: PageEntry?
    /// The seal of the content in the file; nil if the page has no readable content.
    var current: PageSeal?
    /// The generation in which the entry was last verified to be this object's own.
    var generation: UInt64
    /// Whether the previous content isn't needed.
    let isFree: Bool
    var isChanged: Bool
    /// The page of which this one is a copy, while the original is written.
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

    init(_ page: Int, found: PageEntry, copyOf original: DirtyPage) {
        self.page = page
        content = original.content
        self.found = found
        generation = original.generation
        isFree = true
        isChanged = true
        self.original = original
    }

    var isLive: Bool { !isFree && current != nil }

    func set(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let target = unsafe UnsafeMutableRawBufferPointer(
            rebasing: unsafe content.mutableBytes[offset..<offset + bytes.count])
        if !isChanged {
            isChanged = unsafe !target.elementsEqual(bytes)
            guard isChanged else { return }
        }
        unsafe target.copyMemory(from: bytes)
    }

    /// Whether no other process has written the page, if this is its current entry.
    func isOurs(_ entry: PageEntry) -> Bool { entry == found || entry == attempted }

    var lastCounter: UInt32 { (attempted ?? found).newest.counter }
}
