// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A message from a client (§2.5).
package enum ClientMessage: Hashable, Sendable {
    case bind(Bind)
    case ident(Ident)
    case query(session: UInt64, VersionedQuery)
    case upload(Upload)
    case mark(session: UInt64, request: UInt64)
    case unbind(session: UInt64)
    case ping(timestamp: UInt64, roundTrip: UInt64)
    case error(session: UInt64, code: Int, JSON)
    case test(session: UInt64, request: UInt64, String)

    package struct Bind: Hashable, Sendable {
        package var session: UInt64
        /// The partition value, or for flexible synchronisation the JSON of §2.5.
        package var path: String
        /// Empty for current clients, which send the token in the URL.
        package var token = ""
        package var needsIdent: Bool
        package var isSubserver = false

        package init(session: UInt64, path: String, needsIdent: Bool) {
            self.session = session
            self.path = path
            self.needsIdent = needsIdent
        }
    }

    package struct Ident: Hashable, Sendable {
        package var session: UInt64
        package var file: SaltedIdent
        package var download: DownloadCursor
        package var latest: SaltedVersion
        /// The active subscriptions; nil with partitions.
        package var query: VersionedQuery?

        package init(
            session: UInt64, file: SaltedIdent, download: DownloadCursor, latest: SaltedVersion,
            query: VersionedQuery? = nil
        ) {
            self.session = session
            self.file = file
            self.download = download
            self.latest = latest
            self.query = query
        }
    }

    package struct Upload: Hashable, Sendable {
        package var session: UInt64
        package var progress: UploadCursor
        package var lockedServerVersion: UInt64
        package var entries: [Entry]

        package struct Entry: Hashable, Sendable {
            package var clientVersion: UInt64
            package var serverVersion: UInt64
            package var timestamp: UInt64
            /// 0 for the client's own changes.
            package var origin: UInt64
            package var changeset: [UInt8]

            package init(
                clientVersion: UInt64, serverVersion: UInt64, timestamp: UInt64, origin: UInt64 = 0, changeset: [UInt8]
            ) {
                self.clientVersion = clientVersion
                self.serverVersion = serverVersion
                self.timestamp = timestamp
                self.origin = origin
                self.changeset = changeset
            }
        }

        package init(session: UInt64, progress: UploadCursor, lockedServerVersion: UInt64, entries: [Entry]) {
            self.session = session
            self.progress = progress
            self.lockedServerVersion = lockedServerVersion
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
        case "bind": self = .bind(try Bind(&reader))
        case "ident": self = .ident(try Ident(&reader, mode))
        case "query" where mode == .flexible:
            self = .query(session: try reader.number(), try VersionedQuery(&reader))
        case "upload": self = .upload(try Upload(&reader, limit))
        case "mark": self = .mark(session: try reader.number(), request: try reader.number())
        case "unbind": self = .unbind(session: try reader.number())
        case "ping": self = .ping(timestamp: try reader.number(), roundTrip: try reader.number())
        case "json_error":
            let code = try reader.size()
            let size = try reader.size()
            let session = try reader.number()
            self = .error(session: session, code: code, try reader.json(try reader.shortSize(size)))
        case "test_command":
            let session = try reader.number()
            let request = try reader.number()
            self = .test(session: session, request: request, try reader.shortText(try reader.size()))
        // The server logs the text, and a name from a client can be anything.
        default: throw WireError(.unknownMessage, "there is no message of this name")
        }
        try reader.finish()
    }

    /// The session that the message concerns; 0 if it concerns the connection.
    package var session: UInt64 {
        switch self {
        case .query(let session, _), .mark(let session, _), .unbind(let session), .error(let session, _, _),
            .test(let session, _, _):
            session
        case .bind(let bind): bind.session
        case .ident(let ident): ident.session
        case .upload(let upload): upload.session
        case .ping: 0
        }
    }

    package func encoded() -> [UInt8] {
        switch self {
        case .bind(let bind): return bind.encoded()
        case .ident(let ident): return ident.encoded()
        case .query(let session, let query):
            var writer = MessageWriter("query")
            writer.number(session)
            query.write(to: &writer)
            return writer.message
        case .upload(let upload): return upload.encoded()
        case .mark(let session, let request): return Wire.message("mark", session, request)
        case .unbind(let session): return Wire.message("unbind", session)
        case .ping(let timestamp, let roundTrip): return Wire.message("ping", timestamp, roundTrip)
        case .error(let session, let code, let json):
            let text = json.description
            return Wire.message("json_error", UInt64(code), UInt64(text.utf8.count), session) + Array(text.utf8)
        case .test(let session, let request, let text):
            return Wire.message("test_command", session, request, UInt64(text.utf8.count)) + Array(text.utf8)
        }
    }
}

