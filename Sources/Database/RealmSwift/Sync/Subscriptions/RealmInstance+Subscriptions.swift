// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSync

extension RealmInstance {
    /// An object of a class without a subscription would be removed by the server (§5.5).
    func requireSubscription(_ info: ClassInfo) {
        guard info.kind == .topLevel, let transaction else { return }
        let isSubscribed = reading(true) {
            let latest = try SubscriptionStore(transaction)?.latest
            return latest?.subscriptions.contains { $0.objectClass.isIdentical(to: info.name) } ?? false
        }
        if !isSubscribed {
            throwRealmException(
                "Cannot write to class \(info.name) when no flexible sync subscription has been created.")
        }
    }
}
