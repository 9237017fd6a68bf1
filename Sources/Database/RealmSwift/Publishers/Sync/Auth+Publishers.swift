// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension EmailPasswordAuth {
        /// Starts a call of the server's custom function for resetting passwords, and returns a future that completes
        /// when it has returned.
        public func callResetPasswordFunction(
            email: String, password: String, args: [AnyBSON]
        ) -> Future<Void, Error> {
            future { try await self.callResetPasswordFunction(email: email, password: password, args: args) }
        }

        /// Starts registering an account, and returns a future that completes when it is registered.
        public func registerUser(email: String, password: String) -> Future<Void, Error> {
            future { try await self.registerUser(email: email, password: password) }
        }

        /// Starts confirming an email address, and returns a future that completes when it is confirmed.
        public func confirmUser(_ token: String, tokenId: String) -> Future<Void, Error> {
            future { try await self.confirmUser(token, tokenId: tokenId) }
        }

        /// Starts a request for the confirmation email, and returns a future that completes when the server is sending
        /// it.
        public func resendConfirmationEmail(email: String) -> Future<Void, Error> {
            future { try await self.resendConfirmationEmail(email) }
        }

        /// Starts another call of the server's custom confirmation function, and returns a future that completes when
        /// it has returned.
        public func retryCustomConfirmation(email: String) -> Future<Void, Error> {
            future { try await self.retryCustomConfirmation(email) }
        }

        /// Starts a request for the email for resetting a password, and returns a future that completes when the server
        /// is sending it.
        public func sendResetPasswordEmail(email: String) -> Future<Void, Error> {
            future { try await self.sendResetPasswordEmail(email) }
        }

        /// Starts setting a new password, and returns a future that completes when it is set.
        public func resetPassword(to password: String, token: String, tokenId: String) -> Future<Void, Error> {
            future { try await self.resetPassword(to: password, token: token, tokenId: tokenId) }
        }
    }

    extension APIKeyAuth {
        /// Starts creating an API key, and returns a future with the key.
        public func createAPIKey(named name: String) -> Future<UserAPIKey, Error> {
            future { try await self.createAPIKey(named: name) }
        }

        /// Starts fetching an API key, and returns a future with the key.
        public func fetchAPIKey(_ objectId: ObjectId) -> Future<UserAPIKey, Error> {
            future { try await self.fetchAPIKey(objectId) }
        }

        /// Starts fetching all API keys, and returns a future with the keys.
        public func fetchAPIKeys() -> Future<[UserAPIKey], Error> { future { try await self.fetchAPIKeys() } }

        /// Starts deleting an API key, and returns a future that completes after the server has deleted it.
        public func deleteAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.deleteAPIKey(objectId) }
        }

        /// Starts enabling an API key, and returns a future that completes when it is enabled.
        public func enableAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.enableAPIKey(objectId) }
        }

        /// Starts disabling an API key, and returns a future that completes when it is disabled.
        public func disableAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.disableAPIKey(objectId) }
        }
    }

    extension PushClient {
        /// Starts registering the device, and returns a future that completes when it is registered.
        public func registerDevice(token: String, user: User) -> Future<Void, Error> {
            future { try await self.registerDevice(token: token, user: user) }
        }

        /// Starts deregistering the device, and returns a future that completes when it is deregistered.
        public func deregisterDevice(user: User) -> Future<Void, Error> {
            future { try await self.deregisterDevice(user: user) }
        }
    }

    extension FunctionCallable {
        /// Starts a call of the function, and returns a future with its result.
        public func dynamicallyCall(withArguments args: [AnyBSON]) -> Future<AnyBSON, Error> {
            future { try await self.call(args) }
        }

        /// Starts a call of the function with an array of arguments, and returns a future with its result.
        @_disfavoredOverload
        @available(*, deprecated, message: "Specify args separately without wrapping them in an array")
        public func dynamicallyCall(withArguments args: [[AnyBSON]]) -> Future<AnyBSON, Error> {
            future { try await self.call(args.first ?? []) }
        }
    }
#endif
