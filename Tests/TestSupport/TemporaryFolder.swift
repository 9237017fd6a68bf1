// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A new folder that is removed, with its content, when it is deallocated.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = TemporaryFolder.base + "/regnum-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        TestCleanup.keep(self)
    }

    /// Writes a file, and returns its path.
    public func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public static var base: String {
        let path = FileManager.default.temporaryDirectory.path
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
