// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Runs the engine's audit on a file that is mapped, not read.
enum FileAudit {
    /// Throws if the file is not a database that an audit can begin to read.
    static func report(on path: String, strict: Bool) throws -> CheckReport {
        let file = try OpenFile.disk(path)
        let byteCount = try file.size()
        // Says in plain words what is wrong with a file that is no Realm file at all.
        _ = try FileHeader(file, size: byteCount)
        let mapping = try file.map(fileWindow: byteCount, slabWindow: 0)
        let report = withExtendedLifetime(mapping) {
            let image = UnsafeRawBufferPointer(start: mapping.base, count: byteCount)
            return FileChecker(image: image, options: .init(strict: strict)).check()
        }
        if let reason = report.unreadable { throw StorageError(.invalidDatabase, reason) }
        return report
    }
}
