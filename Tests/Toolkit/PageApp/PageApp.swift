// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import SwiftUI

/// The smallest program that shows a page: tests start it as a user would.
@main struct PageApp: App {
    var body: some Scene {
        WindowGroup {
            List { Text("It runs") }.navigationTitle("Page")
        }
    }
}
