// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What tells a file or folder from others, whatever its name; that of a file holds as long as somebody has it open or
/// mapped.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    init(_ status: stat) {
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// nil if there is nothing at `path`.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
