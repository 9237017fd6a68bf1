// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmSyncCore

    struct PartitionGate: Sendable {
        let hook: PermissionHook
        let timeLimit: Duration
        let logger: Logger

        /// An error makes the client retry later.
        func decide(_ request: PartitionRequest) async -> Result<PartitionAccess, SessionError> {
            do {
                return .success(try await TimeLimit.run(timeLimit) { [hook] in try await hook(request) })
            } catch {
                let reason = error is TimeLimit.Exceeded ? "it took too long" : "\(type(of: error))"
                logger.error("the hook of permissions has decided nothing", metadata: ["error": "\(reason)"])
                return .failure(SessionError(.other, "the server cannot say now what the user may do"))
            }
        }
    }
#endif
