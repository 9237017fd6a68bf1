// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A message from a server (§2.6).
package enum ServerMessage: Hashable, Sendable {
    case ident(session: UInt64, SaltedIdent)
    case download(Download)
    case mark(session: UInt64, request: UInt64)
    case unbound(session: UInt64)
    case pong(timestamp: UInt64)
    /// The error for clients before version 4, which has no action. The session is 0 if it concerns the connection.
    case error(session: UInt64, code: Int, canTryAgain: Bool, String)
    case jsonError(session: UInt64, code: Int, ServerError)
    case queryError(session: UInt64, code: Int, queryVersion: UInt64, String)
    case log(session: UInt64, JSON)
    case test(session: UInt64, request: UInt64, String)

    package struct Download: Hashable, Sendable {
        package var session: UInt64
        package var download: DownloadCursor
        package var latest: SaltedVersion
        package var upload: UploadCursor
        package var stage: Stage
        package var entries: [Entry]

        package enum Stage: Hashable, Sendable {
            case partition(downloadableBytes: UInt64)
            /// `progress` is the completed fraction, from 0 to 1; before version 12 a number of bytes.
            case flexible(queryVersion: UInt64, BatchState, progress: Double)

            package var isBootstrap: Bool {
                if case .flexible(_, let state, _) = self { state != .steady } else { false }
            }

            /// The number that a client file records: bytes for a partition, otherwise ten thousandths of all changes
            /// that are sent (§4.6).
            package var downloadable: UInt64 {
                switch self {
                case .partition(let bytes): bytes
                case .flexible(_, _, let progress): UInt64(min(max(progress, 0), 1) * 10_000)
                }
            }
        }

        package enum BatchState: UInt64, Hashable, Sendable {
            case moreToCome = 0
            case lastOfBootstrap = 1
            case steady = 2
        }

        package struct Entry: Hashable, Sendable {
            package var serverVersion: UInt64
            package var clientVersion: UInt64
            package var timestamp: UInt64
            package var origin: UInt64
            /// The size before merges on the server.
            package var originalSize: UInt64
            package var changeset: [UInt8]

            package init(
                serverVersion: UInt64, clientVersion: UInt64, timestamp: UInt64, origin: UInt64, originalSize: UInt64,
                changeset: [UInt8]
            ) {
                self.serverVersion = serverVersion
                self.clientVersion = clientVersion
                self.timestamp = timestamp
                self.origin = origin
                self.originalSize = originalSize
                self.changeset = changeset
            }
        }

        package init(
            session: UInt64, download: DownloadCursor, latest: SaltedVersion, upload: UploadCursor, stage: Stage,
            entries: [Entry]
        ) {
            self.session = session
            self.download = download
            self.latest = latest
            self.upload = upload
            self.stage = stage
            self.entries = entries
        }
    }

    /// Decodes a complete message.
    ///
    /// - Parameter limit: The maximum uncompressed size that a body may declare.
    /// - Throws: `WireError` if the message is invalid.
    package init(_ message: [UInt8], mode: SyncMode, limit: Int = Wire.maxBody) throws(WireError) {
        var reader = try MessageReader(message)
        switch reader.name {
        case "ident":
            self = .ident(
                session: try reader.number(), SaltedIdent(ident: try reader.number(), salt: try reader.number()))
        case "download": self = .download(try Download(&reader, mode, limit))
        case "mark": self = .mark(session: try reader.number(), request: try reader.number())
        case "unbound": self = .unbound(session: try reader.number())
        case "pong": self = .pong(timestamp: try reader.number())
        case "error", "json_error", "query_error": self = try ServerMessage.error(&reader, mode)
        case "log_message":
            let session = try reader.number()
            self = .log(session: session, try reader.json(try reader.size()))
        case "test_command":
            let session = try reader.number()
            let request = try reader.number()
            self = .test(session: session, request: request, try reader.text(try reader.size()))
        case let name: throw WireError(.unknownMessage, "there is no message '\(name)'")
        }
        try reader.finish()
    }

    private static func error(_ reader: inout MessageReader, _ mode: SyncMode) throws(WireError) -> ServerMessage {
        let code = try reader.size()
        let size = try reader.size()
        switch reader.name {
        case "error":
            let canTryAgain = try reader.bool()
            let session = try reader.number()
            return .error(session: session, code: code, canTryAgain: canTryAgain, try reader.text(size))
        case "json_error":
            let session = try reader.number()
            guard let error = ServerError(try reader.json(size)) else {
                throw WireError(.badSyntax, "the JSON of an error lacks a member")
            }
            return .jsonError(session: session, code: code, error)
        default:
            guard mode == .flexible else { throw WireError(.unknownMessage, "there is no message 'query_error'") }
            let session = try reader.number()
            let version = try reader.number()
            return .queryError(session: session, code: code, queryVersion: version, try reader.text(size))
        }
    }

    /// The session that the message concerns; 0 if it concerns the connection.
    package var session: UInt64 {
        switch self {
        case .ident(let session, _), .mark(let session, _), .unbound(let session), .error(let session, _, _, _),
            .jsonError(let session, _, _), .queryError(let session, _, _, _), .log(let session, _),
            .test(let session, _, _):
            session
        case .download(let download): download.session
        case .pong: 0
        }
    }

    package func encoded() -> [UInt8] {
        switch self {
        case .ident(let session, let file): return Wire.message("ident", session, file.ident, file.salt)
        case .download(let download): return download.encoded()
        case .mark(let session, let request): return Wire.message("mark", session, request)
        case .unbound(let session): return Wire.message("unbound", session)
        case .pong(let timestamp): return Wire.message("pong", timestamp)
        case .error(let session, let code, let canTryAgain, let text):
            return Wire.message("error", UInt64(code), UInt64(text.utf8.count), canTryAgain ? 1 : 0, session)
                + Array(text.utf8)
        case .jsonError(let session, let code, let error):
            let text = error.json.description
            return Wire.message("json_error", UInt64(code), UInt64(text.utf8.count), session) + Array(text.utf8)
        case .queryError(let session, let code, let version, let text):
            return Wire.message("query_error", UInt64(code), UInt64(text.utf8.count), session, version)
                + Array(text.utf8)
        case .log(let session, let json):
            let text = json.description
            return Wire.message("log_message", session, UInt64(text.utf8.count)) + Array(text.utf8)
        case .test(let session, let request, let text):
            return Wire.message("test_command", session, request, UInt64(text.utf8.count)) + Array(text.utf8)
        }
    }
}

