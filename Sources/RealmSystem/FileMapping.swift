// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One range of addresses: the file, room for it to grow, and behind it a slab of private memory.
///
/// ```
/// base                         base + fileWindow             base + fileWindow + slabWindow
///  | file (read-only, shared)  … | slab (private, writable)  … |
/// ```
///
/// Because both halves share one base, the address of any node, committed or dirty, is `base + ref`.
/// Addresses never change while the mapping lives; a file that outgrows its window gets a new mapping, and the old
/// one lives on as long as a snapshot holds it. The pointer is immutable, so the class is `Sendable`; what may be
/// read or written where is decided by `RealmStorage` (snapshots: immutable bytes; slab: the one writer).
@safe
package final class FileMapping: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let fileWindow: Int
    package let slabWindow: Int
    /// Who fills the file half, where it is not the file itself.
    package let pages: LazyPages?

    /// Bytes of address space reserved for the file and for the slab where nothing else is known.
    package static var defaultWindow: Int {
        #if os(iOS) || os(watchOS) || os(tvOS) || os(visionOS)
            1 << 31
        #else
            1 << 36
        #endif
    }

    init(descriptor: Int32, path: String, fileWindow: Int, slabWindow: Int) throws {
        let total = fileWindow + slabWindow
        let start = unsafe try FileMapping.reserve(total, path: path)
        if unsafe mmap(start, fileWindow, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED {
            let error = SystemError.last("mmap", path: path)
            unsafe munmap(start, total)
            throw error
        }
        unsafe base = start
        self.fileWindow = fileWindow
        self.slabWindow = slabWindow
        pages = nil
    }

    /// A mapping whose file half is private memory, filled by `source` page by page. What the file holds when
    /// `generation` begins, and what it gets later, is there when it is asked for.
    package init(
        pagesOf source: any PageSource, generation: UInt64, path: String, fileWindow: Int, slabWindow: Int
    ) throws {
        let start = unsafe try FileMapping.reserve(fileWindow + slabWindow, path: path)
        do {
            unsafe pages = try LazyPages(
                base: start, byteCount: fileWindow, source: source, generation: generation, path: path)
        } catch {
            unsafe munmap(start, fileWindow + slabWindow)
            throw error
        }
        unsafe base = start
        self.fileWindow = fileWindow
        self.slabWindow = slabWindow
    }

    /// Writable address space that takes no memory until it is used.
    static func reserve(_ byteCount: Int, path: String) throws -> UnsafeMutableRawPointer {
        #if canImport(Darwin)
            let flags = MAP_PRIVATE | MAP_ANON
        #else
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #endif
        let reserved = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let start = unsafe reserved, unsafe start != MAP_FAILED else {
            throw SystemError.last("mmap", path: path)
        }
        return unsafe start
    }

    deinit { unsafe munmap(base, fileWindow + slabWindow) }

    /// Asks the system to give the slab from `offset` on in large pages, where it has them: a transaction that gets
    /// there goes on in order, and most of what its memory costs is to get it page by page.
    package func preferLargePages(inSlabFrom offset: Int) {
        guard offset < slabWindow else { return }
        unsafe FileMapping.preferLargePages(base + fileWindow + offset, slabWindow - offset)
    }

    static func preferLargePages(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
        #if os(Linux)
            unsafe madvise(start, byteCount, MADV_HUGEPAGE)
        #endif
    }

    /// Gives the memory of the slab from `offset` on back to the system; it reads as zero afterwards.
    package func discardSlab(from offset: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let start = (offset + page - 1) / page * page
        guard start < slabWindow else { return }
        unsafe madvise(base + fileWindow + start, slabWindow - start, MADV_DONTNEED)
    }
}
