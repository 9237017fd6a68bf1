// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The four kinds of objects in the register.
struct ContentView: View {
    var body: some View {
        TabView {
            DogsListView()
                .tabItem { Label("Dogs", systemImage: "list.bullet") }
            BreedsView()
                .tabItem { Label("Breeds", systemImage: "folder") }
            PeopleView()
                .tabItem { Label("People", systemImage: "person") }
            ToysView()
                .tabItem { Label("Toys", systemImage: "star") }
        }
    }
}

struct ContentView_Previews: PreviewProvider {
    static var previews: some View { ContentView() }
}
