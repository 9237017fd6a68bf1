// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The names of the participants' files that this process has left without an owner, by folder.
///
/// `names` is guarded by `lock`.
final class ReusableParticipantFiles: @unchecked Sendable {
    static let shared = ReusableParticipantFiles()

    private let lock = Lock()
    private var names: [ByteText: [String]] = [:]

    private static let maximumFolderCount = 64

    /// Returns the result of `use` for the first file of `folder` for which it isn't nil. Forgets the files before it.
    func take<File>(in folder: String, _ use: (String) -> File?) -> File? {
        while let name = lock.locked({ names[ByteText(folder)]?.popLast() }) {
            if let file = use(name) { return file }
        }
        return nil
    }

    func keep(_ name: String, in folder: String) {
        lock.locked {
            if names.count >= ReusableParticipantFiles.maximumFolderCount { names.removeAll() }
            names[ByteText(folder), default: []].append(name)
        }
    }
}
