// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension DiskFile {
    /// Creates a file with a content, or replaces one. After a crash, the path has the old content or the new one.
    ///
    /// - Returns: The new file, which is durable.
    @discardableResult
    static func replace(_ path: String, with bytes: [UInt8], calls: SystemCalls = SystemCalls()) throws -> DiskFile {
        // An earlier replacement may have been interrupted.
        try Folder.removeFile(path + ".new")
        let file = try create(path + ".new", named: path, calls: calls)
        try file.append(bytes, at: 0)
        try file.sync()
        try rename(path + ".new", to: path)
        return file
    }
}
