// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import Atomics

package protocol PageSource: AnyObject, Sendable {
    /// Fills `page` with the current content of the file, and marks it. Throws if the file has no such content.
    func fill(_ page: Int, of pages: LazyPages) throws
}

/// The file half of a mapping, whose pages are read from the file on first access.
///
/// Each page has a mark: the generation in which it was last verified to equal the file; 0 for never. A page may be
/// read once its mark has reached the current generation, and stays in memory from then on. Bytes below the file's end
/// that belong to a pinned version never change. So a page that is filled again differs only in words that no reader of
/// an older version reads, and only those words are stored.
///
/// Marks and generation are atomics; everything else is accessed by `source` only, under its lock. A thread that finds
/// the mark current may read the bytes without the lock (its load acquires what the store of the mark releases).
@safe @usableFromInline
package final class LazyPages: @unchecked Sendable {
    package static let pageByteCount = 4096
    @usableFromInline static var pageShift: Int { 12 }

    private let base: UnsafeMutableRawPointer
    private let count: Int
    private let source: any PageSource
    /// The generation and, after it, a mark for each page.
    @usableFromInline let marks: UnsafeMutablePointer<UnsafeAtomic<UInt64>.Storage>
    /// Stamps that identify the content of each filled page, for `source`.
    private var stamps: [Int: Stamp] = [:]

    package struct Stamp: Equatable, Sendable {
        package var counter: UInt64 = 0
        package var tag: UInt64 = 0

        package init(counter: UInt64, tag: UInt64) {
            self.counter = counter
            self.tag = tag
        }
    }

    /// - Precondition: `base` has `byteCount` bytes and `marks` has space for their marks, all zero. Both outlive this
    ///   object.
    init(
        base: UnsafeMutableRawPointer, byteCount: Int, marks: UnsafeMutableRawPointer, source: any PageSource,
        generation: UInt64
    ) {
        unsafe self.base = unsafe base
        count = byteCount >> LazyPages.pageShift
        self.source = source
        unsafe self.marks = marks.bindMemory(to: UnsafeAtomic<UInt64>.Storage.self, capacity: count + 1)
        begin(generation: generation)
    }

    static func markByteCount(_ byteCount: Int) -> Int {
        ((byteCount >> pageShift + 1) * MemoryLayout<UInt64>.stride + pageByteCount - 1) & ~(pageByteCount - 1)
    }

    @inlinable func mark(_ page: Int) -> UnsafeAtomic<UInt64> { unsafe UnsafeAtomic(at: marks + (page &+ 1)) }

    @inlinable var generation: UnsafeAtomic<UInt64> { unsafe UnsafeAtomic(at: marks) }

    // MARK: Reading

    /// Returns when the bytes may be read. Rethrows the errors of `source`.
    @inlinable package func require(_ offset: Int, _ byteCount: Int) throws {
        if !holds(offset, byteCount) { try fill(offset, byteCount) }
    }

    /// Whether the bytes, which are within the file's half, can be read without further work.
    @inlinable package func holds(_ offset: Int, _ byteCount: Int) -> Bool { firstMissing(offset, byteCount) == nil }

    @usableFromInline func fill(_ offset: Int, _ byteCount: Int) throws {
        precondition(offset >= 0 && byteCount > 0 && (offset &+ byteCount &- 1) >> LazyPages.pageShift < count)
        while let page = firstMissing(offset, byteCount) { try source.fill(page, of: self) }
    }

    /// The first page of these bytes that has to be filled before they may be read.
    @inlinable @inline(__always) func firstMissing(_ offset: Int, _ byteCount: Int) -> Int? {
        // A thread that may read the pages of a newer generation has seen its beginning, by the lock through which it
        // got the version.
        let current = generation.load(ordering: .relaxed)
        let last = (offset &+ byteCount &- 1) >> LazyPages.pageShift
        var page = offset >> LazyPages.pageShift
        while page <= last {
            if mark(page).load(ordering: .acquiring) < current { return page }
            page &+= 1
        }
        return nil
    }

    // MARK: Interface for the source, which holds its lock

    package func contains(_ page: Int) -> Bool { page < count }

    package func isCurrent(_ page: Int) -> Bool {
        mark(page).load(ordering: .acquiring) >= generation.load(ordering: .relaxed)
    }

    /// Starts a generation, after which pages must be compared with the file again.
    package func begin(generation new: UInt64) { generation.store(new, ordering: .relaxed) }

    package func stamp(_ page: Int) -> Stamp? { stamps[page] }

    package func note(_ page: Int, _ stamp: Stamp, generation: UInt64) {
        stamps[page] = stamp
        mark(page).store(generation, ordering: .releasing)
    }

    package func store(_ page: Int, _ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == LazyPages.pageByteCount && page >= 0 && page < count)
        guard let source = bytes.baseAddress else { return }
        let target = unsafe base + page << LazyPages.pageShift
        guard stamp(page) != nil else { return unsafe target.copyMemory(from: source, byteCount: bytes.count) }
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            let word = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if unsafe target.load(fromByteOffset: offset, as: UInt64.self) != word {
                unsafe target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            }
        }
    }

    /// Changes a few bytes of a filled page. Does nothing for other pages.
    package func patch(_ page: Int, at offset: Int, with bytes: UnsafeRawBufferPointer) {
        guard stamp(page) != nil, let source = bytes.baseAddress else { return }
        precondition(offset >= 0 && offset + bytes.count <= LazyPages.pageByteCount)
        unsafe (base + page << LazyPages.pageShift + offset).copyMemory(from: source, byteCount: bytes.count)
    }

    /// Drops pages after a truncation of the file, because their content will change.
    package func forget(from page: Int, to end: Int) {
        for page in page..<max(page, min(end, count)) { mark(page).store(0, ordering: .relaxed) }
    }
}
