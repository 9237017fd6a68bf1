// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

/// The files that our programs created with the original engine: `Tests/Fixtures`, an archive for each folder.
///
/// A folder is unpacked at first use into a temporary folder of the process. The files are read-only.
public enum Fixtures {
    private static let lock = Lock()
    // Guarded by `lock`.
    nonisolated(unsafe) private static var unpacked: [String: String] = [:]

    /// The folders, such as "v24" and "sync/messages", sorted.
    public static let folders: [String] = {
        let paths = FileManager.default.enumerator(atPath: archives)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    }()

    /// The absolute path of a folder.
    public static func folder(_ name: String) -> String {
        lock.locked {
            if let path = unpacked[name] { return path }
            do {
                let path = temporaryFolder + "/" + name
                try unpack(TarArchive(bytes: GzipFile.read(archives + "/" + name + suffix)), into: path)
                unpacked[name] = path
                return path
            } catch {
                fatalError("Tests/Fixtures/\(name)\(suffix) can't be unpacked: \(error)")
            }
        }
    }

    /// The absolute path of a file, such as "v24/links.realm".
    public static func path(_ file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { fatalError("\(file) names no folder of Tests/Fixtures") }
        return folder(String(file[..<slash])) + file[slash...]
    }

    /// The names, without extension, of the `.realm` files of a folder, sorted.
    public static func names(in name: String) -> [String] { realms(in: folder(name)) }

    /// The names, without extension, of the `.realm` files in the folder at a path, sorted.
    static func realms(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".realm") }.map { String($0.dropLast(6)) }.sorted()
    }

    private static let archives = SharedFiles.packageRoot + "/Tests/Fixtures"
    private static let suffix = ".tar.gz"

    private static func unpack(_ archive: TarArchive, into folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in archive.files {
            let path = folder + "/" + name
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        }
    }

    private static let prefix = "regnum-fixtures-"

    /// A folder of this process, removed at its end.
    private static let temporaryFolder: String = {
        removeAbandonedFolders()
        let path = TemporaryFolder.base + "/" + prefix + UUID().uuidString
        atexit { try? FileManager.default.removeItem(atPath: Fixtures.temporaryFolder) }
        return path
    }()

    /// Removes the folders of processes that ended in a trap, which are a day old.
    private static func removeAbandonedFolders() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.base)) ?? []
        for path in names.filter({ $0.hasPrefix(prefix) }).map({ TemporaryFolder.base + "/" + $0 }) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let date = attributes?[.modificationDate] as? Date, date.timeIntervalSinceNow < -86_400 else {
                continue
            }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
