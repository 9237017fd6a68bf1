// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// A complete client over a real socket, with a file in memory.
    ///
    /// Unchecked `Sendable`: only the event loop of its link uses its state.
    package final class SyncClient: @unchecked Sendable {
        private let link: SyncLink
        private let file: SimulatedClientFile
        private var lastTimestamp: UInt64

        /// - Parameter port: Returns the server's port. Called for each connection.
        package init(port: @escaping @Sendable () -> Int, user: String, path: String, seed: UInt64) {
            file = SimulatedClientFile()
            lastTimestamp = seed
            link = SyncLink(file, port: port, uri: WebSocketClient.uri(user: user), path: path, seed: seed)
        }

        package func use<Result: Sendable>(
            _ body: @escaping @Sendable (SimulatedClientFile) throws -> Result
        ) async throws -> Result {
            try await link.loop.submit { [self] in try body(file) }.get()
        }

        package func commit(_ make: @escaping @Sendable (SyncModel) -> Changeset) async throws {
            try await link.loop.submit { [self] in
                lastTimestamp += 10
                try file.commit(make(file.model), timestamp: lastTimestamp)
                file.sync()
                link.didCommit()
            }.get()
        }

        package var model: SyncModel { get async throws { try await use { $0.model } } }

        package func takeFailures() async throws -> [ClientFailure] { try await link.takeFailures() }

        package func waitForDownload() async throws { try await link.waitForDownload() }

        package func waitForUpload(seconds: Int = 1200) async throws {
            for _ in 0..<seconds * 100 {
                if try await use({ $0.isUploaded }) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Failure("the server has not taken all changes")
        }

        package func stop() { link.stop() }
    }
#endif
