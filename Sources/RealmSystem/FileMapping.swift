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
        #if canImport(Darwin)
            let anonymous = MAP_PRIVATE | MAP_ANON
            let noReserve = anonymous
        #else
            let anonymous = MAP_PRIVATE | MAP_ANONYMOUS
            let noReserve = anonymous | MAP_NORESERVE
        #endif
        let reserved = unsafe mmap(nil, total, PROT_NONE, noReserve, -1, 0)
        guard let start = unsafe reserved, unsafe start != MAP_FAILED else {
            throw SystemError.last("mmap", path: path)
        }
        let file = unsafe mmap(start, fileWindow, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0)
        let slab =
            slabWindow == 0
            ? unsafe start
            : unsafe mmap(start + fileWindow, slabWindow, PROT_READ | PROT_WRITE, noReserve | MAP_FIXED, -1, 0)
        if unsafe file == MAP_FAILED || slab == MAP_FAILED {
            let error = SystemError.last("mmap", path: path)
            unsafe munmap(start, total)
            throw error
        }
        unsafe base = start
        self.fileWindow = fileWindow
        self.slabWindow = slabWindow
    }

    deinit { unsafe munmap(base, fileWindow + slabWindow) }

    /// Gives the memory of the slab from `offset` on back to the system; it reads as zero afterwards.
    package func discardSlab(from offset: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let start = (offset + page - 1) / page * page
        guard start < slabWindow else { return }
        unsafe madvise(base + fileWindow + start, slabWindow - start, MADV_DONTNEED)
    }
}
