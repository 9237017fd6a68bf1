// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import RegnumUITesting
import SwiftUI

/// Shows a view with the Realm of a kennel in its environment.
@MainActor func show<V: View>(_ view: V, _ kennel: Kennel) -> UIHost {
    UIHost.pair(view) { $0.realmConfiguration = kennel.configuration }
}

/// The texts of the rows on screen.
@MainActor func rows(_ host: UIHost) -> [String] { host.all(.row()).map(\.name) }
