// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The idents and versions of a server of ours for those of a recorded one, so that the messages of the recorded clients
/// can be sent to ours.
struct ReplayTranslation {
    /// The files by recorded ident.
    private var files: [UInt64: SaltedIdent] = [:]
    /// The progress of each file when it had received a version of the recorded server, in order.
    private var progress: [UInt64: [(version: UInt64, progress: ClientProgress)]] = [:]

    mutating func assign(_ file: SaltedIdent, to recorded: UInt64) { files[recorded] = file }

    mutating func note(_ version: UInt64, of recorded: UInt64, _ current: ClientProgress) {
        progress[recorded]?.removeAll { $0.version >= version }
        progress[recorded, default: []].append((version, current))
    }

    /// - Parameter file: The recorded ident of the session's file.
    func translated(_ message: ClientMessage, of file: UInt64?) -> ClientMessage {
        guard let file else { return message }
        switch message {
        case .ident(var ident):
            ident.file = files[file] ?? ident.file
            let known = progress(of: file, at: ident.download.serverVersion)
            (ident.download, ident.latest) = (known.download, known.latest)
            return .ident(ident)
        case .upload(var upload):
            upload.progress.serverVersion = version(upload.progress.serverVersion, of: file)
            upload.lockedServerVersion = version(upload.lockedServerVersion, of: file)
            for index in upload.entries.indices {
                upload.entries[index].serverVersion = version(upload.entries[index].serverVersion, of: file)
            }
            return .upload(upload)
        default: return message
        }
    }

    private func version(_ recorded: UInt64, of file: UInt64) -> UInt64 {
        progress(of: file, at: recorded).download.serverVersion
    }

    private func progress(of file: UInt64, at version: UInt64) -> ClientProgress {
        progress[file]?.last { $0.version <= version }?.progress ?? ClientProgress()
    }
}
