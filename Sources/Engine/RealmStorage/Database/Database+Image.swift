// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Returns the contents of the file with the newest version selected. Returns nil if no other process has the file
    /// open and its header selects that version.
    ///
    /// The version is pinned until then, so it's complete in the copy even if others commit.
    package func imageBesideOthers() throws -> [UInt8]? {
        do {
            guard sharing != nil || lock.locked({ committed.isAhead }) else { return nil }
            let (state, pin) = try waitAndPin("copy")
            defer { unpin(pin) }
            var bytes = try wholeFile()
            bytes.replaceSubrange(0..<FileFormat.Header.byteCount, with: state.naming.bytes)
            return bytes
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// Nil if the file has more than `limit` bytes or can't be read.
    package func auditedImage(upTo limit: Int) -> [UInt8]? {
        guard let size = try? file.size(), size <= limit else { return nil }
        return (try? imageBesideOthers()) ?? (try? file.contents())
    }

    /// Another process may truncate the end of the file, which the pinned version doesn't use, between two calls.
    private func wholeFile() throws -> [UInt8] {
        var attempt = 0
        while true {
            do {
                return try file.contents()
            } catch {
                attempt += 1
                guard attempt < 5 else { throw error }
            }
        }
    }
}
