// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Identifies a file or folder regardless of its name. The identity of a file is valid while a process has it open or
/// mapped.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    package init?(_ path: String) {
        guard let status = FileStatus(path) else { return nil }
        self = status.identity
    }
}
