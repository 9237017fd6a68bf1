// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import TestTraits
import Testing

@MainActor @Suite struct TabViewTests {
    @Test(.behaviour("W05")) func aTabItemShowsItsFirstImageAndItsFirstText() {
        let host = UIHost.pair(
            TabView {
                Text("one").tabItem {
                    Label("List", systemImage: "list.bullet")
                    Text("List")
                }
                Text("two").tabItem {
                    Text("First")
                    Text("Second")
                }
                Text("three").tabItem {
                    Image(systemName: "star")
                    Text("Star")
                }
            })
        #expect(host.all(.tab()).map(\.name) == ["List", "First", "star Star"])
    }
}
