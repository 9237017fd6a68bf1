// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

// wide-regnum FILE: opens a file with two hundred classes, which it creates if it doesn't exist, and reads one object.
let realm = try Realm(
    configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: CommandLine.arguments[1]), objectTypes: wideClasses))
if realm.isEmpty { try realm.write { _ = realm.create(Wide001.self, value: ["id": 7]) } }
print(realm.objects(Wide001.self).first?.id ?? 0)
