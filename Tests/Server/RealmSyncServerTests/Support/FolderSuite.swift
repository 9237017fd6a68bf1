// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmTestSupport
    import RealmTools

    @testable import RealmSyncServer

    /// A suite of tests that work in a folder.
    protocol FolderSuite {
        var folder: TemporaryFolder { get }
    }

    extension FolderSuite {
        func path(_ name: String) -> String { folder.path + "/" + name }

        /// The data folder of a server.
        var data: String { path("data") }

        /// Returns the place of a partition's documents, or those of flexible sync for `nil`.
        func place(_ partition: String?) -> DocumentPlace {
            DocumentPlace(app: "app", name: partition.map { PartitionName(argument: $0) })
        }

        /// Returns the difference of two databases, which is empty if they are equal.
        func difference(_ first: String, _ second: String) -> String {
            let text = NIOLockedValueBox("")
            let status = RealmTool.run(
                ["diff", path(first), path(second)],
                output: { bytes in text.withLockedValue { $0 += String(decoding: bytes, as: UTF8.self) } },
                errors: { message in text.withLockedValue { $0 += message } })
            return status == 0 ? "" : text.withLockedValue { "\(status): \($0)" }
        }
    }
#endif
