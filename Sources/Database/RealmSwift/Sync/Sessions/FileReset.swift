// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore

struct FileReset {
    typealias Before = @Sendable (Realm) -> Void
    typealias After = @Sendable (Realm, Realm) -> Void

    let mode: RealmSync.ClientResetMode
    let mayDiscard: Bool
    let before: Before?
    let after: After?

    /// Returns `nil` if the program resets the file itself.
    init?(_ mode: ClientResetMode) {
        switch mode {
        case .manual: return nil
        case .discardLocal(let before, let after), .discardUnsyncedChanges(let before, let after):
            self.init(.discard, mayDiscard: false, before, after)
        case .recoverUnsyncedChanges(let before, let after): self.init(.recover, mayDiscard: false, before, after)
        case .recoverOrDiscardUnsyncedChanges(let before, let after):
            self.init(.recover, mayDiscard: true, before, after)
        }
    }

    private init(
        _ mode: RealmSync.ClientResetMode, mayDiscard: Bool, _ before: Before?, _ after: After?
    ) {
        (self.mode, self.mayDiscard, self.before, self.after) = (mode, mayDiscard, before, after)
    }

    func run(
        on file: Database, _ copy: Database, for failure: ClientFailure, _ move: ClientReset.Move?
    ) throws {
        let isRecoveryAllowed = failure.action != .clientResetNoRecovery
        let action: ClientResetAction =
            switch move {
            case .toSubscriptions: .migrate
            case .toPartition: .revert
            case nil: isRecoveryAllowed ? .reset : .resetWithoutRecovery
            }
        let cause = ClientResetCause(action, errorCode: Int64(failure.code), message: failure.error.message)
        try ClientReset(local: file, fresh: copy, move).run(
            mode, isRecoveryAllowed: isRecoveryAllowed, mayDiscard: mayDiscard, cause: cause)
    }
}
