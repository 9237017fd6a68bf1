// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import NIOCore
    import RealmSyncCore
    import RealmTestSupport

    /// A client that sends a test's messages, and receives the server's. Confined to one task.
    package final class MessageClient {
        package let socket: WebSocketClient
        private let mode: SyncMode
        private var events: AsyncStream<WebSocketClient.Event>.Iterator
        private let acknowledged = NIOLockedValueBox<UInt64>(0)

        package init(
            port: Int, uri: String = WebSocketClient.uri(user: "ann"), mode: SyncMode = .partition,
            offers: [String]? = nil
        ) async throws {
            self.mode = mode
            let (stream, continuation) = AsyncStream<WebSocketClient.Event>.makeStream()
            socket = try await WebSocketClient.connect(
                port: port, uri: uri, offers: offers ?? mode.offers(mode == .partition ? 8...14 : 12...14)
            ) { [acknowledged] event in
                if case .message(let bytes) = event,
                    case .download(let download)? = try? ServerMessage(bytes, mode: mode)
                {
                    acknowledged.withLockedValue { $0 = max($0, download.upload.clientVersion) }
                }
                continuation.yield(event)
            }
            events = stream.makeAsyncIterator()
        }

        package func send(_ message: ClientMessage) async throws { try await socket.send(message.encoded()).get() }

        package func nextEvent() async -> WebSocketClient.Event { await events.next() ?? .closed(code: nil) }

        /// Waits until the server closes the connection.
        package func closeCode() async -> UInt16? {
            while true { if case .closed(let code) = await nextEvent() { return code } }
        }

        /// - Throws: If the connection ends first.
        package func next() async throws -> ServerMessage {
            switch await nextEvent() {
            case .message(let bytes): return try ServerMessage(bytes, mode: mode)
            case .closed(let code): throw Failure("the server closed the connection (\(code.map(String.init) ?? "-"))")
            }
        }

        package func begin(_ path: String, session: UInt64 = 1) async throws -> SaltedIdent {
            try await send(.bind(ClientMessage.Bind(session: session, path: path, needsIdent: true)))
            let answer = try await next()
            guard case .ident(session, let file) = answer else { throw Failure("an ident was expected: \(answer)") }
            try await identify(file, session: session)
            return file
        }

        package func identify(
            _ file: SaltedIdent, session: UInt64 = 1, download: DownloadCursor = DownloadCursor(),
            latest: SaltedVersion = SaltedVersion()
        ) async throws {
            let query = mode == .flexible ? VersionedQuery(version: 0, text: "{}") : nil
            try await send(
                .ident(
                    ClientMessage.Ident(session: session, file: file, download: download, latest: latest, query: query))
            )
        }

        package func download() async throws -> ServerMessage.Download {
            while true {
                switch try await next() {
                case .download(let download): return download
                case .mark: continue
                case let other: throw Failure("a download was expected: \(other)")
                }
            }
        }

        /// Sends changes in versions from `first` on, all based on one server version.
        package func upload(
            _ changesets: [Changeset], first: UInt64, session: UInt64 = 1, basedOn version: UInt64 = 0
        ) async throws {
            let entries = changesets.enumerated().map { index, changeset in
                ClientMessage.Upload.Entry(
                    clientVersion: first + UInt64(index), serverVersion: version,
                    timestamp: 1000 + first + UInt64(index),
                    changeset: changeset.encoded())
            }
            let progress = UploadCursor(clientVersion: first + UInt64(changesets.count) - 1, serverVersion: version)
            try await send(
                .upload(
                    ClientMessage.Upload(session: session, progress: progress, lockedServerVersion: 0, entries: entries)
                ))
        }

        /// The newest version that the server has acknowledged in the messages that arrived, read by the test or not.
        package var acknowledgedVersion: UInt64 { acknowledged.withLockedValue { $0 } }

        /// Waits until the server has all changes up to a version of this client.
        package func waitForUpload(_ version: UInt64) async throws {
            while try await download().upload.clientVersion < version {}
        }

        package func close() { socket.close() }
    }
#endif
