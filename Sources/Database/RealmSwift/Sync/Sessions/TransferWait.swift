// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSync

struct TransferWait {
    let number: Int
    let direction: SyncSession.ProgressDirection
    let block: @Sendable ((any Error)?) -> Void
    /// For an upload, the version that the server must have. For a download, the number of the mark; nil while the
    /// session has none.
    var target: UInt64?

    static var loggedOut: SyncError { SyncError(.clientUserError, text: "The user is not logged in.") }

    static func cancellation(_ reason: String) -> NSError {
        NSError(
            domain: NSPOSIXErrorDomain, code: Int(ECANCELED),
            userInfo: [NSLocalizedDescriptionKey: "Operation canceled: \(reason)"])
    }
}

struct TransferObserver {
    let number: Int
    let direction: SyncSession.ProgressDirection
    let mode: SyncSession.ProgressMode
    let block: @Sendable (SyncSession.Progress) -> Void
    /// The amount of data outstanding at the beginning, for an observation that ends once it is transferred.
    private var target: UInt64?
    private var last: (transferred: UInt64, transferable: UInt64)?
    private(set) var isOver = false

    init(
        number: Int, direction: SyncSession.ProgressDirection, mode: SyncSession.ProgressMode,
        block: @escaping @Sendable (SyncSession.Progress) -> Void
    ) {
        self.number = number
        self.direction = direction
        self.mode = mode
        self.block = block
    }

    mutating func progress(_ transfer: TransferProgress) -> SyncSession.Progress? {
        var (transferred, transferable) =
            direction == .upload
            ? (transfer.uploaded, transfer.uploadable) : (transfer.downloaded, transfer.downloadable)
        if mode == .forCurrentlyOutstandingWork {
            let target = target ?? transferable
            self.target = target
            (transferred, transferable) = (min(transferred, target), target)
            isOver = transferred >= target
        }
        if let last, last == (transferred, transferable) { return nil }
        last = (transferred, transferable)
        return SyncSession.Progress(
            transferred: Int(clamping: transferred), transferrable: Int(clamping: transferable),
            estimate: transferable == 0 ? 1 : Double(transferred) / Double(transferable))
    }
}
