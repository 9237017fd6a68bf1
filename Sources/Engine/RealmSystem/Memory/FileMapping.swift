// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One range of addresses for the file, its growth, and a slab of private memory.
///
/// ```
/// base                         base + fileWindow             base + fileWindow + slabWindow
///  | file (read-only, shared)  … | slab (private, writable)  … | marks of `pages`, if there are any
/// ```
///
/// Because both halves share one base, the address of any node, committed or dirty, is `base + ref`. Addresses never
/// change during the lifetime of the mapping. A file that outgrows its window gets a new mapping; the old one lives as
/// long as a snapshot retains it. The slab's addresses get memory at the first write (`openSlab`). The pointer is
/// immutable, so the class is `Sendable`. `RealmStorage` decides which parts may be read or written (snapshots:
/// immutable bytes; slab, and whether it is open: only the writer).
@safe
package final class FileMapping: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let fileWindow: Int
    package let slabWindow: Int
    /// Fills the file half, unless the file itself is mapped.
    package let pages: LazyPages?

    package static var defaultWindow: Int {
        #if os(iOS) || os(watchOS) || os(tvOS) || os(visionOS)
            1 << 31
        #else
            1 << 36
        #endif
    }

    package static let keptSlabByteCount = 8 << 20

    private var hasSlabMemory: Bool
    private var isSlabOpen = false
    /// The file, if its mapping can be cached; nil if it is unknown, or the mapping isn't the file.
    private let file: FileIdentity?

    init(descriptor: Int32, _ file: FileIdentity?, path: String, fileWindow: Int, slabWindow: Int) throws {
        unsafe base = try FileMapping.map(descriptor, file, fileWindow + slabWindow, path: path)
        self.file = file
        self.fileWindow = fileWindow
        self.slabWindow = slabWindow
        pages = nil
        hasSlabMemory = false
    }

    /// Creates a mapping whose file half is private memory, filled by `source` page by page. The content of the file at
    /// the beginning of `generation`, and later additions, are read on first access.
    package init(
        pagesOf source: any PageSource, generation: UInt64, path: String, fileWindow: Int, slabWindow: Int
    ) throws {
        let marks = LazyPages.markByteCount(fileWindow)
        let start = unsafe try FileMapping.reserve(fileWindow + slabWindow + marks, path: path)
        unsafe pages = LazyPages(
            base: start, byteCount: fileWindow, marks: start + fileWindow + slabWindow, source: source,
            generation: generation)
        unsafe base = start
        file = nil
        self.fileWindow = fileWindow
        self.slabWindow = slabWindow
        hasSlabMemory = true
    }

    private static func map(
        _ descriptor: Int32, _ file: FileIdentity?, _ byteCount: Int, path: String
    ) throws -> UnsafeMutableRawPointer {
        if let file, let kept = unsafe MappingCache.shared.take(file, byteCount: byteCount) { return unsafe kept }
        if let start = unsafe map(descriptor, byteCount) { return unsafe start }
        // A cached mapping may occupy the addresses.
        MappingCache.shared.drop()
        guard let start = unsafe map(descriptor, byteCount) else { throw SystemError.last("mmap", path: path) }
        return unsafe start
    }

    private static func map(_ descriptor: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
        let mapped = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
        return unsafe mapped == MAP_FAILED ? nil : mapped
    }

    /// Allocates the slab's memory, unless it is open. Returns false if the system has no memory. Only for the writer.
    ///
    /// Page faults are most of the memory cost of a large transaction, so the part after the retained one is requested
    /// in large pages, if the system has them.
    package func openSlab() -> Bool {
        guard slabWindow > 0, !isSlabOpen else { return true }
        let start = unsafe base + fileWindow
        if !hasSlabMemory {
            let flags = FileMapping.privateMemory | MAP_FIXED
            guard unsafe mmap(start, slabWindow, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED else {
                return false
            }
            hasSlabMemory = true
        }
        let kept = FileMapping.keptSlabByteCount
        if kept < slabWindow { unsafe FileMapping.preferLargePages(start + kept, slabWindow - kept) }
        isSlabOpen = true
        return true
    }

    private static var privateMemory: Int32 {
        #if canImport(Darwin)
            MAP_PRIVATE | MAP_ANON
        #else
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #endif
    }

    package static func canReserve(_ byteCount: Int) -> Bool {
        let reserved = unsafe mmap(nil, byteCount, PROT_NONE, privateMemory, -1, 0)
        guard let start = unsafe reserved, unsafe start != MAP_FAILED else { return false }
        unsafe munmap(start, byteCount)
        return true
    }

    /// Reserves writable address space that uses no memory until it is accessed.
    static func reserve(_ byteCount: Int, path: String) throws -> UnsafeMutableRawPointer {
        let reserved = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, privateMemory, -1, 0)
        guard let start = unsafe reserved, unsafe start != MAP_FAILED else {
            throw SystemError.last("mmap", path: path)
        }
        return unsafe start
    }

    deinit {
        let marks = pages == nil ? 0 : LazyPages.markByteCount(fileWindow)
        if let file, !hasSlabMemory {
            return unsafe MappingCache.shared.keep(base, byteCount: fileWindow + slabWindow, of: file)
        }
        unsafe munmap(base, fileWindow + slabWindow + marks)
    }

    static func preferLargePages(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
        #if os(Linux)
            unsafe madvise(start, byteCount, MADV_HUGEPAGE)
        #endif
    }

    /// Returns the memory of the open slab from `offset` on to the system. It reads as zero afterwards.
    package func discardSlab(from offset: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let start = (offset + page - 1) / page * page
        guard start < slabWindow else { return }
        unsafe madvise(base + fileWindow + start, slabWindow - start, MADV_DONTNEED)
    }
}
