// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging

    extension Accounts {
        /// Limits the time of a hook, and converts its error to a response for the client.
        func asHook<Success: Sendable>(
            of app: App, _ hook: @escaping @Sendable () async throws -> Success
        ) async throws -> Success {
            do { return try await TimeLimit.run(app.configuration.hookTimeLimit, hook) } catch {
                throw answer(to: error)
            }
        }

        func answer(to error: any Error) -> ServiceError {
            switch error {
            case is TimeLimit.Exceeded:
                log.error("a hook took too long")
                return ServiceError(400, "ExecutionTimeLimitExceeded", "the function took too long")
            case let error as ServiceRefusal: return ServiceError(error)
            case let error as HookError: return ServiceError(400, "FunctionExecutionError", error.message)
            case is FunctionNotFound: return ServiceError(404, "FunctionNotFound", "function not found")
            default:
                log.error("a hook failed", metadata: ["error": "\(type(of: error))"])
                return ServiceError(400, "FunctionExecutionError", "the function failed")
            }
        }

        /// The time is limited because other log-ins wait for the same fetch.
        static func limited(
            _ fetch: (@Sendable (String) async throws -> FetchedKeys)?, _ app: AppConfiguration
        ) -> (@Sendable (String) async throws -> FetchedKeys)? {
            guard let fetch else { return nil }
            let limit = app.hookTimeLimit
            return { url in try await TimeLimit.run(limit) { try await fetch(url) } }
        }
    }
#endif
