// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FileClientStore {
    /// The transferred and the expected bytes (§2.11). For downloads of a file with subscriptions, ten thousandths of
    /// the data of its query.
    package var transfer: TransferProgress {
        var progress = TransferProgress()
        read { snapshot, history in
            guard let history else { return }
            progress.downloaded = history.downloadedBytes
            progress.downloadable = history.downloadedBytes.addingClamped(history.downloadableBytes)
            if try SubscriptionStore(snapshot) != nil {
                progress.downloaded = min(history.downloadableBytes, FileClientStore.allOfBootstrap)
                progress.downloadable = FileClientStore.allOfBootstrap
            }
            progress.uploaded = history.uploadedBytes
            progress.uploadable = max(history.uploadableBytes, history.uploadedBytes)
        }
        return progress
    }
}
