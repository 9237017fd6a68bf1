// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The system calls by which a `DiskFile` reads and writes: the seam where tests interrupt them and cut them short.
///
/// Each returns what the call of the same name does, -1 with `errno` set on failure.
@safe
package struct SystemCalls: Sendable {
    package var pread: @Sendable (Int32, UnsafeMutableRawPointer, Int, Int) -> Int = {
        descriptor, bytes, count, offset in
        #if canImport(Darwin)
            unsafe Darwin.pread(descriptor, bytes, count, off_t(offset))
        #elseif canImport(Musl)
            unsafe Musl.pread(descriptor, bytes, count, off_t(offset))
        #else
            unsafe Glibc.pread(descriptor, bytes, count, off_t(offset))
        #endif
    }
    package var pwrite: @Sendable (Int32, UnsafeRawPointer, Int, Int) -> Int = { descriptor, bytes, count, offset in
        #if canImport(Darwin)
            unsafe Darwin.pwrite(descriptor, bytes, count, off_t(offset))
        #elseif canImport(Musl)
            unsafe Musl.pwrite(descriptor, bytes, count, off_t(offset))
        #else
            unsafe Glibc.pwrite(descriptor, bytes, count, off_t(offset))
        #endif
    }
    package var ftruncate: @Sendable (Int32, Int) -> Int = { descriptor, size in
        #if canImport(Darwin)
            Int(Darwin.ftruncate(descriptor, off_t(size)))
        #elseif canImport(Musl)
            Int(Musl.ftruncate(descriptor, off_t(size)))
        #else
            Int(Glibc.ftruncate(descriptor, off_t(size)))
        #endif
    }
    /// Has the disk begin with what was written to a range, as far as the system can; it promises nothing.
    package var startSync: @Sendable (Int32, Int, Int) -> Void = { descriptor, offset, count in
        #if os(Linux)
            _ = unsafe syncFileRange(descriptor, Int64(offset), Int64(count), syncFileRangeWrite)
        #endif
    }
    /// Makes the content and the size durable.
    package var sync: @Sendable (Int32) -> Int = { descriptor in
        #if canImport(Darwin)
            if fcntl(descriptor, F_BARRIERFSYNC) != -1 || fcntl(descriptor, F_FULLFSYNC) != -1 { return 0 }
            return Int(fsync(descriptor))
        #else
            // The size is metadata that is needed to read the data back, so fdatasync makes it durable as well.
            Int(fdatasync(descriptor))
        #endif
    }

    package init() {}
}

#if os(Linux)
    /// Linux has it, and the Swift modules of the C libraries lack it.
    @_silgen_name("sync_file_range")
    @unsafe private func syncFileRange(_ descriptor: Int32, _ offset: Int64, _ count: Int64, _ flags: UInt32) -> Int32

    private let syncFileRangeWrite: UInt32 = 2
#endif
