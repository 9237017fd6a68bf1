// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmSyncCore

    /// A request that is decided before a file is bound.
    enum AccessRequest: Sendable {
        case partition(PartitionRequest)
        /// In an app with flexible sync.
        case documents(AccessGrant)
    }

    enum Access: Sendable {
        case partition(PartitionAccess)
        case documents(UserRights)
    }

    /// Calls the hooks of permissions.
    package struct PermissionGate: Sendable {
        let partitions: PermissionHook
        let documents: DocumentAccessHook
        /// Returns the current data of a user.
        let renew: @Sendable (AccessGrant) async throws -> AccessGrant
        let timeLimit: Duration
        let logger: Logger

        package init(
            partitions: @escaping PermissionHook, documents: @escaping DocumentAccessHook,
            renew: @escaping @Sendable (AccessGrant) async throws -> AccessGrant, timeLimit: Duration, logger: Logger
        ) {
            (self.partitions, self.documents, self.renew) = (partitions, documents, renew)
            (self.timeLimit, self.logger) = (timeLimit, logger)
        }

        func decide(_ request: AccessRequest) async -> Result<Access, SessionError> {
            switch request {
            case .partition(let request): await decide(request).map { .partition($0) }
            case .documents(let grant): await rights(of: grant).map { .documents($0) }
            }
        }

        func decide(_ request: PartitionRequest) async -> Result<PartitionAccess, SessionError> {
            await run { [partitions] in try await partitions(request) }
        }

        package func rights(of grant: AccessGrant) async -> Result<UserRights, SessionError> {
            await run { [documents, renew] in try UserRights(await documents(UserContext(try await renew(grant)))) }
        }

        /// An error makes the client retry later.
        private func run<Access: Sendable>(
            _ hook: @escaping @Sendable () async throws -> Access
        ) async -> Result<Access, SessionError> {
            do {
                return .success(try await TimeLimit.run(timeLimit, hook))
            } catch {
                let reason =
                    error is TimeLimit.Exceeded
                    ? "it took too long" : (error as? SubscriptionError)?.description ?? "\(type(of: error))"
                logger.error("the hook of permissions has decided nothing", metadata: ["error": "\(reason)"])
                return .failure(SessionError(.other, "the server cannot say now what the user may do"))
            }
        }
    }
#endif
