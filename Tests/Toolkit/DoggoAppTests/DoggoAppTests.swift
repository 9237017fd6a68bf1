// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import RegnumUITesting
import SwiftUI
import Testing

@testable import doggo_app

/// The app tested through its user interface.
@MainActor @Suite struct DoggoAppTests {
    private let realm: Realm
    private let configuration: Realm.Configuration

    init() throws {
        configuration = Realm.Configuration(inMemoryIdentifier: "doggo \(UUID())", objectTypes: Register.classes)
        realm = try Realm(configuration: configuration)
        try Register.fill(realm)
    }

    private func window() -> UIHost {
        UIHost.pair(ContentView()) { $0.realmConfiguration = configuration }
    }

    private func rows(_ host: UIHost) -> [String] { host.all(.row()).map(\.name) }

    /// An Xcode project can include the files unchanged.
    @Test func filesOfViewsHoldNothingElse() throws {
        let folder = SharedFiles.packageRoot + "/Examples/DoggoApp"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix("View.swift") || $0.hasSuffix("Details.swift") }
        #expect(files.count == 9)
        for file in files {
            let lines = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                .split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.hasPrefix("import") } == ["import RealmSwift", "import SwiftUI"], "\(file)")
            let declarations = lines.filter { $0.first.map { !"/} ".contains($0) } ?? false && !$0.hasPrefix("import") }
            for line in declarations {
                #expect(
                    line.wholeMatch(of: /(private )?struct \w+: (View|PreviewProvider) \{/) != nil, "\(file): \(line)")
            }
        }
    }

    @Test func dogsAreSortedSearchedAddedAndDeleted() async throws {
        let host = window()
        #expect(rows(host) == ["Ada 11 kg", "Bo 29 kg", "Max 17 kg", "Rex 33 kg", "Zoe 9 kg"])
        try await host.choose("by weight", in: .picker("Order"))
        #expect(rows(host).first == "Rex 33 kg")
        try await host.search("o")
        #expect(rows(host) == ["Bo 29 kg", "Zoe 9 kg"])
        try await host.search("")
        try await host.tap(.id("addDogButton"))
        #expect(host.exists(.text("6 dogs")))
        try await host.delete(.row(containing: "New dog"))
        #expect(realm.objects(Dog.self).count == 5)
        #expect(host.log.isEmpty)
    }

    @Test func aDogIsEditedAndEveryWindowFollows() async throws {
        let (host, other) = (window(), window())
        try await host.tap(.row(containing: "Ada"))
        #expect(host.title == "Ada")
        try await host.clear(.field("New name"))
        try await host.type("Yuri", into: .field("New name"))
        try await host.clear(.field("New breed"))
        try await host.clear(.field("New weight"))
        try await host.type("12", into: .field("New weight"))
        try await host.submit(.field("New weight"))
        try await host.choose("rope", in: .picker("Favorite toy"))
        #expect(host.title == "Yuri")
        #expect(host.exists(.text("Pia Hansen")))
        let yuri = try #require(realm.objects(Dog.self).where { $0.name == "Yuri" }.first)
        #expect(yuri.breed == nil && yuri.weight == 12 && yuri.favoriteToy?.name == "rope")
        await other.settle()
        #expect(other.exists(.row(containing: "Yuri")))
        try await other.tap(.row(containing: "Yuri"))
        try await host.tap(.button("Delete"))
        #expect(host.title == "Dogs")
        await other.settle()
        #expect(other.title == "Dogs", "the page of what is gone is gone")
        #expect(realm.objects(Dog.self).count == 4)
        #expect(host.log.isEmpty && other.log.isEmpty)
    }

    @Test func breedsAreSections() async throws {
        let host = window()
        try await host.tap(.tab("Breeds"))
        #expect(rows(host).count == 5)
        try await host.delete(.row(containing: "Max"))
        #expect(host.exists(.text("mixed")) == false)
        #expect(realm.objects(Dog.self).where { $0.name == "Max" }.isEmpty)
    }

    @Test func aPersonGetsADogAndOrdersThem() async throws {
        let host = window()
        try await host.tap(.tab("People"))
        try await host.tap(.row(containing: "Pia Hansen"))
        try await host.tap(.button("Add a dog"))
        #expect(try host.find(.button("Save")).isEnabled == false)
        try await host.type("Nix", into: .field("Dog's name"))
        try await host.type("ball", into: .field("Dog's favorite toy"))
        try await host.tap(.button("Save"))
        let pia = try #require(realm.objects(Person.self).where { $0.firstName == "Pia" }.first)
        #expect(pia.dogs.map(\.name) == ["Ada", "Max", "Zoe", "Nix"])
        #expect(realm.objects(DogToy.self).count == 3, "the ball is the one that was there")
        try await host.tap(.button("Edit"))
        try await host.delete(.row(containing: "Max"))
        #expect(pia.dogs.map(\.name) == ["Ada", "Zoe", "Nix"])
        #expect(realm.objects(Dog.self).count == 6)
        try await host.clear(.field("City"))
        try await host.type("Lyon", into: .field("City"))
        #expect(pia.address?.city == "Lyon")
        #expect(host.exists(.text("1 Bone Square, Lyon")))
        #expect(host.log.isEmpty)
    }

    @Test func toysAreWrittenByTheViewItself() async throws {
        let host = window()
        try await host.tap(.tab("Toys"))
        try await host.tap(.button("Shout").at(0))
        #expect(host.exists(.text("BALL")))
        try await host.type("Bone", into: .field("New toy"))
        try await host.submit(.field("New toy"))
        try await host.type("stick", into: .field("New toy"))
        try await host.submit(.field("New toy"))
        #expect(realm.objects(DogToy.self).map(\.name).sorted() == ["BALL", "Bone", "rope", "stick"])
    }

    /// The original engine wrote the file, with the schema of doggodb.
    @Test func aFileOfTheSameSchemaIsShown() throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/in-schema.realm")
        let fixture = Fixtures.path("v24/in-schema.realm")
        try Data(contentsOf: URL(fileURLWithPath: fixture)).write(to: file)
        let host = UIHost(ContentView()) {
            $0.realmConfiguration = Register.configuration(["doggo-app", "--port", "8080", file.path])
        }
        #expect(host.title == "Dogs")
        #expect(host.exists(.row()))
        host.close()
    }

    @Test func thePreviewAndTheProgramShowTheFirstTab() async {
        await #expect(processExitsWith: .success) { @MainActor in
            Register.open(["doggo-app", "--port", "8080"])
            #expect(UIHost(DoggoApp()).title == "Dogs")
            #expect(PreviewHost.render(ContentView_Previews.self).title == "Dogs")
        }
    }
}
