// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import Logging
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmSyncCore

    extension Accounts {
        package func respond(to received: HTTPRequest) async -> HTTPResponse {
            var request = received
            request.peer = client(of: received)
            let route = Route(path: request.path)
            var response: HTTPResponse
            var failure: ServiceError?
            do {
                response = try await answer(request, route)
            } catch {
                let refusal = refusal(of: error)
                failure = refusal
                response = refusal.response
            }
            response.headers.append(("Cache-Control", "no-store"))
            response.headers += originHeaders(request)
            note(request, route, response, failure)
            return response
        }

        private func refusal(of error: any Error) -> ServiceError {
            switch error {
            case let error as ServiceError: return error
            case is PasswordHasher.Busy: return .busy
            default:
                log.error("a request failed", metadata: ["error": "\(Accounts.description(of: error))"])
                return .internalError
            }
        }

        /// The description of an error may contain secrets, so that of most errors is only their type.
        private static func description(of error: any Error) -> String {
            #if PostgreSQL
                if let error = error as? PostgresError { return error.description }
            #endif
            return "\(type(of: error))"
        }

        private func note(
            _ request: HTTPRequest, _ route: Route?, _ response: HTTPResponse, _ failure: ServiceError?
        ) {
            let method = Accounts.methods.contains(request.method) ? request.method : "?"
            var metadata: Logger.Metadata = ["peer": "\(request.peer)"]
            if let code = failure?.code { metadata["code"] = "\(code)" }
            log.debug("\(method) \(route?.label ?? "?") \(response.status)", metadata: metadata)
        }

        private func answer(_ request: HTTPRequest, _ route: Route?) async throws -> HTTPResponse {
            try limiter.admitRequest(of: request.peer)
            guard isOriginAllowed(request) else { throw ServiceError.unknownOrigin }
            if request.method == "OPTIONS" { return preflight }
            guard let route else { throw ServiceError.unknownRoute }
            guard route.methods.contains(request.method) else {
                throw ServiceError.unknownMethod(allowed: route.methods + ["OPTIONS"])
            }
            guard request.body.count <= configuration.largestBody else { throw ServiceError.bodyTooLarge }
            if let app = route.app { _ = try self.app(app) }
            if route.triesCredentials { try limiter.admitCredentials(of: request.peer) }
            return try await answer(request, on: route)
        }

        private func answer(_ request: HTTPRequest, on route: Route) async throws -> HTTPResponse {
            switch route {
            case .location(let app): return try location(of: app, request)
            case .login(let id, let provider): return try await logIn(request, to: try app(id), by: provider)
            case .password(let id, let operation): return try await password(operation, request, of: try app(id))
            case .profile(let app): return profile(of: try await user(of: request, .access, app: app))
            case .session(let app):
                let user = try await user(of: request, .refresh, app: app)
                return request.method == "POST" ? try await refresh(user) : try await logOut(user)
            case .deletion(let app): return try await delete(try await user(of: request, .access, app: app))
            case .keys(let app):
                let user = try await user(of: request, .refresh, app: app)
                return request.method == "POST" ? try await makeKey(of: user, request) : list(keysOf: user)
            case .key(let app, let id):
                let user = try await user(of: request, .refresh, app: app)
                return request.method == "GET" ? try show(key: id, of: user) : try await remove(key: id, of: user)
            case .keyState(let app, let id, let isDisabled):
                return try await set(key: id, isDisabled, of: try await user(of: request, .refresh, app: app))
            case .push(let app, let service):
                return try await register(request, service, of: try await user(of: request, .access, app: app))
            case .functions(let id) where request.method == "GET": return try await stream(request, of: try app(id))
            case .functions(let app):
                return try await call(request, by: try await user(of: request, .access, app: app))
            }
        }

        // MARK: Pages of other origins

        private static let methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS"]

        /// Clients other than browsers don't send an origin.
        private func isOriginAllowed(_ request: HTTPRequest) -> Bool {
            guard let allowed = configuration.allowedOrigins, let origin = request.header("origin") else { return true }
            return allowed.contains(origin)
        }

        /// Tokens are sent in a header and never in a cookie, so the server can allow any origin.
        private func originHeaders(_ request: HTTPRequest) -> [(name: String, value: String)] {
            guard let origin = request.header("origin") else { return [] }
            guard let allowed = configuration.allowedOrigins else { return [("Access-Control-Allow-Origin", "*")] }
            let vary = (name: "Vary", value: "Origin")
            return allowed.contains(origin) ? [("Access-Control-Allow-Origin", origin), vary] : [vary]
        }

        private var preflight: HTTPResponse {
            HTTPResponse(
                status: 204,
                headers: [
                    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE"),
                    ("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type"),
                    ("Access-Control-Max-Age", "3600"),
                ])
        }
    }
#endif
