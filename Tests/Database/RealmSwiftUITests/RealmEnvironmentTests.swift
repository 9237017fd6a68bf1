// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
@testable import RealmSwiftUI
import RealmTestSupport
import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

private struct Count: View {
    @ObservedResults(UIDog.self) var dogs
    var body: some View { Text("\(dogs.count)") }
}

private struct NamedCount: View {
    @ObservedResults(UIDog.self) var dogs
    @Environment(\.realmConfiguration) var configuration
    var body: some View { Text("\(dogs.count) in \(configuration.inMemoryIdentifier ?? "")") }
}

private struct InjectedProgram: SwiftUI.App {
    static var realm: Realm!
    var body: some SwiftUI.Scene { WindowGroup { Count() }.environment(\.realm, Self.realm) }
}

private struct ConfiguredProgram: SwiftUI.App {
    static var configuration = Realm.Configuration()
    var body: some SwiftUI.Scene {
        WindowGroup { NamedCount() }.environment(\.realmConfiguration, Self.configuration)
    }
}

/// An actor that passes its own Realm to a view.
private actor ElsewhereActor {
    private var realm: Realm?

    /// Sendable, because views only read the Realm's configuration.
    struct Handed: @unchecked Sendable { let realm: Realm }

    func open(_ configuration: Realm.Configuration) async throws -> Handed {
        let opened = try await Realm(configuration: configuration, actor: self)
        realm = opened
        return Handed(realm: opened)
    }

    func close() { realm = nil }
}

extension WrapperTests {
    /// Problems of the original's wrappers with Realms, threads, and errors, by the rows of REPORT E.
    @MainActor @Suite struct RealmEnvironmentTests {
        private func realm(_ configuration: Realm.Configuration) throws -> Realm {
            try Realm(configuration: configuration)
        }

        @Test(.behaviour("E08")) func aWrapperOutsideOfViewsReadsAndWarnsOnce() async {
            await #expect(processExitsWith: .success) { @MainActor in
                final class Lines: @unchecked Sendable { var all: [String] = [] }
                @MainActor final class Model {
                    @ObservedResults(UIDog.self) var dogs
                }
                let lines = Lines()
                Logger.shared = Logger(level: .warn) { _, line in lines.all.append(line) }
                let kennel = try Kennel.rexAdaBo()
                Realm.Configuration.defaultConfiguration = kennel.configuration
                let model = Model()
                #expect(model.dogs.count == 3)
                #expect(model.dogs.first?.name == "Rex")
                #expect(lines.all == ["@ObservedResults is for views; observe the results in a model."])
            }
        }

        @Test(.behaviour("E13")) func aRealmThatCannotBeOpenedIsReportedOnceAndShowsNothing() async throws {
            struct Guarded: View {
                @ObservedResults(UIDog.self) var dogs
                var body: some View {
                    Text("\(dogs.count)")
                    Button("Add") { $dogs.append(UIDog(1, "nowhere")) }
                }
            }
            let file = URL(fileURLWithPath: "/nowhere/at/all.realm")
            let configuration = Realm.Configuration(fileURL: file, readOnly: true, objectTypes: Kennel.classes)
            var errors: [any Error] = []
            let host = UIHost.pair(Guarded()) {
                $0.realmConfiguration = configuration
                $0.realmError = { errors.append($0) }
            }
            #expect(host.exists(.text("0")))
            await host.settle()
            #expect(errors.count == 1)
            #expect("\(try #require(errors.first))".contains("all.realm"))
        }

