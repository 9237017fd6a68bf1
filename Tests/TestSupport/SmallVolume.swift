// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A small volume, mounted in a temporary folder and unmounted when this object is deallocated.
package final class SmallVolume {
    private let folder: TemporaryFolder
    package let path: String

    /// Returns nil if it can't be mounted.
    package init?(_ kind: String) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/volume"
        guard getuid() == 0 else { return nil }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if kind == "tmpfs" {
            guard SmallVolume.run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", path) else { return nil }
        } else {
            let image = folder.path + "/image"
            guard FileManager.default.createFile(atPath: image, contents: nil),
                truncate(image, 9 << 20) == 0, SmallVolume.run("mkfs.\(kind)", "-q", "-F", "-m", "0", image),
                SmallVolume.run("mount", "-o", "loop", image, path)
            else { return nil }
        }
    }

    deinit { _ = SmallVolume.run("umount", path) }

    package func fill() {
        let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        for size in [65_536, 4096, 512, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(descriptor, bytes, size) == size {}
        }
        fsync(descriptor)
    }

    private static func run(_ command: String, _ arguments: String...) -> Bool {
        (try? FinishedProgram(command, arguments))?.status == 0
    }
}
