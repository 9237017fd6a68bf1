// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import SwiftUI
import Testing

extension WrapperTests {
    /// The wrappers in the platform's SwiftUI: Apple's on Apple platforms, ours elsewhere.
    @MainActor @Suite struct HostedWrapperTests {
        private let record = ViewRecord()

        private func show(_ view: some View, _ kennel: Kennel) -> ViewHost {
            ViewHost(view.environment(\.realmConfiguration, kennel.configuration))
        }

        private func expect(_ text: String, _ host: ViewHost) async throws {
            do {
                try await host.wait { record.text == text }
            } catch {
                Issue.record("The view shows '\(record.text)' instead of '\(text)'")
                throw error
            }
        }

        @Test func resultsFollowWritesAndWriteThemselves() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(RecordedDogs(record: record), kennel)
            try await expect("Rex Ada Bo", host)
            try kennel.realm.write { try kennel.dog(2).name = "Ida" }
            try await expect("Rex Ida Bo", host)
            try await kennel.writeElsewhere { $0.create(UIDog.self, value: [4, "Fox"]) }
            try await expect("Rex Ida Bo Fox", host)
            record.perform("append")
            try await expect("Rex Ida Bo Fox Zed", host)
            record.perform("remove")
            try await expect("Ida Bo Fox Zed", host)
            #expect(kennel.names == ["Ida", "Bo", "Fox", "Zed"])
        }

        @Test func aChangedFilterChangesTheResults() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(RecordedDogs(record: record), kennel)
            try await expect("Rex Ada Bo", host)
            record.perform("filter")
            try await expect("Rex Bo", host)
            record.perform("all")
            try await expect("Rex Ada Bo", host)
            record.perform("where")
            try await expect("Rex Bo", host)
        }

        @Test func bindingsOfAnObjectWriteToTheRealm() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(RecordedDog(record: record, dog: try kennel.dog(1)), kennel)
            try await expect("Rex false", host)
            record.perform("rename")
            record.perform("praise")
            try await expect("Zed true", host)
            #expect(kennel.names == ["Zed", "Ada", "Bo"])
            record.perform("delete")
            try await expect(" false", host)
            #expect(kennel.names == ["Ada", "Bo"])
            record.perform("rename")
            #expect(kennel.names == ["Ada", "Bo"], "a binding of a deleted object ignores what is set")
        }

        @Test func aNewObjectIsEditedInMemoryAndThenSaved() async throws {
            let kennel = try Kennel()
            let host = show(RecordedDraft(record: record), kennel)
            try await expect(" of 0", host)
            record.perform("name")
            try await expect("Pip of 0", host)
            #expect(kennel.names.isEmpty)
            record.perform("save")
            try await expect("Pip of 1", host)
            record.perform("name")
            try await expect("PipPip of 1", host)
            #expect(kennel.names == ["PipPip"])
        }

        @Test func collectionsOfAnObjectAreWrittenThroughTheirBindings() async throws {
            let kennel = try Kennel()
            let person = UIPerson(1, "Pia")
            person.dogs.append(UIDog(1, "Rex"))
            try kennel.realm.write { kennel.realm.add(person) }
            let host = show(RecordedPerson(record: record, person: person), kennel)
            try await expect("Rex, 0 roles", host)
            record.perform("append")
            try await expect("Rex Pup, 0 roles", host)
            record.perform("move")
            try await expect("Pup Rex, 0 roles", host)
            record.perform("employ")
            try await expect("Pup Rex, 1 roles", host)
            record.perform("dismiss")
            try await expect("Pup Rex, 0 roles", host)
        }

        @Test func sectionsFollowWrites() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(RecordedSections(record: record), kennel)
            try await expect("beagle: 1, boxer: 2", host)
            try kennel.realm.write { try kennel.dog(1).breed = "beagle" }
            try await expect("beagle: 2, boxer: 1", host)
        }

        @Test func aSearchRestrictsTheResults() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(RecordedSearch(record: record), kennel)
            try await expect("Rex Ada Bo", host)
            record.perform("search")
            try await expect("Ada", host)
            record.perform("clear")
            try await expect("Rex Ada Bo", host)
        }
    }
}
