// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RegnumUITesting
import SwiftUI
import Testing

@testable import RealmSwiftUI

// Lists of reminders, as in the original's tests of its wrappers: three levels of pages that edit the objects shown
// below.

private enum Priority: Int, PersistableEnum { case low, medium, high }

private final class Reminder: EmbeddedObject, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var title: String
    @Persisted var notes: String?
    @Persisted var isFlagged: Bool
    @Persisted var priority: Priority
}

private final class ReminderList: Object, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name: String
    @Persisted var reminders: RealmSwift.List<Reminder>
}

private struct ListsView: View {
    @ObservedResults(ReminderList.self, sortDescriptor: SortDescriptor(keyPath: "name", ascending: true)) var lists
    @State private var text = ""

    var body: some View {
        NavigationView {
            List {
                ForEach(lists) { list in
                    NavigationLink(destination: ListView(list: list)) {
                        Text("\(list.name): \(list.reminders.count)")
                    }
                }
                .onDelete(perform: $lists.remove)
            }
            .searchable(text: $text, collection: $lists, keyPath: \.name)
            .navigationTitle("Lists")
            .toolbar { Button("New list") { $lists.append(ReminderList()) } }
        }
    }
}

private struct ListView: View {
    @ObservedRealmObject var list: ReminderList

    var body: some View {
        Form {
            TextField("Name of the list", text: $list.name)
            ForEach(list.reminders) { reminder in
                NavigationLink(destination: ReminderView(reminder: reminder)) { ReminderRow(reminder: reminder) }
            }
            .onMove(perform: $list.reminders.move)
            .onDelete(perform: $list.reminders.remove)
        }
        .navigationTitle(list.name)
        .toolbar { Button("New reminder") { $list.reminders.append(Reminder()) } }
    }
}

private struct ReminderRow: View {
    @ObservedRealmObject var reminder: Reminder

    var body: some View { Text("\(reminder.title)\(reminder.isFlagged ? "!" : "") \(reminder.priority.rawValue)") }
}

private struct ReminderView: View {
    @ObservedRealmObject var reminder: Reminder

    var body: some View {
        Form {
            TextField("Title", text: $reminder.title)
            Toggle("Flagged", isOn: $reminder.isFlagged)
            Picker("Priority", selection: $reminder.priority) {
                ForEach([Priority.low, .medium, .high], id: \.self) { Text("\($0)").tag($0) }
            }
        }
        .navigationTitle(reminder.title)
    }
}

private struct TwoKennels: View {
    let first: Realm.Configuration
    let second: Realm.Configuration

    var body: some View {
        VStack {
            Section("first") { ListsView().environment(\.realmConfiguration, first) }
            ListsCount().environment(\.realmConfiguration, second)
        }
    }
}

private struct ListsCount: View {
    @ObservedResults(ReminderList.self) var lists
    var body: some View {
        Text("\(lists.count) elsewhere")
        Button("Add elsewhere") { $lists.append(ReminderList()) }
    }
}

extension WrapperTests {
    @MainActor @Suite struct ReminderTests {
        private func realm() throws -> Realm {
            Resting.delay = 3600
            return try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "reminders \(UUID())", objectTypes: [ReminderList.self, Reminder.self]))
        }

        private func add(_ name: String, _ titles: [String], to realm: Realm) throws {
            try realm.write {
                realm.create(ReminderList.self, value: ["name": name, "reminders": titles.map { ["title": $0] }])
            }
        }

        @Test func editingThreePagesDeepIsSeenOnAllOfThem() async throws {
            let realm = try realm()
            try add("Dogs", ["feed", "walk", "brush"], to: realm)
            let host = UIHost.pair(ListsView()) { $0.realmConfiguration = realm.configuration }
            #expect(rows(host) == ["Dogs: 3"])
            try await host.tap(.row(containing: "Dogs"))
            try await host.tap(.row(containing: "walk"))
            try await host.type(" twice", into: .field("Title"))
            #expect(host.title == "walk twice")
            try await host.toggle(.toggle("Flagged"))
            try await host.choose("high", in: .picker("Priority"))
            try await host.back()
            #expect(rows(host).dropFirst() == ["feed 0", "walk twice! 2", "brush 0"])
            try await host.type(" of ours", into: .field("Name of the list"))
            #expect(host.title == "Dogs of ours")
            try await host.back()
            #expect(rows(host) == ["Dogs of ours: 3"])
            #expect(host.log.isEmpty)
        }

        @Test func remindersAreAddedMovedAndDeleted() async throws {
            let realm = try realm()
            try add("Dogs", ["feed", "walk", "brush"], to: realm)
            let host = UIHost.pair(ListsView()) { $0.realmConfiguration = realm.configuration }
            try await host.tap(.row(containing: "Dogs"))
            let list = try #require(realm.objects(ReminderList.self).first)
            try await host.move(.row(containing: "feed"), to: 3)
            #expect(list.reminders.map(\.title) == ["walk", "feed", "brush"])
            try await host.delete(.row(containing: "feed"))
            try await host.tap(.button("New reminder"))
            #expect(list.reminders.map(\.title) == ["walk", "brush", ""])
            try await host.tap(.row(containing: "brush"))
            try await host.type("!", into: .field("Title"))
            #expect(list.reminders[1].title == "brush!")
            try realm.write { list.reminders.remove(at: 1) }
            await host.settle()
            #expect(host.title == "Dogs")
            #expect(host.log.isEmpty)
        }

        @Test func listsAreAddedSearchedAndDeleted() async throws {
            let realm = try realm()
            for name in ["Dogs", "Cats", "Donkeys"] { try add(name, [], to: realm) }
            let host = UIHost.pair(ListsView()) { $0.realmConfiguration = realm.configuration }
            #expect(rows(host) == ["Cats: 0", "Dogs: 0", "Donkeys: 0"])
            try await host.search("Do")
            #expect(rows(host) == ["Dogs: 0", "Donkeys: 0"])
            try await host.delete(.row(containing: "Dogs"))
            #expect(rows(host) == ["Donkeys: 0"])
            try await host.search("")
            try await host.tap(.button("New list"))
            #expect(rows(host) == [": 0", "Cats: 0", "Donkeys: 0"])
        }

        @Test func twoDatabasesInOneWindow() async throws {
            let (first, second) = (try realm(), try realm())
            try add("Dogs", [], to: first)
            let host = UIHost.pair(TwoKennels(first: first.configuration, second: second.configuration))
            #expect(host.exists(.row(containing: "Dogs")) && host.exists(.text("0 elsewhere")))
            try await host.tap(.button("Add elsewhere"))
            #expect(host.exists(.text("1 elsewhere")))
            #expect(first.objects(ReminderList.self).count == 1 && second.objects(ReminderList.self).count == 1)
            try await host.tap(.button("New list"))
            #expect(first.objects(ReminderList.self).count == 2 && second.objects(ReminderList.self).count == 1)
        }
    }
}
