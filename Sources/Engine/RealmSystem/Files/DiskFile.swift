// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A file on disk, by its descriptor.
///
/// The descriptor is opened once and closed with the last reference. It never changes in between, which makes the class
/// `Sendable`.
package final class DiskFile: DatabaseFile {
    package let path: String
    package let isReadOnly: Bool
    let descriptor: Int32
    /// nil for a file without a name, which can't be opened twice.
    package let identity: FileIdentity?
    private let syncs: Bool
    private let calls: SystemCalls
    /// The process that opened the file. A process that inherited the descriptor by `fork` doesn't own its locks.
    let owner = CurrentProcess.identifier

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

    deinit {
        // Closing the descriptor isn't enough: a mapping keeps the lock, and so does a process between fork and exec.
        if identity != nil, isOwn { releaseClaim() }
        DiskFile.giveBack(descriptor, owner: owner)
    }

    /// Opens a regular file. A missing one is created with the permissions of `mode`, restricted by the process's
    /// `umask`, and its directory is synced, so that the name survives a crash.
    package static func open(
        _ path: String, readOnly: Bool, creation: FileCreation = .mustExist, mode: UInt16 = 0o600,
        calls: SystemCalls = SystemCalls()
    ) throws -> DiskFile {
        let flags = (readOnly ? O_RDONLY : O_RDWR) | opening
        var descriptor = openDescriptor(path, flags)
        if descriptor == -1, errno == ENOENT, creation == .createIfMissing {
            descriptor = openDescriptor(path, flags | O_CREAT, mode: mode_t(mode))
            if descriptor != -1 { syncDirectory(of: path) }
        }
        let status = try status(ofOpened: descriptor, path)
        return DiskFile(
            descriptor: descriptor, status.identity, path: path, isReadOnly: readOnly, syncs: true, calls: calls)
    }

    /// Opening a fifo or a device must not block.
    private static let opening = O_CLOEXEC | O_NONBLOCK

    /// Returns the status of a file that was just opened. Throws if that failed; closes and rejects anything but a
    /// regular file.
    private static func status(ofOpened descriptor: Int32, _ path: String) throws -> FileStatus {
        guard descriptor != -1 else {
            let error = SystemError.last("open", path: path)
            // A socket, or a fifo without a reader.
            guard error.number == ENXIO, let status = FileStatus(path) else { throw error }
            throw notRegular(status, path)
        }
        guard let status = FileStatus(descriptor: descriptor) else {
            let error = SystemError.last("fstat", path: path)
            close(descriptor)
            throw error
        }
        guard status.isRegular else {
            close(descriptor)
            throw notRegular(status, path)
        }
        return status
    }

    private static func notRegular(_ status: FileStatus, _ path: String) -> SystemError {
        if status.isFolder { return SystemError("open", path: path, number: EISDIR) }
        return SystemError("open", path: path, number: ENXIO, reason: "it is \(status.kind), and not a regular file")
    }

    /// Creates a file that must not exist yet, not even as a dangling link. Its name may not survive a crash.
    ///
    /// - Parameters:
    ///   - name: The final path of the file, if it is another one.
    ///   - permissions: Those of another file are copied as far as this process may set them.
    package static func create(
        _ path: String, named name: String? = nil, _ permissions: FilePermissions = .ownerOnly,
        calls: SystemCalls = SystemCalls()
    ) throws -> DiskFile {
        // Other users may not use the file until it has its owner.
        let mode = permissions.isOwners ? permissions.mode : permissions.mode & 0o700
        let descriptor = openDescriptor(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, mode: mode_t(mode))
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        let file = DiskFile(
            descriptor: descriptor, FileStatus(descriptor: descriptor)?.identity, path: name ?? path,
            isReadOnly: false, syncs: true, calls: calls)
        do {
            try permissions.apply(to: descriptor, path: path)
            return file
        } catch {
            unsafe unlink(path)
            throw error
        }
    }

    package static func create(_ name: String, in folder: OpenFolder) throws -> DiskFile {
        let mode = mode_t(folder.permissions.ofFile.mode)
        let flags = O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try opened(openDescriptor(name, flags, mode: mode, in: folder.descriptor), name, in: folder)
        // Restores the bits that the process's `umask` has cleared: the other users of the folder need them.
        try folder.permissions.ofFile.apply(to: file.descriptor, path: file.path)
        return file
    }

    /// Opens a file in `folder` that contains only locks, or data that only live processes need. Links aren't followed.
    package static func open(
        _ name: String, in folder: OpenFolder, readOnly: Bool = false, creation: FileCreation = .mustExist
    ) throws -> DiskFile {
        let flags = (readOnly ? O_RDONLY : O_RDWR) | O_NOFOLLOW | opening
        while true {
            do {
                return try opened(
                    openDescriptor(name, flags, in: folder.descriptor), name, in: folder, readOnly: readOnly)
            } catch let error as SystemError where error.number == ENOENT && creation == .createIfMissing {
                do { return try create(name, in: folder) } catch let error as SystemError where error.number == EEXIST {
                    // Another process has created it meanwhile.
                }
            }
        }
    }

    private static func opened(
        _ descriptor: Int32, _ name: String, in folder: OpenFolder, readOnly: Bool = false
    ) throws -> DiskFile {
        let path = folder.path + "/" + name
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        return DiskFile(descriptor: descriptor, path: path, isReadOnly: readOnly, syncs: false)
    }

    /// Creates a file without a name, for an in-memory database. It is removed with its last reference, and never
    /// synced.
    package static func anonymous(in directory: String) throws -> DiskFile {
        var template = Array((directory + "/regnum-XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        let name = unsafe template.withUnsafeBufferPointer { unsafe String(cString: $0.baseAddress!) }
        guard descriptor != -1 else { throw SystemError.last("mkstemp", path: name) }
        unsafe unlink(name)
        return DiskFile(descriptor: descriptor, path: name, isReadOnly: false, syncs: false)
    }

    /// Not read with `fstat`: since Linux 6.13, after a read of the time of a change, the next change gets a new time,
    /// and then the next sync has to write the inode as well. Nothing else uses the position.
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
        try SizeLimit.verify(offset + bytes.count, path: path)
        var done = 0
        while done < bytes.count {
            let count = retrying {
                unsafe calls.pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, offset + done)
            }
            if count == -1 { throw SystemError.last("pwrite", path: path) }
            // A call that neither fails nor makes progress would be repeated endlessly.
            if count == 0 { throw SystemError("pwrite of nothing", path: path, number: ENOSPC) }
            done += count
        }
        // A write of this size is usually followed by more and by a sync, which then has less to write.
        if syncs, bytes.count >= DiskFile.largeWrite { calls.startSync(descriptor, offset, bytes.count) }
    }

    private static let largeWrite = 1 << 20

    /// Reserves disk space for added bytes if the file system can. Free space in the file can then be used when the
    /// disk is full, for example to remove objects. Throws, without effect, if there isn't enough space.
    package func resize(to size: Int) throws {
        try SizeLimit.verify(size, path: path)
        let before = syncs ? try self.size() : size
        if size > before, retrying({ calls.reserve(descriptor, before, size - before) }) != 0 {
            let error = SystemError.last("fallocate", path: path)
            // Other errors mean that the file system can't reserve space.
            if [ENOSPC, EDQUOT].contains(error.number) {
                // A part may have been reserved, and belong to the file.
                _ = retrying { calls.ftruncate(descriptor, before) }
                throw error
            }
        }
        guard retrying({ calls.ftruncate(descriptor, size) }) == 0 else {
            throw SystemError.last("ftruncate", path: path)
        }
    }

    package func sync() throws {
        guard syncs else { return }
        guard retrying({ calls.sync(descriptor) }) == 0 else { throw SystemError.last("fsync", path: path) }
    }

    /// The number of bytes that may still be written to the file's volume.
    package func freeByteCount() throws -> Int {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { throw SystemError.last("fstatvfs", path: path) }
        let (bytes, overflow) = Int(status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
        return overflow ? .max : bytes
    }

    package func hasName() throws -> Bool { try status().linkCount > 0 }

    package func status() throws -> FileStatus {
        guard let status = FileStatus(descriptor: descriptor) else { throw SystemError.last("fstat", path: path) }
        return status
    }

    package func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try FileMapping(
            descriptor: descriptor, identity, path: path, fileWindow: fileWindow, slabWindow: slabWindow)
    }

    package static func rename(_ source: String, to target: String) throws {
        try Folder.rename(source, to: target)
        syncDirectory(of: target)
    }

    /// `folder` is the start of relative paths.
    static func openDescriptor(_ path: String, _ flags: Int32, mode: mode_t = 0, in folder: Int32 = AT_FDCWD) -> Int32 {
        Int32(retrying { Int(systemOpen(folder, path, flags, mode)) })
    }

    /// Best effort: some file systems can't sync a directory, and no guarantee for an existing file depends on it.
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
        unsafe Darwin.openat(folder, path, flags, mode)
    #elseif canImport(Musl)
        Musl.openat(folder, path, flags, mode)
    #else
        unsafe Glibc.openat(folder, path, flags, mode)
    #endif
}
