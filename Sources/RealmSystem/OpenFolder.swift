// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A folder that stays open: what is in it is found without the way there, and stays the same where the folder gets
/// another name.
///
/// The stream owns the descriptor; `lock` guards its position, and is held while the folder is read. The pointer is
/// immutable, hence `Sendable`.
@safe
package final class OpenFolder: @unchecked Sendable {
    package let path: String
    let descriptor: Int32
    private let lock = Lock()
    private var stream: DirectoryStream?

    /// Opens the folder at `path`, which must be there.
    package init(_ path: String) throws {
        descriptor = DiskFile.openDescriptor(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        self.path = path
    }

    /// Opens the folder, and makes it if it is missing: only then, since as a rule it is there.
    package static func make(_ path: String) throws -> OpenFolder {
        do {
            return try OpenFolder(path)
        } catch let error as SystemError where error.number == ENOENT {
            try Folder.create(path)
            return try OpenFolder(path)
        }
    }

    deinit { if let stream = unsafe stream { unsafe closedir(stream) } else { close(descriptor) } }

    /// As `Folder.names`.
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

    /// Removes a file; one that is gone already is no error.
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
