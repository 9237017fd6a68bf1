// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

final class Note: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var text = ""
    @Persisted var count = 0
    @Persisted var tags: List<String>
    @Persisted var marks: MutableSet<Int>
    @Persisted var facts: Map<String, AnyRealmValue>
    @Persisted var parent: Note?
    @Persisted var place: Place?
    @Persisted(originProperty: "parent") var answers: LinkingObjects<Note>

    convenience init(_ text: String) {
        self.init()
        self.text = text
    }
}

final class Place: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var numbers: List<Double>
}

/// Its key has another name than servers use.
final class Misnamed: Object {
    @Persisted(primaryKey: true) var key = ""
}

final class Keyless: Object {
    @Persisted var text = ""
}
