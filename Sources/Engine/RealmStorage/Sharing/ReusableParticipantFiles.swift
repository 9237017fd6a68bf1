// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The participants' files that this process has left behind, by folder: names only, since the files have no owner.
///
/// `names` is guarded by `lock`.
final class ReusableParticipantFiles: @unchecked Sendable {
    static let shared = ReusableParticipantFiles()

    private let lock = Lock()
    private var names: [ByteText: [String]] = [:]

    private static let maximumFolderCount = 64

    /// Returns the result of `use` for the first of the files left in `folder` that it can use. The files before it are
    /// dropped.
    func take<File>(in folder: String, _ use: (String) -> File?) -> File? {
        while let name = lock.locked({ names[ByteText(folder)]?.popLast() }) {
            if let file = use(name) { return file }
        }
        return nil
    }

    /// Notes that a file is left in `folder`.
    func keep(_ name: String, in folder: String) {
        lock.locked {
            if names.count >= ReusableParticipantFiles.maximumFolderCount { names.removeAll() }
            names[ByteText(folder), default: []].append(name)
        }
    }
}