/// The limits of messages in both directions, in bytes.
package enum Wire {
    /// The maximum changeset of one write. A message contains complete changesets, and both peers hold it in memory.
    package static let maxChangeset = 128 << 20
    /// The maximum message, compressed or not. A merge may lengthen a changeset by a few bytes per instruction.
    package static let maxBody = 160 << 20
    /// The maximum text that a client sends outside changesets, such as a partition value. A server parses or retains
    /// these texts before it has validated anything.
    package static let maxText = 64 << 10
    /// The maximum text of the queries of a set of subscriptions (§5.2).
    package static let maxQuery = 256 << 10

    static func message(_ name: String, _ numbers: UInt64...) -> [UInt8] {
        var writer = MessageWriter(name)
        for number in numbers { writer.number(number) }
        return writer.message
    }
}

extension ClientMessage.Bind {
    fileprivate init(_ reader: inout MessageReader) throws(WireError) {
        session = try reader.number()
        let pathSize = try reader.size()
        let tokenSize = try reader.size()
        needsIdent = try reader.bool()
        isSubserver = try reader.bool()
        path = try reader.shortText(pathSize)
        token = try reader.shortText(tokenSize)
    }

    fileprivate func encoded() -> [UInt8] {
        var writer = MessageWriter("bind")
        writer.number(session)
        writer.sized(path)
        writer.sized(token)
        writer.bool(needsIdent)
        writer.bool(isSubserver)
        return writer.message
    }
}

extension ClientMessage.Ident {
    fileprivate init(_ reader: inout MessageReader, _ mode: SyncMode) throws(WireError) {
        session = try reader.number()
        file = SaltedIdent(ident: try reader.number(), salt: try reader.number())
        download = DownloadCursor(serverVersion: try reader.number(), clientVersion: try reader.number())
        latest = SaltedVersion(version: try reader.number(), salt: try reader.number())
        query = mode == .flexible ? try VersionedQuery(&reader) : nil
    }

    fileprivate func encoded() -> [UInt8] {
        var writer = MessageWriter("ident")
        for number in [
            session, file.ident, file.salt, download.serverVersion, download.clientVersion, latest.version, latest.salt,
        ] {
            writer.number(number)
        }
        query?.write(to: &writer)
        return writer.message
    }
}

extension VersionedQuery {
    fileprivate init(_ reader: inout MessageReader) throws(WireError) {
        version = try reader.number()
        text = try reader.shortText(try reader.size(), limit: Wire.maxQuery)
    }

    fileprivate func write(to writer: inout MessageWriter) {
        writer.number(version)
        writer.sized(text)
    }
}

extension ClientMessage.Upload {
    fileprivate init(_ reader: inout MessageReader, _ limit: Int) throws(WireError) {
        session = try reader.number()
        // The sizes of the body precede the cursors.
        let sizes = (try reader.field(), try reader.field(), try reader.field())
        progress = UploadCursor(clientVersion: try reader.number(), serverVersion: try reader.number())
        lockedServerVersion = try reader.number()
        reader.prepend(sizes)
        var body = try reader.compressible(limit: limit)
        entries = []
        while !body.isEmpty {
            let clientVersion = try MessageReader.entryNumber(&body)
            let serverVersion = try MessageReader.entryNumber(&body)
            let timestamp = try MessageReader.entryNumber(&body)
            let origin = try MessageReader.entryNumber(&body)
            entries.append(
                Entry(
                    clientVersion: clientVersion, serverVersion: serverVersion, timestamp: timestamp, origin: origin,
                    changeset: try MessageReader.changeset(&body)))
        }
    }

    fileprivate func encoded() -> [UInt8] {
        var body: [UInt8] = []
        for entry in entries {
            MessageWriter.entry(
                [entry.clientVersion, entry.serverVersion, entry.timestamp, entry.origin], entry.changeset, into: &body)
        }
        var writer = MessageWriter("upload")
        writer.number(session)
        writer.compressible(body)
        writer.number(progress.clientVersion)
        writer.number(progress.serverVersion)
        writer.number(lockedServerVersion)
        return writer.message
    }
}
