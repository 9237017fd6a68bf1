// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUITesting
import SwiftUI

extension DoggoApp {
    /// Prints what the first window shows.
    static func main() { print(UIHost(DoggoApp()).dump) }
}
