// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension EmailPasswordAuth {
        /// Calls the server's own function for new passwords, at once, and publishes that it is done.
        public func callResetPasswordFunction(
            email: String, password: String, args: [AnyBSON]
        ) -> Future<Void, Error> {
            future { try await self.callResetPasswordFunction(email: email, password: password, args: args) }
        }

        /// Makes an account, at once, and publishes that it is done.
        public func registerUser(email: String, password: String) -> Future<Void, Error> {
            future { try await self.registerUser(email: email, password: password) }
        }

        /// Confirms an address, at once, and publishes that it is done.
        public func confirmUser(_ token: String, tokenId: String) -> Future<Void, Error> {
            future { try await self.confirmUser(token, tokenId: tokenId) }
        }

        /// Asks for the message that confirms an address, at once, and publishes that it is under way.
        public func resendConfirmationEmail(email: String) -> Future<Void, Error> {
            future { try await self.resendConfirmationEmail(email) }
        }

        /// Asks for the function that confirms an address, at once, and publishes that it is done.
        public func retryCustomConfirmation(email: String) -> Future<Void, Error> {
            future { try await self.retryCustomConfirmation(email) }
        }

        /// Asks for the message that resets a password, at once, and publishes that it is under way.
        public func sendResetPasswordEmail(email: String) -> Future<Void, Error> {
            future { try await self.sendResetPasswordEmail(email) }
        }

        /// Sets another password, at once, and publishes that it is done.
        public func resetPassword(to password: String, token: String, tokenId: String) -> Future<Void, Error> {
            future { try await self.resetPassword(to: password, token: token, tokenId: tokenId) }
        }
    }

    extension APIKeyAuth {
        /// Makes a key, at once, and publishes it.
        public func createAPIKey(named name: String) -> Future<UserAPIKey, Error> {
            future { try await self.createAPIKey(named: name) }
        }

        /// Asks for a key, at once, and publishes it.
        public func fetchAPIKey(_ objectId: ObjectId) -> Future<UserAPIKey, Error> {
            future { try await self.fetchAPIKey(objectId) }
        }

        /// Asks for all keys, at once, and publishes them.
        public func fetchAPIKeys() -> Future<[UserAPIKey], Error> { future { try await self.fetchAPIKeys() } }

        /// Deletes a key, at once, and publishes that it is done.
        public func deleteAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.deleteAPIKey(objectId) }
        }

        /// Admits a key, at once, and publishes that it is done.
        public func enableAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.enableAPIKey(objectId) }
        }

        /// Refuses a key, at once, and publishes that it is done.
        public func disableAPIKey(_ objectId: ObjectId) -> Future<Void, Error> {
            future { try await self.disableAPIKey(objectId) }
        }
    }

    extension PushClient {
        /// Registers the device, at once, and publishes that it is done.
        public func registerDevice(token: String, user: User) -> Future<Void, Error> {
            future { try await self.registerDevice(token: token, user: user) }
        }

        /// Ends the registration, at once, and publishes that it is done.
        public func deregisterDevice(user: User) -> Future<Void, Error> {
            future { try await self.deregisterDevice(user: user) }
        }
    }

    extension FunctionCallable {
        /// Calls the function, at once, and publishes its result.
        public func dynamicallyCall(withArguments args: [AnyBSON]) -> Future<AnyBSON, Error> {
            future { try await self.call(args) }
        }

        /// Calls the function with the arguments of an array, at once, and publishes its result.
        @_disfavoredOverload
        @available(*, deprecated, message: "Specify args separately without wrapping them in an array")
        public func dynamicallyCall(withArguments args: [[AnyBSON]]) -> Future<AnyBSON, Error> {
            future { try await self.call(args.first ?? []) }
        }
    }
#endif
