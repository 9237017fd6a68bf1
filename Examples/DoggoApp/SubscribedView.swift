// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The register of a server with flexible sync: the objects of the subscriptions that `Register.subscribed` adds.
struct SubscribedView: View {
    @State private var user = App(id: Register.appId).currentUser

    var body: some View {
        if let user { SubscribedRegister(user) } else { LoginView { user = $0 } }
    }
}

/// The register of a user, after the server has sent the objects of the subscriptions.
private struct SubscribedRegister: View {
    @AutoOpen private var register: AsyncOpenState

    init(_ user: User) {
        _register = AutoOpen(appId: Register.appId, configuration: Register.subscribed(user), timeout: 4000)
    }

    var body: some View { OpeningView(state: register) }
}
