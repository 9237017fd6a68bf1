// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import SyncTestSupport

    @testable import RealmSyncServer

    extension StoredPartition {
        func model() throws -> SyncModel {
            var model = SyncModel()
            for changeset in stateChangesets { try model.apply(changeset) }
            return model
        }
    }

    extension UploadedChange {
        /// A change of a file, based on a version of the server.
        init(_ changeset: Changeset, _ version: UInt64, from file: UInt64, basedOn server: UInt64 = 0) {
            self.init(
                clientVersion: version, serverVersion: server,
                order: ChangeOrder(timestamp: 1000 + version, fileIdent: file), changeset: changeset,
                originalSize: changeset.encoded().count)
        }
    }
#endif
