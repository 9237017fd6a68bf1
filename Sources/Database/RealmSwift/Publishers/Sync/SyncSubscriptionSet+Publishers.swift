// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension SyncSubscriptionSet {
        /// Changes the subscriptions in `block`, commits them as one set, and returns a future that completes after all
        /// objects were downloaded.
        ///
        /// The future fails with `SyncError` if the server rejects the subscriptions, and with `Realm.Error` if they
        /// can't be stored.
        ///
        /// - Precondition: Neither a change of the subscriptions nor a write of the Realm is in progress.
        public func updateSubscriptions(_ block: @escaping (() -> Void)) -> Future<Void, Error> {
            Future { promise in
                // Called once.
                nonisolated(unsafe) let promise = promise
                update(block) { error in unsafe promise(error.map { .failure($0) } ?? .success(())) }
            }
        }
    }
#endif
