// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// The code of the article GettingStarted. The blocks between the marks equal those of the article, in its order,
// without the lines that end with "not shown". `ArticleTests` compares them, and `Scripts/docs --code` writes them into
// the articles.

@Suite struct GettingStartedArticle {
    // begin GettingStarted
    class Dog: Object {
        @Persisted(primaryKey: true) var id: UUID
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    class Person: Object {
        @Persisted var name: String
        @Persisted var dogs: List<Dog>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    private let folder: TemporaryFolder
    private let directory: URL

    init() throws {
        folder = try TemporaryFolder()
        directory = URL(fileURLWithPath: folder.path)
    }

    @Test func theFirstRealm() throws {
        // begin GettingStarted
        let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("register.realm"), objectTypes: [Dog.self, Person.self])
        let realm = try Realm(configuration: configuration)
        // end

        // begin GettingStarted
        let ada = Person()
        ada.name = "Ada"
        ada.dogs.append(Dog(value: ["name": "Rex", "age": 3]))
        try realm.write {
            realm.add(ada)
        }
        // end

        // begin GettingStarted
        let oldDogs = realm.objects(Dog.self).where { $0.age > 10 }
        print(oldDogs.count)  // 0
        let rex = realm.objects(Dog.self).where { $0.name == "Rex" }.first
        print(rex?.owners.first?.name ?? "has no owner")  // Ada
        // end
        #expect(oldDogs.isEmpty && rex?.owners.first?.name == "Ada")

        // begin GettingStarted
        try realm.write {
            rex?.age = 11
        }
        print(oldDogs.count)  // 1
        // end
        #expect(oldDogs.count == 1)
    }

    // begin RealmSwift
    class Task: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted(indexed: true) var title: String
        @Persisted var isDone: Bool
        @Persisted var steps: List<String>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func theFirstPage() throws {
        try withRealm([Task.self]) { realm in
            // begin RealmSwift
            try realm.write {
                realm.add(Task(value: ["title": "Learn", "steps": ["Read", "Try"]]))
            }
            for task in realm.objects(Task.self).where({ !$0.isDone }).sorted(by: \.title) {
                print(task.title, task.steps.count)
            }
            // end
            #expect(realm.objects(Task.self).first?.steps.count == 2)
        }
    }

    // begin GettingStarted
    actor Register {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func add(dog name: String, age: Int) async throws {
            try await realm?.asyncWrite {
                _ = realm?.create(Dog.self, value: ["name": name, "age": age])
            }
        }

        func dogs(olderThan age: Int) -> [String] {
            realm?.objects(Dog.self).where { $0.age > age }.map(\.name) ?? []
        }
    }
    // end

    @Test func onAServer() async throws {
        let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("server.realm"), objectTypes: [Dog.self, Person.self])
        let register = Register()
        try await register.open(configuration)
        try await register.add(dog: "Rex", age: 12)
        try await register.add(dog: "Ada", age: 2)
        #expect(await register.dogs(olderThan: 10) == ["Rex"])
    }
}
