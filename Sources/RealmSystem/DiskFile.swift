// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A file on disk, by its descriptor.
///
/// The descriptor is opened once and closed when the last holder lets go; it is never changed in between, which is
/// what makes the class `Sendable`.
package final class DiskFile: DatabaseFile {
    package let path: String
    package let isReadOnly: Bool
    let descriptor: Int32
    /// nil where nobody has asked, since it would not be mapped twice.
    private let identity: FileIdentity?
    private let syncs: Bool
    private let calls: SystemCalls

    private init(
        descriptor: Int32, _ identity: FileIdentity? = nil, path: String, isReadOnly: Bool, syncs: Bool,
        calls: SystemCalls = SystemCalls()
    ) {
        self.descriptor = descriptor
        self.identity = identity
        self.path = path
        self.isReadOnly = isReadOnly
        self.syncs = syncs
        self.calls = calls
    }

    deinit { DiskFile.giveBack(descriptor) }

    /// Opens `path`. A directory that was just given a new file is synced too, so that the name survives a crash.
    package static func open(
        _ path: String, readOnly: Bool, creation: FileCreation = .mustExist, calls: SystemCalls = SystemCalls()
    ) throws -> DiskFile {
        let flags = (readOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC
        var descriptor = openDescriptor(path, flags)
        if descriptor == -1, errno == ENOENT, creation == .createIfMissing {
            descriptor = openDescriptor(path, flags | O_CREAT, mode: 0o644)
            if descriptor != -1 { syncDirectory(of: path) }
        }
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SystemError("open", path: path, number: EISDIR)
        }
        return DiskFile(
            descriptor: descriptor, FileIdentity(status), path: path, isReadOnly: readOnly, syncs: true, calls: calls)
    }

    /// Makes a file that must not exist yet; its name need not survive a crash. `name` is the path that it is going to
    /// have, where that is another one.
    package static func create(_ path: String, named name: String? = nil) throws -> DiskFile {
        let descriptor = openDescriptor(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, mode: 0o644)
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        return DiskFile(descriptor: descriptor, path: name ?? path, isReadOnly: false, syncs: true)
    }

    /// Makes a file in `folder` that must not exist yet.
    package static func create(_ name: String, in folder: OpenFolder) throws -> DiskFile {
        try open(name, O_CREAT | O_EXCL, in: folder)
    }

    /// Opens a file in `folder` that holds nothing but its locks, or what only processes that live need; makes it if it
    /// is missing, unless it must exist.
    package static func open(
        _ name: String, in folder: OpenFolder, readOnly: Bool = false, creation: FileCreation = .mustExist
    ) throws -> DiskFile {
        try open(name, creation == .createIfMissing ? O_CREAT : 0, in: folder, readOnly: readOnly)
    }

    private static func open(
        _ name: String, _ flags: Int32, in folder: OpenFolder, readOnly: Bool = false
    ) throws -> DiskFile {
        let flags = flags | (readOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC
        let path = folder.path + "/" + name
        let descriptor = openDescriptor(name, flags, mode: 0o644, in: folder.descriptor)
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        return DiskFile(descriptor: descriptor, path: path, isReadOnly: readOnly, syncs: false)
    }

    /// A file without a name: the space of an in-memory database. It is gone with its last holder, and is never synced.
    package static func anonymous(in directory: String) throws -> DiskFile {
        var template = Array((directory + "/regnum-XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        let name = unsafe template.withUnsafeBufferPointer { unsafe String(cString: $0.baseAddress!) }
        guard descriptor != -1 else { throw SystemError.last("mkstemp", path: name) }
        unsafe unlink(name)
        return DiskFile(descriptor: descriptor, path: name, isReadOnly: false, syncs: false)
    }

    /// Not asked of `fstat`: since Linux 6.13, when somebody has seen the time of a change, the next change gets a time
    /// of its own: after each look the next sync has to write the inode as well. Nothing else uses the position.
    package func size() throws -> Int {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end != -1 else { throw SystemError.last("lseek", path: path) }
        return Int(end)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < buffer.count {
            let count = retrying {
                unsafe calls.pread(descriptor, buffer.baseAddress! + done, buffer.count - done, offset + done)
            }
            if count == -1 { throw SystemError.last("pread", path: path) }
            if count == 0 { throw SystemError("pread past the end", path: path, number: EIO) }
            done += count
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            let count = retrying {
                unsafe calls.pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, offset + done)
            }
            if count == -1 { throw SystemError.last("pwrite", path: path) }
            // A call that neither fails nor gets on would be repeated for ever.
            if count == 0 { throw SystemError("pwrite of nothing", path: path, number: ENOSPC) }
            done += count
        }
        // Where so much is written at once there is more to come, and a sync, which then has less to wait for.
        if syncs, bytes.count >= DiskFile.largeWrite { calls.startSync(descriptor, offset, bytes.count) }
    }

    private static let largeWrite = 1 << 20

    package func resize(to size: Int) throws {
        guard retrying({ calls.ftruncate(descriptor, size) }) == 0 else {
            throw SystemError.last("ftruncate", path: path)
        }
    }

    package func sync() throws {
        guard syncs else { return }
        guard retrying({ calls.sync(descriptor) }) == 0 else { throw SystemError.last("fsync", path: path) }
    }

    /// Bytes that may still be written to the file's volume.
    package func freeByteCount() throws -> Int {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { throw SystemError.last("fstatvfs", path: path) }
        let (bytes, overflow) = Int(status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
        return overflow ? .max : bytes
    }

    /// Whether the file has a name still, or somebody has removed it.
    package func hasName() throws -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError.last("fstat", path: path) }
        return status.st_nlink > 0
    }

    /// Gives the file the permissions of another one.
    func takePermissions(of other: DiskFile) throws {
        var status = stat()
        guard unsafe fstat(other.descriptor, &status) == 0 else { throw SystemError.last("fstat", path: other.path) }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw SystemError.last("fchmod", path: path) }
    }

    package func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try FileMapping(
            descriptor: descriptor, identity, path: path, fileWindow: fileWindow, slabWindow: slabWindow)
    }

    /// Renames `source` to `target`, replacing it, and makes the new name durable.
    package static func rename(_ source: String, to target: String) throws {
        try Folder.rename(source, to: target)
        syncDirectory(of: target)
    }

    /// `folder` is where paths begin that are not absolute.
    static func openDescriptor(_ path: String, _ flags: Int32, mode: mode_t = 0, in folder: Int32 = AT_FDCWD) -> Int32 {
        Int32(retrying { Int(systemOpen(folder, path, flags, mode)) })
    }

    /// Best effort: some file systems refuse to sync a directory, and none of our guarantees for an existing file
    /// depends on it.
    package static func syncDirectory(of path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = openDescriptor(parent.isEmpty ? "/" : parent, O_RDONLY | O_CLOEXEC)
        guard descriptor != -1 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

private func systemOpen(_ folder: Int32, _ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Darwin)
        Darwin.openat(folder, path, flags, mode)
    #elseif canImport(Musl)
        Musl.openat(folder, path, flags, mode)
    #else
        unsafe Glibc.openat(folder, path, flags, mode)
    #endif
}
