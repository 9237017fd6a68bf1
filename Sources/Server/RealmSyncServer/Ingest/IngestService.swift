// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    /// The ingested objects over HTTP: `GET /ingest/APP` reads them, `DELETE /ingest/APP` removes them.
    struct IngestService: Sendable {
        private let token: String?
        private let feed: @Sendable (String) async throws -> IngestFeed?

        private static let prefix = "/ingest/"
        private static let limits = 1...10_000
        private static let waits = 0...60

        /// - Parameters:
        ///   - token: The bearer token of requests to the public port. `nil` if only local requests are allowed.
        ///   - feed: Returns the records of an app.
        init(token: String?, _ feed: @escaping @Sendable (String) async throws -> IngestFeed?) {
            (self.token, self.feed) = (token, feed)
        }

        /// Returns `nil` if the request isn't for ingested objects.
        ///
        /// - Parameter isLocal: Whether the admin port received the request, which has checked its key.
        func respond(to request: HTTPRequest, isLocal: Bool) async -> HTTPResponse? {
            guard request.path.hasPrefix(IngestService.prefix), isLocal || token != nil else { return nil }
            guard isLocal || isAuthorized(request) else {
                var response = HTTPResponse.refusal(401, "The header Authorization has to contain the ingest token.")
                response.headers.append(("WWW-Authenticate", "Bearer"))
                return response
            }
            guard let app = percentDecoded(request.path.dropFirst(IngestService.prefix.count)), !app.isEmpty else {
                return .refusal(404, "The path is /ingest/ and the id of an app.")
            }
            do {
                guard let feed = try await feed(app) else {
                    return .refusal(404, "No client has used an app of this id that ingests objects.")
                }
                switch request.method {
                case "GET": return try await read(request.queryItems, feed)
                case "DELETE": return try await remove(request.queryItems, feed)
                default: return .refusal(405, "The methods are GET and DELETE.")
                }
            } catch {
                return IngestService.refusal(error)
            }
        }

        private func isAuthorized(_ request: HTTPRequest) -> Bool {
            guard let token else { return true }
            guard let header = request.onlyValue("authorization") else { return false }
            return isSameSecret(Array(header.utf8), Array("Bearer \(token)".utf8))
        }

        private static func refusal(_ error: any Error) -> HTTPResponse {
            switch error {
            case let error as QueryError: .refusal(400, error.message)
            case IngestFeed.Refusal.removed(let oldest):
                .refusal(410, "Objects after this cursor were removed. The oldest object has the number \(oldest).")
            case IngestFeed.Refusal.ahead(let newest):
                .refusal(400, "The cursor is ahead of the newest object, which has the number \(newest).")
            case IngestFeed.Refusal.unavailable(let reason):
                .refusal(503, "The ingested objects can't be read now: \(reason)")
            default: .refusal(500, "The ingested objects can't be read: \(error)")
            }
        }

        // MARK: Requests

        private func read(_ items: [String: String], _ feed: IngestFeed) async throws -> HTTPResponse {
            let cursor = try IngestService.number(items, "after", 0...UInt64.max) ?? 0
            let limit = Int(try IngestService.number(items, "limit", IngestService.limits) ?? 1000)
            let seconds = Int(try IngestService.number(items, "wait", IngestService.waits) ?? 0)
            let format = items["format"] ?? "relaxed"
            guard ["relaxed", "canonical"].contains(format) else {
                throw QueryError(message: "The format is 'relaxed' or 'canonical'.")
            }
            let className = items["class"].map { Text($0) }
            var page = try await feed.readPage(after: cursor, limit: limit, of: className)
            if page.records.isEmpty, seconds > 0 {
                await feed.wait(after: page.cursor, seconds: seconds)
                page = try await feed.readPage(after: page.cursor, limit: limit, of: className)
            }
            var body: [UInt8] = []
            for record in page.records {
                body += try IngestedObject(record).line(isCanonical: format == "canonical").utf8
                body.append(UInt8(ascii: "\n"))
            }
            var response = HTTPResponse(type: "application/x-ndjson", body)
            response.headers.append(("Ingest-Cursor", "\(page.cursor)"))
            response.headers.append(("Ingest-Newest", "\(feed.newestSequence)"))
            return response
        }

        private func remove(_ items: [String: String], _ feed: IngestFeed) async throws -> HTTPResponse {
            guard let sequence = try IngestService.number(items, "through", 0...UInt64.max) else {
                throw QueryError(message: "The number of the last object to remove is missing: ?through=NUMBER.")
            }
            let oldest = try await feed.removeRecords(through: sequence)
            var response = HTTPResponse(status: 204)
            response.headers.append(("Ingest-Oldest", "\(oldest)"))
            return response
        }

        private struct QueryError: Error {
            let message: String
        }

        private static func number<Number: FixedWidthInteger>(
            _ items: [String: String], _ name: String, _ range: ClosedRange<Number>
        ) throws(QueryError) -> Number? {
            guard let text = items[name] else { return nil }
            guard let number = Number(text), range.contains(number) else {
                throw QueryError(message: "'\(name)' is a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
    }
#endif
