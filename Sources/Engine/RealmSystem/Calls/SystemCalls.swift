// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The system calls with which a `DiskFile` reads and writes. Tests replace them to interrupt or shorten calls.
///
/// Each returns the result of the system call of its name, -1 with `errno` set on failure.
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
    /// Reserves disk space for a range after the end of the file, if the system can. May move the end.
    package var reserve: @Sendable (Int32, Int, Int) -> Int = { descriptor, offset, count in
        #if canImport(Darwin)
            var range = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(count),
                fst_bytesalloc: 0)
            return Int(unsafe fcntl(descriptor, F_PREALLOCATE, &range)) == -1 ? -1 : 0
        #elseif os(Linux)
            Int(unsafe fallocate(descriptor, 0, off_t(offset), off_t(count)))
        #else
            0
        #endif
    }
    /// Starts writing a range to the disk, if the system can. Guarantees nothing.
    package var startSync: @Sendable (Int32, Int, Int) -> Void = { descriptor, offset, count in
        #if os(Linux)
            _ = unsafe syncFileRange(descriptor, Int64(offset), Int64(count), syncFileRangeWrite)
        #endif
    }
    /// Makes the content and the size durable, to the degree of `Durability`.
    package var sync: @Sendable (Int32) -> Int

    package init(_ durability: Durability = .ordered) {
        #if canImport(Darwin)
            let isFull = durability != .ordered
            sync = { descriptor in
                if !isFull, fcntl(descriptor, F_BARRIERFSYNC) != -1 { return 0 }
                return fcntl(descriptor, F_FULLFSYNC) != -1 ? 0 : Int(fsync(descriptor))
            }
        #else
            // The size is metadata that is needed to read the data back, so fdatasync makes it durable as well.
            sync = { descriptor in Int(fdatasync(descriptor)) }
        #endif
    }
}

/// The durability of synced data. The cases don't differ on Linux, where a sync waits until the disk has stored
/// everything.
package enum Durability: Sendable {
    /// On Apple's platforms the disk has received the synced data, and preserves the order of syncs. A power failure
    /// may lose data in the disk's memory (`F_BARRIERFSYNC`).
    case ordered
    /// The disk has stored the data (`F_FULLFSYNC`).
    case full
    /// Like `full`, and the header of the file refers to a commit before it is acknowledged.
    case interchangeable
}

#if os(Linux)
    // The Swift modules of the C libraries don't declare these.

    @_silgen_name("fallocate")
    @unsafe private func fallocate(_ descriptor: Int32, _ mode: Int32, _ offset: off_t, _ count: off_t) -> Int32

    @_silgen_name("sync_file_range")
    @unsafe private func syncFileRange(_ descriptor: Int32, _ offset: Int64, _ count: Int64, _ flags: UInt32) -> Int32

    private let syncFileRangeWrite: UInt32 = 2
#endif
