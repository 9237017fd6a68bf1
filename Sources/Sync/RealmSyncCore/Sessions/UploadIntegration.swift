// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The integration of an upload. A long one runs on another thread, while the server serves other partitions.
///
/// Its state and its partition are guarded by the partition's `isBusy`: from its creation to `SyncServer.finish` only
/// the thread that runs it accesses them.
package final class UploadIntegration: @unchecked Sendable {
    package let store: any PartitionStore
    private let entries: [ClientMessage.Upload.Entry]
    private let file: UInt64
    private let isReadOnly: Bool
    private let user: String
    package let effort: UploadEffort
    var session: (connection: UInt64, session: UInt64) = (0, 0)
    private(set) var failure: SessionError?

    init(
        _ entries: [ClientMessage.Upload.Entry], of file: UInt64, into store: any PartitionStore, isReadOnly: Bool,
        user: String = ""
    ) {
        (self.entries, self.file, self.store, self.isReadOnly, self.user) = (entries, file, store, isReadOnly, user)
        effort = store.effort(of: entries, from: file)
    }

    package func run() {
        let (changes, refusal) = changes()
        do throws(SessionError) {
            try store.integrate(changes, from: file)
            failure = refusal
        } catch {
            failure = error
        }
    }

    private func changes() -> ([UploadedChange], SessionError?) {
        var changes: [UploadedChange] = []
        for entry in entries {
            do throws(SessionError) {
                var change = try UploadedChange(entry, from: file, user: user)
                if isReadOnly { try change.requireNothingWritten() }
                changes.append(change)
            } catch {
                return (changes, error)
            }
        }
        return (changes, nil)
    }
}

extension UploadIntegration: Hashable {
    package static func == (a: UploadIntegration, b: UploadIntegration) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
