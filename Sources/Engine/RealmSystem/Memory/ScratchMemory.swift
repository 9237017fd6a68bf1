// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Memory for one computation. Its initial content is unspecified.
///
/// A large block uses large pages, if the system has them: page faults would take as long as the computation itself.
@safe
package struct ScratchMemory: ~Copyable {
    package let base: UnsafeMutableRawPointer
    private let byteCount: Int
    private let isMapped: Bool

    private static let largeByteCount = 4 << 20

    package init(byteCount: Int) {
        self.byteCount = byteCount
        if byteCount >= ScratchMemory.largeByteCount,
            let mapped = unsafe try? FileMapping.reserve(byteCount, path: "scratch memory")
        {
            unsafe base = mapped
            isMapped = true
            unsafe FileMapping.preferLargePages(mapped, byteCount)
        } else {
            unsafe base = .allocate(byteCount: max(byteCount, 1), alignment: 16)
            isMapped = false
        }
    }

    deinit {
        if isMapped {
            unsafe munmap(base, byteCount)
        } else {
            unsafe base.deallocate()
        }
    }
}
