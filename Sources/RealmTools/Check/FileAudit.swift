// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Runs the engine's audit on a file that is mapped, or copied if others have it open.
enum FileAudit {
    /// Throws if the file is not a database that an audit can begin to read.
    static func report(on path: String, strict: Bool) throws -> CheckReport {
        let file = try OpenFile.disk(path)
        let byteCount = try file.size()
        // Says in plain words what is wrong with a file that is no Realm file at all.
        _ = try FileHeader(file, size: byteCount)
        // A damaged file need not open for its audit.
        if let database = try? Database.open(path, readOnly: true, joining: true),
            let image = try database.imageBesideOthers()
        {
            return try readable(FileChecker.check(bytes: image, options: .init(strict: strict)))
        }
        let mapping = try file.map(fileWindow: byteCount, slabWindow: 0)
        let report = withExtendedLifetime(mapping) {
            let image = UnsafeRawBufferPointer(start: mapping.base, count: byteCount)
            return FileChecker(image: image, options: .init(strict: strict)).check()
        }
        return try readable(report)
    }

    private static func readable(_ report: CheckReport) throws -> CheckReport {
        if let reason = report.unreadable { throw StorageError(.invalidDatabase, reason) }
        return report
    }
}
