// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension EmailPasswordAuth {
        /// Calls the server's custom function for resetting passwords immediately, and returns a future of its
        /// completion.
        public func callResetPasswordFunction(
            email: String, password: String, args: [AnyBSON]
        ) -> Future<Void, Error> {
            future { try await self.callResetPasswordFunction(email: email, password: password, args: args) }
        }

        /// Registers an account immediately, and returns a future of its completion.
        public func registerUser(email: String, password: String) -> Future<Void, Error> {
            future { try await self.registerUser(email: email, password: password) }
        }

        /// Confirms an email address immediately, and returns a future of its completion.
        public func confirmUser(_ token: String, tokenId: String) -> Future<Void, Error> {
            future { try await self.confirmUser(token, tokenId: tokenId) }
        }

        /// Requests the confirmation email immediately, and returns a future that completes when the server is sending
        /// it.
        public func resendConfirmationEmail(email: String) -> Future<Void, Error> {
            future { try await self.resendConfirmationEmail(email) }
        }

        /// Calls the server's custom confirmation function again immediately, and returns a future of its completion.
        public func retryCustomConfirmation(email: String) -> Future<Void, Error> {
            future { try await self.retryCustomConfirmation(email) }
        }

        /// Requests the email for resetting a password immediately, and returns a future that completes when the server
        /// is sending it.
        public func sendResetPasswordEmail(email: String) -> Future<Void, Error> {
            future { try await self.sendResetPasswordEmail(email) }
        }

        /// Sets a new password immediately, and returns a future of its completion.
        public func resetPassword(to password: String, token: String, tokenId: String) -> Future<Void, Error> {
            future { try await self.resetPassword(to: password, token: token, tokenId: tokenId) }
        }
    }

    extension APIKeyAuth {
        /// Creates an API key immediately, and returns a future with the key.
        public func createAPIKey(named name: String) -> Future<UserAPIKey, Error> {
            future { try await self.createAPIKey(named: name) }
        }

        /// Fetches an API key immediately, and returns a future with the key.
        public func fetchAPIKey(_ objectId: ObjectId) -> Future<UserAPIKey, Error> {
            future { try await self.fetchAPIKey(objectId) }
        }

        /// Fetches all API keys immediately, and returns a future with the keys.
        public func fetchAPIKeys() -> Future<[UserAPIKey], Error> { future { try await self.fetchAPIKeys() } }

        /// Deletes an API key immediately, and returns a future of its completion.
        public func deleteAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.deleteAPIKey(objectId) }
        }

        /// Enables an API key immediately, and returns a future of its completion.
        public func enableAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.enableAPIKey(objectId) }
        }

        /// Disables an API key immediately, and returns a future of its completion.
        public func disableAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.disableAPIKey(objectId) }
        }
    }

    extension PushClient {
        /// Registers the device immediately, and returns a future of its completion.
        public func registerDevice(token: String, user: User) -> Future<Void, Error> {
            future { try await self.registerDevice(token: token, user: user) }
        }

        /// Deregisters the device immediately, and returns a future of its completion.
        public func deregisterDevice(user: User) -> Future<Void, Error> {
            future { try await self.deregisterDevice(user: user) }
        }
    }

    extension FunctionCallable {
        /// Calls the function immediately, and returns a future with its result.
        public func dynamicallyCall(withArguments args: [AnyBSON]) -> Future<AnyBSON, Error> {
            future { try await self.call(args) }
        }

        /// Calls the function with an array of arguments immediately, and returns a future with its result.
        @_disfavoredOverload
        @available(*, deprecated, message: "Specify args separately without wrapping them in an array")
        public func dynamicallyCall(withArguments args: [[AnyBSON]]) -> Future<AnyBSON, Error> {
            future { try await self.call(args.first ?? []) }
        }
    }
#endif