extension ServerMessage.Download {
    fileprivate init(_ reader: inout MessageReader, _ mode: SyncMode, _ limit: Int) throws(WireError) {
        session = try reader.number()
        download = DownloadCursor(serverVersion: try reader.number(), clientVersion: try reader.number())
        latest = SaltedVersion(version: try reader.number(), salt: try reader.number())
        upload = UploadCursor(clientVersion: try reader.number(), serverVersion: try reader.number())
        stage = try Stage(&reader, mode)
        var body = try reader.compressible(limit: limit)
        entries = []
        while !body.isEmpty {
            let serverVersion = try MessageReader.entryNumber(&body)
            let clientVersion = try MessageReader.entryNumber(&body)
            let timestamp = try MessageReader.entryNumber(&body)
            let origin = try MessageReader.entryNumber(&body)
            let originalSize = try MessageReader.entryNumber(&body)
            entries.append(
                Entry(
                    serverVersion: serverVersion, clientVersion: clientVersion, timestamp: timestamp, origin: origin,
                    originalSize: originalSize, changeset: try MessageReader.changeset(&body)))
        }
    }

    fileprivate func encoded() -> [UInt8] {
        var body: [UInt8] = []
        for entry in entries {
            MessageWriter.entry(
                [entry.serverVersion, entry.clientVersion, entry.timestamp, entry.origin, entry.originalSize],
                entry.changeset, into: &body)
        }
        var writer = MessageWriter("download")
        for number in [
            session, download.serverVersion, download.clientVersion, latest.version, latest.salt, upload.clientVersion,
            upload.serverVersion,
        ] {
            writer.number(number)
        }
        switch stage {
        case .partition(let bytes): writer.number(bytes)
        case .flexible(let version, let state, let progress):
            writer.number(version)
            writer.number(state.rawValue)
            writer.decimal(progress)
        }
        writer.compressible(body)
        return writer.message
    }
}

extension ServerMessage.Download.Stage {
    fileprivate init(_ reader: inout MessageReader, _ mode: SyncMode) throws(WireError) {
        guard mode == .flexible else {
            self = .partition(downloadableBytes: try reader.number())
            return
        }
        let version = try reader.number()
        guard let state = ServerMessage.Download.BatchState(rawValue: try reader.number()) else {
            throw WireError(.badSyntax, "a download has no batch state of this number")
        }
        self = .flexible(queryVersion: version, state, progress: try reader.decimal())
    }
}
