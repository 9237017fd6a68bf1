// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmStorage
    import RealmSyncCore

    /// Function calls, whose results are computed by the hooks of the app or by the service of documents (§1.10).
    extension Accounts {
        func call(_ request: HTTPRequest, by user: Live) async throws -> HTTPResponse {
            let body = try request.document()
            if let service = documents.service(named: try body.optionalText("service")) {
                return try await call(service, try serviceCall(body, by: user, request))
            }
            guard let call = user.app.hooks.call else { throw answer(to: FunctionNotFound()) }
            let question = try functionCall(body, by: user)
            let text = try await asHook(of: user.app) { try await call(question) }
            return HTTPResponse(200, try result(text))
        }

        private func call(_ service: any DocumentService, _ call: ServiceCall) async throws -> HTTPResponse {
            do {
                let text = try await service.call(call)
                return HTTPResponse(type: "application/json", Array(text.utf8))
            } catch let refusal as ServiceRefusal {
                throw ServiceError(refusal)
            }
        }

        private func serviceCall(
            _ body: HTTPRequest.Document, by user: Live, _ request: HTTPRequest
        ) throws -> ServiceCall {
            var grant = AccessGrant(user)
            grant.request = ClientRequest(address: request.peer, headers: request.headers)
            return ServiceCall(grant, name: try body.text("name"), arguments: body.json["arguments"] ?? .array([]))
        }

        private func functionCall(_ body: HTTPRequest.Document, by user: Live) throws -> AppHooks.FunctionCall {
            let arguments = body.json["arguments"] ?? .array([])
            guard arguments.elements != nil else { throw ServiceError.missing("arguments") }
            return AppHooks.FunctionCall(
                user: user.account.id.user, name: try body.text("name"), service: try body.optionalText("service"),
                arguments: arguments.description, customData: user.account.customData?.description)
        }

        private func result(_ text: String) throws -> JSON {
            guard let result = try? JSON(parsing: text) else {
                log.error("a hook returned a result that isn't JSON")
                throw ServiceError(400, "FunctionExecutionError", "the function failed")
            }
            return result
        }

        // MARK: Streams

        /// The token and the call are in the query, because web pages can't set anything else.
        func stream(_ request: HTTPRequest, of app: App) async throws -> HTTPResponse {
            let items = request.queryItems
            guard let token = items["baas_at"] else { throw ServiceError.missingAuthorization }
            let user = try await user(of: token, .access, app: app.id)
            guard let text = items["baas_request"], let bytes = Base64.bytes(text),
                let json = try? JSON(parsing: bytes), json.members != nil
            else { throw ServiceError.missing("baas_request") }
            let results = EventSource(try await results(HTTPRequest.Document(json: json), of: app, by: user, request))
            var response = HTTPResponse(status: 200, headers: [("Content-Type", "text/event-stream")])
            response.events = EventStream(
                next: { [self] in await nextEvent(results) },
                isAllowed: { [self] in (try? await self.user(of: token, .access, app: app.id)) != nil })
            return response
        }

        private func results(
            _ body: HTTPRequest.Document, of app: App, by user: Live, _ request: HTTPRequest
        ) async throws -> AsyncThrowingStream<String, any Error> {
            if let service = documents.service(named: try body.optionalText("service")) {
                let call = try serviceCall(body, by: user, request)
                return try await asHook(of: app) { try await service.stream(call) }
            }
            guard let stream = app.hooks.stream else { throw answer(to: FunctionNotFound()) }
            let question = try functionCall(body, by: user)
            return try await asHook(of: app) { try await stream(question) }
        }

        private func nextEvent(_ results: EventSource) async -> [UInt8]? {
            do {
                guard let text = try await results.next() else { return nil }
                return Accounts.event(nil, try result(text))
            } catch {
                results.end()
                if let expiry = error as? StreamExpiry { return Accounts.event("error", expiry.document) }
                let refusal = error as? ServiceError ?? answer(to: error)
                return Accounts.event("error", refusal.document)
            }
        }

        /// The data is a single line, because our JSON output doesn't contain line breaks.
        private static func event(_ name: String?, _ data: JSON) -> [UInt8] {
            let line = data.description.replacing("%", with: "%25")
            return Array((name.map { "event: \($0)\n" } ?? "").utf8) + Array("data: \(line)\n\n".utf8)
        }
    }

    /// Unchecked, because it's confined to the sending task.
    private final class EventSource: @unchecked Sendable {
        private var results: AsyncThrowingStream<String, any Error>.Iterator?

        init(_ results: AsyncThrowingStream<String, any Error>) { self.results = results.makeAsyncIterator() }

        func next() async throws -> String? {
            guard var iterator = results else { return nil }
            defer { if results != nil { results = iterator } }
            return try await iterator.next()
        }

        func end() { results = nil }
    }
#endif
