// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import HTTPServing
    import LoopbackServer
    import RealmAccounts
    #if PostgreSQL
        import RealmPostgres
    #endif

    /// The administration of a running server: its status, and the admin port on the loopback address.
    struct Administration: Sendable {
        let engine: SyncEngine
        let ingest: IngestService
        let health: ServerHealth
        /// `nil` if the server's users aren't in its own accounts.
        let accounts: ServerAccounts?
        let problems: RecentProblems
        /// `nil` if another factory exports the metrics.
        let metrics: PrometheusMetrics?
        /// The path of the data folder.
        let data: String
        /// The stores that nodes share, or `nil` if all data is in the folder.
        let shared: (any SharedStores)?
        /// In seconds since 1970.
        let clock: @Sendable () -> Int64
        let started: Int64

        /// - Throws: `ServerFailure` if the server has stopped.
        func status() async throws -> ServerStatus {
            let report = try await engine.report()
            return ServerStatus(
                time: date(clock()), started: date(started), connectionCount: report.connectionCount,
                sessionCount: report.sessionCount, sessions: report.sessions, partitionCount: report.partitionCount,
                partitions: report.partitions, absentFileCount: report.absentFileCount,
                absentFiles: report.absentFiles, queryCount: report.queryCount,
                queries: report.queries, ingests: report.ingests, problemCount: problems.count, problems: problems.all)
        }

        private func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

        /// - Throws: An error if the stores or the accounts can't be read.
        func apps() async throws -> [AppStatus] {
            try await AppStatus.all(accounts) { [data, shared] in
                if let shared { SharedCatalog(shared, folder: data) } else { FolderCatalog(data) }
            }
        }

        // MARK: Admin port

        private static let longestBody = 64 << 10

        func listen(_ port: Int) async throws -> LoopbackServer {
            var options = LoopbackServer.Options()
            options.port = port
            options.connectionCount = DescriptorBudget.adminConnections
            options.strangerCount = DescriptorBudget.adminConnections
            options.patience = 10
            options.imageSources = []
            options.openPaths = ["/metrics", "/health", "/ready"]
            options.longestBody = Administration.longestBody
            let server = try await LoopbackServer.start(
                options, respond: { await respond(to: $0) },
                connect: {
                    $0.close(); return { _ in }
                })
            do { try AdminAddress(port: server.port, key: server.key?.text ?? "").write(in: data) } catch {
                await server.stop()
                throw error
            }
            return server
        }

        private func respond(to request: HTTPRequest) async -> HTTPResponse? {
            do {
                return try await ServerSpan.administration.run { try await answer(request) }
            } catch let error as AccountError {
                let isUnknown = error.code == .unknownApp || error.code == .unknownUser
                return json(isUnknown ? 404 : error.code == .nameInUse ? 409 : 400, error)
            } catch let error as ServerFailure {
                return .refusal(503, error.description)
            } catch let error as SharedStoresUnavailable {
                return .refusal(503, error.description)
            } catch {
                #if PostgreSQL
                    if let error = error as? PostgresError { return .refusal(503, error.description) }
                #endif
                return .refusal(500, "The request has failed: \(type(of: error)).")
            }
        }

        private func answer(_ request: HTTPRequest) async throws -> HTTPResponse? {
            if let response = await ingest.respond(to: request, isLocal: true) { return response }
            switch (request.method, request.path) {
            case ("GET", "/metrics"): return metricsPage
            case ("GET", "/health"), ("GET", "/ready"): return health.response(to: request)
            case ("GET", "/status"): return json(200, try await status())
            case ("GET", "/apps"): return json(200, try await apps())
            case ("POST", "/accounts"): return json(200, try await perform(request.body))
            case ("GET", let path): return AdminFiles.response(to: path)
            default: return nil
            }
        }

        private var metricsPage: HTTPResponse {
            guard let metrics else { return text(404, "The server's metrics factory exports the metrics itself.\n") }
            return text(200, metrics.text)
        }

        private func text(_ status: Int, _ text: String) -> HTTPResponse {
            var response = HTTPResponse(status, type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
            response.closes = true
            return response
        }

        private func json(_ status: Int, _ value: some Encodable) -> HTTPResponse {
            guard let bytes = try? AdminJSON.encoded(value) else { return .refusal(500, "The response isn't JSON.") }
            return HTTPResponse(status, type: "application/json", bytes)
        }

        private func perform(_ body: [UInt8]) async throws -> AccountResponse {
            guard let accounts else { throw AccountError(.invalid, "the server has no accounts of its own") }
            guard let request = try? AdminJSON.decoded(AccountRequest.self, body) else {
                throw AccountError(.invalid, "the body isn't an operation on accounts")
            }
            return try await AuditLog(data: data, clock: clock).perform(request, on: accounts, by: "admin port")
        }
    }

    package enum AdminJSON {
        package static func encoded(_ value: some Encodable) throws -> [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            return Array(try encoder.encode(value))
        }

        package static func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: Data(bytes))
        }
    }

    enum AdminFiles {
        static func response(to path: String) -> HTTPResponse? {
            switch path {
            case "/": HTTPResponse(type: "text/html; charset=utf-8", PackageResources.admin_html)
            case "/admin.css": HTTPResponse(type: "text/css; charset=utf-8", PackageResources.admin_css)
            case "/admin.js": HTTPResponse(type: "text/javascript; charset=utf-8", PackageResources.admin_js)
            case "/tables.js": HTTPResponse(type: "text/javascript; charset=utf-8", PackageResources.tables_js)
            case "/requests.js": HTTPResponse(type: "text/javascript; charset=utf-8", PackageResources.requests_js)
            default: nil
            }
        }
    }
#endif
