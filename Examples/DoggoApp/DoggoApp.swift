// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The dog register with windows: shows and edits the data that `doggodb` reports.
///
///     swift run --traits Development doggo-app [FILE]
///     swift run --traits Development doggo-app --sync http://127.0.0.1:9090 [--flexible]
@main struct DoggoApp: SwiftUI.App {
    init() { Register.open() }

    var body: some SwiftUI.Scene {
        WindowGroup("Doggo") {
            switch Register.synchronisation {
            case nil: ContentView()
            case .partition: SyncedView()
            case .subscriptions: SubscribedView()
            }
        }
    }
}
