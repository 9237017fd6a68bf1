// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Dispatch
    import RealmRuntime
    import RealmStorage
    import RealmSyncCore

    /// A server with subscriptions for one client, without a network. It answers each query as the test specifies.
    final class ScriptedFlexibleServer: WebSocketTransport {
        enum Answer {
            case changes([Changeset])
            case rejection(String)
        }

        private struct State {
            var handle: (@Sendable (WebSocketEvent) -> Void)?
            var version: UInt64 = 0
            var uploaded: UInt64 = 0
            var queryVersion: UInt64 = 0
            var lastIdent: UInt64 = 1
            var rejected: ServerError.Rejection.Update?
            var errors: [[(code: Int, error: ServerError)]] = []
        }

        private let state = Locked(State())
        private let queue = DispatchQueue(label: "flexible server")
        private let answer: @Sendable (String) -> Answer

        init(_ answer: @escaping @Sendable (String) -> Answer = { _ in .changes([]) }) { self.answer = answer }

        /// Sends errors after the next `ident` for which none are scheduled yet.
        func scheduleErrors(_ errors: (code: Int, error: ServerError)...) {
            state.withLock { $0.errors.append(errors) }
        }

        /// Reverts the next upload by erasing an object.
        func rejectNextUpload(of object: ObjectReference, because reason: String) {
            state.withLock { $0.rejected = ServerError.Rejection.Update(reason: reason, object: object) }
        }

        func open(_ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void) -> any WebSocket
        {
            state.withLock { $0.handle = handle }
            queue.async { handle(.opened(protocolName: "com.mongodb.realm-query-sync#14")) }
            return Socket(server: self)
        }

        private struct Socket: WebSocket {
            let server: ScriptedFlexibleServer

            func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void) {
                server.queue.async {
                    if let message = try? ClientMessage(message, mode: .flexible) { server.receive(message) }
                    completion()
                }
            }

            func close() {}
        }

        private func send(_ message: ServerMessage, _ state: State) {
            let (handle, bytes) = (state.handle, message.encoded())
            queue.async { handle?(.message(bytes)) }
        }

        private func receive(_ message: ClientMessage) {
            state.withLock { state in
                switch message {
                case .bind(let bind):
                    guard bind.needsIdent else { return }
                    state.lastIdent += 1
                    send(.ident(session: bind.session, SaltedIdent(ident: state.lastIdent, salt: 7)), state)
                case .ident(let ident):
                    state.queryVersion = ident.query?.version ?? 0
                    for (code, error) in state.errors.isEmpty ? [] : state.errors.removeFirst() {
                        send(.jsonError(session: ident.session, code: code, error), state)
                        if code != 236 { return }
                    }
                    let isNew = ident.download.serverVersion == 0
                    download(ident.session, isNew ? [Changeset()] : [], isNew ? .lastOfBootstrap : .steady, &state)
                case .query(let session, let query):
                    switch answer(query.text) {
                    case .changes(let changes):
                        state.queryVersion = query.version
                        download(session, changes.isEmpty ? [Changeset()] : changes, .lastOfBootstrap, &state)
                    case .rejection(let text):
                        send(.queryError(session: session, code: 226, queryVersion: query.version, text), state)
                    }
                case .mark(let session, let request): send(.mark(session: session, request: request), state)
                case .upload(let upload): receive(upload, &state)
                case .unbind(let session): send(.unbound(session: session), state)
                default: break
                }
            }
        }

        private func receive(_ upload: ClientMessage.Upload, _ state: inout State) {
            state.uploaded = max(state.uploaded, upload.progress.clientVersion)
            guard let update = state.rejected, let last = upload.entries.last else {
                return download(upload.session, [], .steady, &state)
            }
            state.rejected = nil
            let rejection = ServerError.Rejection(
                updates: [update], clientVersion: last.clientVersion, compensatingVersion: state.version + 1)
            let error = ServerError("reverted", .warning, canTryAgain: true, rejection: rejection)
            send(.jsonError(session: upload.session, code: 231, error), state)
            download(upload.session, [Changeset([.eraseObject(update.object)])], .steady, &state)
        }

        private func download(
            _ session: UInt64, _ changes: [Changeset], _ batch: ServerMessage.Download.BatchState, _ state: inout State
        ) {
            if !changes.isEmpty || state.version == 0 { state.version += 1 }
            let (version, uploaded) = (state.version, state.uploaded)
            let entries = changes.map { changeset in
                ServerMessage.Download.Entry(
                    serverVersion: version, clientVersion: uploaded, timestamp: 100, origin: 1, originalSize: 1,
                    changeset: changeset.isEmpty ? [] : changeset.encoded())
            }
            send(
                .download(
                    ServerMessage.Download(
                        session: session, download: DownloadCursor(serverVersion: version, clientVersion: uploaded),
                        latest: SaltedVersion(version: version, salt: 9), upload: UploadCursor(clientVersion: uploaded),
                        stage: .flexible(queryVersion: state.queryVersion, batch, progress: 1), entries: entries)),
                state)
        }
    }
#endif
