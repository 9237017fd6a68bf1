// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport

/// A participant whose file has no valid content.
final class ParticipantFileProbe {
    private var file: DiskFile?

    init(in folder: String) throws {
        let file = try DiskFile.create(folder + "/regnum-1-probe.pins")
        try require(try file.lock(.exclusive, waiting: true), "the lock")
        try [UInt8](repeating: 0xFF, count: 128).withUnsafeBytes { try file.write($0, at: 0) }
        self.file = file
    }

    func end() { file = nil }
}
