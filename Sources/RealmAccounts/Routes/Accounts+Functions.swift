// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// Functions, by the hook of the app (§1.10).
    extension Accounts {
        func call(_ request: ServiceRequest, by user: Live) async throws -> ServiceResponse {
            let body = try request.document()
            guard let call = user.app.hooks.call else {
                throw ServiceError(404, "FunctionNotFound", "function not found")
            }
            let arguments = body.json["arguments"] ?? .array([])
            guard arguments.elements != nil else { throw ServiceError.missing("arguments") }
            let question = AppHooks.FunctionCall(
                user: user.account.id.user, name: try body.text("name"), service: try body.optionalText("service"),
                arguments: arguments.description, customData: user.account.customData?.description)
            let text = try await asHook { try await call(question) }
            guard let result = try? JSON(parsing: text) else {
                log.error("the hook 'call' gave a result that is no JSON")
                throw ServiceError(400, "FunctionExecutionError", "the function failed")
            }
            return ServiceResponse(200, result)
        }
    }
#endif
