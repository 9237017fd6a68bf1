// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import SwiftUI

/// The smallest program with a page, which tests start like a user.
@main struct PageApp: App {
    var body: some Scene {
        WindowGroup {
            List { Text("It runs") }.navigationTitle("Page")
        }
    }
}
