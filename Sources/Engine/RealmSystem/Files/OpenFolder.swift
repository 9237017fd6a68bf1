// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An open folder. Its files are found without resolving its path, and it stays valid when the folder is renamed.
///
/// The stream owns the descriptor. `lock` guards its position and `isLocked`, and is held while the folder is read. The
/// pointer is immutable, hence `Sendable`.
@safe
package final class OpenFolder: @unchecked Sendable {
    package let path: String
    package let identity: FileIdentity
    let permissions: FilePermissions
    let descriptor: Int32
    private let lock = Lock()
    private var stream: DirectoryStream?
    private var isLocked = false
    private let owner = CurrentProcess.identifier

    package init(_ path: String) throws {
        descriptor = DiskFile.openDescriptor(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor != -1 else {
            let error = SystemError.last("open", path: path)
            guard [ENOTDIR, ELOOP].contains(error.number), let status = FileStatus(path, followingLinks: false),
                !status.isFolder
            else { throw error }
            throw SystemError(
                "open", path: path, number: ENOTDIR,
                reason: "there is \(status.kind) in the place of the folder; remove it")
        }
        guard let status = FileStatus(descriptor: descriptor) else {
            let error = SystemError.last("fstat", path: path)
            close(descriptor)
            throw error
        }
        self.path = path
        identity = status.identity
        permissions = FilePermissions(of: status)
    }

    /// Opens the folder. Usually it exists, so it's created only if opening fails. The users of a file with these
    /// permissions may then use the folder.
    package static func make(
        _ path: String, for permissions: @autoclosure () -> FilePermissions
    ) throws -> OpenFolder {
        do {
            return try OpenFolder(path)
        } catch let error as SystemError where error.number == ENOENT {
            try create(path, for: permissions())
            return try OpenFolder(path)
        }
    }

    @discardableResult
    package static func create(_ path: String, for permissions: FilePermissions) throws -> Bool {
        let permissions = permissions.ofFolder
        guard try Folder.create(path, mode: permissions.mode) else { return false }
        let made = try OpenFolder(path)
        try withExtendedLifetime(made) { _ = try permissions.apply(to: made.descriptor, path: path) }
        return true
    }

    deinit { if let stream = unsafe stream { unsafe closedir(stream) } else { close(descriptor) } }

    /// Like `Folder.names`, without resolving the path.
    package func names(prefix: StaticString) throws -> [String] {
        try lock.locked {
            let stream = unsafe try openedStream()
            unsafe rewinddir(stream)
            return unsafe try Folder.names(in: stream, prefix: prefix, path: path)
        }
    }

    private func openedStream() throws -> DirectoryStream {
        if let stream = unsafe stream { return unsafe stream }
        guard let opened = unsafe fdopendir(descriptor) else { throw SystemError.last("fdopendir", path: path) }
        unsafe stream = unsafe opened
        return unsafe opened
    }

    /// Acquires the BSD lock of the folder, in competition with this and other processes. Returns whether this call
    /// acquired it. The caller must release it: closing the folder doesn't while a child process has a copy of its
    /// descriptor.
    package func acquireLock() throws -> Bool {
        guard owner == CurrentProcess.identifier else {
            throw SystemError("flock after fork", path: path, number: EPERM)
        }
        return try lock.locked {
            guard !isLocked else { return false }
            guard retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 else {
                if errno == EWOULDBLOCK { return false }
                throw SystemError.last("flock", path: path)
            }
            isLocked = true
            return true
        }
    }

    /// A process that inherited the folder by `fork` leaves the lock to its parent.
    package func releaseLock() {
        guard owner == CurrentProcess.identifier else { return }
        lock.locked {
            flock(descriptor, LOCK_UN)
            isLocked = false
        }
    }

    /// A missing file isn't an error.
    package func removeFile(_ name: String) throws {
        if unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { return }
        throw SystemError.last("unlink", path: path + "/" + name)
    }
}

#if canImport(Darwin)
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
    typealias DirectoryStream = OpaquePointer
#endif
