// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The attributes of a file or folder, except its times.
///
/// The times aren't requested if the system can omit them. Since Linux 6.13, after a read of the time of a change, the
/// next change gets a new time, and the next sync has to write the inode as well.
package struct FileStatus: Sendable {
    package let identity: FileIdentity
    /// The number of names of the file; 0 once the last one was removed.
    package let linkCount: Int
    /// Kind and permissions.
    let mode: UInt32
    let owner: UInt32
    let group: UInt32
    /// The time of the file's creation, in nanoseconds since 1970; 0 if the file system has none.
    private let birth: Int64

    /// Identifies the file also while no process has it open, unlike `identity`: a system soon reuses the inode of a
    /// deleted file. A copy of the file has another mark.
    package var mark: UInt64 { identity.number &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: birth) }

    /// Returns nil, with `errno` set, if the system call fails.
    package init?(_ path: String, followingLinks: Bool = true) {
        self.init(AT_FDCWD, path, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }

    init?(descriptor: Int32) {
        #if canImport(Glibc)
            // The flag is AT_EMPTY_PATH: the descriptor is that of the file itself.
            self.init(descriptor, "", 0x1000)
        #else
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { return nil }
            self.init(status)
        #endif
    }

    private init?(_ folder: Int32, _ path: String, _ flags: Int32) {
        #if canImport(Glibc)
            self.init(statusOf: path, in: folder, flags)
        #else
            var status = stat()
            guard unsafe fstatat(folder, path, &status, flags) == 0 else { return nil }
            self.init(status)
        #endif
    }

    private init(_ status: stat) {
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        linkCount = Int(status.st_nlink)
        (mode, owner, group) = (UInt32(status.st_mode), status.st_uid, status.st_gid)
        #if canImport(Darwin)
            let time = status.st_birthtimespec
            birth = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        #else
            birth = 0
        #endif
    }

    package var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    package var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }

    var kind: String {
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): "a file"
        case UInt32(S_IFDIR): "a folder"
        case UInt32(S_IFLNK): "a symbolic link"
        case UInt32(S_IFIFO): "a fifo"
        case UInt32(S_IFSOCK): "a socket"
        case UInt32(S_IFCHR), UInt32(S_IFBLK): "a device"
        default: "no file"
        }
    }
}

struct FileTime: Equatable {
    private let seconds: Int
    private let nanoseconds: Int
    private let byteCount: Int64

    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            (seconds, nanoseconds) = (Int(status.st_mtimespec.tv_sec), Int(status.st_mtimespec.tv_nsec))
        #else
            (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
        #endif
        byteCount = Int64(status.st_size)
    }
}

#if canImport(Glibc)
    extension FileStatus {
        /// Uses the system call `statx`, whose layout is that of the kernel on every processor.
        private init?(statusOf path: String, in folder: Int32, _ flags: Int32) {
            let status = unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { bytes -> FileStatus? in
                guard let start = bytes.baseAddress,
                    unsafe systemStatus(folder, path, flags, FileStatus.wanted, start) == 0
                else { return nil }
                return unsafe FileStatus(UnsafeRawBufferPointer(bytes))
            }
            guard let status else { return nil }
            self = status
        }

        /// Kind, permissions, number of names, owner, group, inode and time of creation; no other times, and no size.
        private static let wanted: UInt32 = 0x91F

        private init(_ status: UnsafeRawBufferPointer) {
            func number(_ offset: Int) -> UInt32 { unsafe status.load(fromByteOffset: offset, as: UInt32.self) }
            let (major, minor) = (number(136), number(140))
            // Combined as the system does in `st_dev`.
            let device = UInt64(minor & 0xFF) | UInt64(major) << 8 | UInt64(minor & ~0xFF) << 12
            identity = FileIdentity(device: device, number: unsafe status.load(fromByteOffset: 32, as: UInt64.self))
            linkCount = Int(number(16))
            mode = UInt32(unsafe status.load(fromByteOffset: 28, as: UInt16.self))
            (owner, group) = (number(20), number(24))
            let hasBirth = number(0) & 0x800 != 0
            let seconds = unsafe status.load(fromByteOffset: 80, as: Int64.self)
            birth = hasBirth ? seconds &* 1_000_000_000 &+ Int64(number(88)) : 0
        }
    }

    /// The Swift modules of the C libraries don't declare it.
    @_silgen_name("statx")
    @unsafe private func systemStatus(
        _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32,
        _ status: UnsafeMutableRawPointer
    ) -> Int32
#endif
