// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport

final class RuleDog: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age = 1
    @Persisted var nickname: String?
    @Persisted var toy: RuleToy?
    @Persisted var ball: RuleBall?
    @Persisted var home: RuleHome?
    @Persisted var toys: List<RuleToy>
    @Persisted var toysByName: Map<String, RuleToy?>
    @Persisted var bites: List<Int>
    @Persisted var marks: Map<String, Int>
}

final class RuleToy: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var label = "none"
    @Persisted var price = 5
    @Persisted var next: RuleToy?
}

final class RuleBall: TestObject {
    @Persisted var name: String
    @Persisted var size = 3
    @Persisted var toy: RuleToy?
    @Persisted var partner: RuleBall?
}

final class RuleHome: TestEmbedded {
    @Persisted var city: String
    @Persisted var street = "Main Street"
}

final class RuleKey: TestObject {
    @Persisted(primaryKey: true) var id: String?
    @Persisted var value: Int
}

let ruleTypes: [ObjectBase.Type] = [RuleDog.self, RuleToy.self, RuleBall.self, RuleHome.self, RuleKey.self]

struct RuleFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func url(_ name: String = "rules.realm") -> URL { URL(fileURLWithPath: folder.path + "/" + name) }

    func configuration(_ name: String = "rules.realm", readOnly: Bool = false) -> Realm.Configuration {
        Realm.Configuration(fileURL: url(name), readOnly: readOnly, objectTypes: ruleTypes)
    }

    @inline(never)
    func open(_ configuration: Realm.Configuration? = nil, _ body: (Realm) throws -> Void = { _ in }) throws {
        try body(try Realm(configuration: configuration ?? self.configuration()))
    }
}

func openingError(_ configuration: Realm.Configuration) -> Realm.Error? {
    do {
        _ = try Realm(configuration: configuration)
        return nil
    } catch {
        return error as? Realm.Error
    }
}
