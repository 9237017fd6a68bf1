// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage
import RealmSystem
import RealmTools

/// The file that the pages display, if one is open.
///
/// Unchecked: everything but `queue` is confined to `queue`, which is serial.
package final class StudioFile: @unchecked Sendable {
    package let queue = DispatchQueue(label: "regnum.studio")
    let canWrite: Bool
    private(set) var path: String?
    private var isPathFromPage = false
    /// The reason the file isn't open; nil if it's open or no file was selected.
    private(set) var refusal: Refusal?
    private var content: FollowedFile?
    private(set) var undoStack = UndoStack()
    private(set) var feed = ChangeFeed()
    private var sessions: [UUID: StudioSession] = [:]

    struct Refusal {
        let message: String
        let needsKey: Bool
    }

    package init(canWrite: Bool) { self.canWrite = canWrite }

    func perform<Result: Sendable>(_ body: @escaping @Sendable (StudioFile) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body(self)) }
        }
    }

    // MARK: Opening

    var isOpen: Bool { content != nil }

    /// Whether the page may choose the file: the command line names none, and none is open yet.
    var asksForPath: Bool { content == nil && (path == nil || isPathFromPage) }

    func open(typed path: String) throws {
        guard asksForPath else { throw StudioError("another file is open") }
        isPathFromPage = true
        open(path, nil)
    }

    var opened: FollowedFile {
        get throws {
            guard let content else { throw StudioError(refusal?.message ?? "no file is open") }
            return content
        }
    }

    func open(_ path: String, _ cipher: (any PageCipher)?) {
        close()
        (self.path, refusal) = (path, nil)
        do {
            let content = try FollowedFile(path, cipher: cipher, canWrite: canWrite, label: "realm studio")
            try content.onForeignCommit { [weak self] in
                guard let self else { return }
                queue.async { self.refresh() }
            }
            self.content = content
        } catch {
            refusal = Refusal(message: "\(error)", needsKey: StudioFile.needsKey(error, path, hasCipher: cipher != nil))
        }
    }

    func unlock(_ key: String) throws {
        guard let path else { throw StudioError("no file is open") }
        guard let cipher = try EncryptionKey.cipher(hexadecimal: key) else {
            throw StudioError("the key must be 128 hexadecimal digits")
        }
        open(path, cipher)
        if let refusal { throw StudioError(refusal.message) }
    }

    private func close() { (content, undoStack, feed) = (nil, UndoStack(), ChangeFeed()) }

    func end() {
        close()
        sessions = [:]
    }

    /// Whether the key is missing or wrong. An encrypted file without its key can't be distinguished from a file of
    /// another format.
    private static func needsKey(_ error: any Error, _ path: String, hasCipher: Bool) -> Bool {
        guard let error = error as? StorageError else { return false }
        if error.code == .wrongKey { return true }
        guard error.code == .invalidDatabase, !hasCipher, let file = FileHandle(forReadingAtPath: path),
            let header = try? file.read(upToCount: FileFormat.Header.byteCount),
            header.count == FileFormat.Header.byteCount
        else { return false }
        return !header.dropFirst(FileFormat.Header.mnemonic).starts(with: FileFormat.mnemonic)
    }

    // MARK: Pages

    func add(_ session: StudioSession, _ id: UUID) { sessions[id] = session }
    func session(_ id: UUID) -> StudioSession? { sessions[id] }
    func remove(_ id: UUID) { sessions[id] = nil }

    /// Displays the newest version, and sends the changes to all pages.
    func refresh() {
        guard let content else { return }
        do {
            guard let diff = try content.advance() else { return }
            let change = try FileChange(diff)
            feed.add(change)
            for session in sessions.values { session.send("commit", change.json) }
        } catch {
            let json = JSONText.object { $0.failure(error) }
            for session in sessions.values { session.send("trouble", json) }
        }
    }
}