        @Test(.behaviour("E13")) func withoutAHandlerAnErrorEndsTheProcess() async {
            await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let file = URL(fileURLWithPath: "/nowhere/at/all.realm")
                _ = UIHost(Count()) {
                    $0.realmConfiguration = Realm.Configuration(
                        fileURL: file, readOnly: true, objectTypes: Kennel.classes)
                }
            }.expectText("all.realm")
        }

        @Test(.behaviour("E14")) func aRealmInTheEnvironmentIsTheSameRealm() async throws {
            struct Same: View {
                @Environment(\.realm) var realm
                var body: some View {
                    Text("\(realm.objects(UIDog.self).count) of \(realm.configuration.schemaVersion)")
                }
            }
            let name = "kept \(UUID())"
            func made() throws -> Realm {
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        inMemoryIdentifier: name, schemaVersion: 7, objectTypes: Kennel.classes))
                try realm.write { realm.add(UIDog(1, "Only")) }
                return realm
            }
            let realm = try made()
            let host = UIHost.pair(
                VStack {
                    Count()
                    Same()
                }.environment(\.realm, realm))
            #expect(host.exists(.text("1")))
            #expect(host.exists(.text("1 of 7")))
            let frozen = UIHost(Count().environment(\.realm, realm.freeze()))
            try realm.write { realm.add(UIDog(2, "Another")) }
            await host.settle()
            #expect(host.exists(.text("2")))
            #expect(frozen.exists(.text("1")), "a frozen Realm stays as it is")
        }

        @Test(.behaviour("E14")) func readOnlyAndActorConfinedRealmsAreAccepted() async throws {
            let folder = try TemporaryFolder()
            let file = URL(fileURLWithPath: folder.path + "/kennel.realm")
            var configuration = Realm.Configuration(fileURL: file, objectTypes: Kennel.classes)
            let writable = try realm(configuration)
            try writable.write { writable.add(UIDog(1, "Only")) }
            let other = ElsewhereActor()
            let elsewhere = try await other.open(configuration)
            let host = UIHost(Count().environment(\.realm, elsewhere.realm))
            #expect(host.exists(.text("1")))
            host.close()
            configuration.readOnly = true
            configuration.fileURL = URL(fileURLWithPath: folder.path + "/copy.realm")
            try writable.writeCopy(toFile: URL(fileURLWithPath: folder.path + "/copy.realm"))
            let readOnly = UIHost(Count().environment(\.realm, try realm(configuration)))
            #expect(readOnly.exists(.text("1")))
            #expect(readOnly.log.isEmpty)
            readOnly.close()
            await other.close()
        }

        @Test(.behaviour("E14")) func injectingARealmOpensNoOtherRealm() async {
            await #expect(processExitsWith: .success) { @MainActor in
                Realm.Configuration.defaultConfiguration = Realm.Configuration(
                    fileURL: URL(fileURLWithPath: "/nowhere/default.realm"), readOnly: true)
                let kennel = try Kennel.rexAdaBo()
                #expect(UIHost(Count().environment(\.realm, kennel.realm)).exists(.text("3")))
            }
        }

        @Test(.behaviour("E14", "E34")) func settingsOfASceneReachItsWindowsAndOpenNoOtherRealm() async {
            await #expect(processExitsWith: .success) { @MainActor in
                Realm.Configuration.defaultConfiguration = Realm.Configuration(
                    fileURL: URL(fileURLWithPath: "/nowhere/default.realm"), readOnly: true)
                let kennel = try Kennel.rexAdaBo()
                InjectedProgram.realm = kennel.realm
                #expect(UIHost(InjectedProgram()).exists(.text("3")))
                ConfiguredProgram.configuration = kennel.configuration
                let host = UIHost(ConfiguredProgram())
                #expect(host.exists(.text("3 in \(kennel.configuration.inMemoryIdentifier ?? "")")))
                try kennel.realm.write { kennel.realm.delete(kennel.dogs[0]) }
                await host.settle()
                #expect(host.exists(.text("2 in \(kennel.configuration.inMemoryIdentifier ?? "")")))
            }
        }

        @Test(.behaviour("E14")) func previewsLeaveTheDefaultFileAlone() async {
            await #expect(processExitsWith: .success) { @MainActor in
                setenv("XCODE_RUNNING_FOR_PREVIEWS", "1", 1)
                #expect(EnvironmentValues().realmConfiguration.inMemoryIdentifier == "previews")
                var own = Realm.Configuration()
                own.inMemoryIdentifier = "mine"
                Realm.Configuration.defaultConfiguration = own
                #expect(EnvironmentValues().realmConfiguration.inMemoryIdentifier == "mine")
            }
        }

        @Test(.behaviour("E25")) func writesOfOtherThreadsUpdateTheView() async throws {
            let kennel = try Kennel()
            let host = UIHost.pair(Count()) { $0.realmConfiguration = kennel.configuration }
            let configuration = kennel.configuration
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for number in 0..<10 {
                            let realm = try Realm(configuration: configuration)
                            try realm.write { realm.add(UIDog(worker * 100 + number, "dog")) }
                        }
                    }
                }
                for _ in 0..<10 { await host.settle() }
                try await group.waitForAll()
            }
            await host.settle()
            #expect(host.exists(.text("40")))
            #expect(host.log.isEmpty)
        }

        @Test(.behaviour("E34")) func theEnvironmentIsReadBeforeTheWrapperOpensARealm() async {
            await #expect(processExitsWith: .success) { @MainActor in
                Realm.Configuration.defaultConfiguration = Realm.Configuration(
                    fileURL: URL(fileURLWithPath: "/nowhere/default.realm"), readOnly: true)
                let kennel = try Kennel.rexAdaBo()
                let host = UIHost(Count().environment(\.realmConfiguration, kennel.configuration))
                #expect(host.exists(.text("3")))
            }
        }

        @Test(.behaviour("E36")) func theGuideListsTheWrappersAndTheErrorNamesARemedy() async throws {
            let path = SharedFiles.packageRoot + "/Sources/Database/RealmSwift/RealmSwift.docc/SwiftUI.md"
            let guide = try String(contentsOfFile: path, encoding: .utf8)
            for name in [
                "@ObservedResults", "@ObservedSectionedResults", "@ObservedRealmObject", "@StateRealmObject",
                "@ObservedRealmCollection",
            ] {
                #expect(guide.contains("| `\(name)` |"), "the table of wrappers lacks \(name)")
            }
            await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let dog = try Kennel.rexAdaBo().dog(1).freeze()
                dog.name = "x"
            }.expectText("call thaw")
        }
    }
}
