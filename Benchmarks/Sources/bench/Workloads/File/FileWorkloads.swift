// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// Work on whole files.
enum FileWorkloads {
    static let all = [open, compact]
    static let opens = 20

    static func read(_ url: URL, key: Data? = nil) throws -> Int {
        var sum = 0
        for _ in 0..<opens {
            let realm = try PersonDatabase.openRealm(url, key: key)
            sum &+= realm.objects(BenchPerson.self).first?.age ?? 0
        }
        return sum
    }
}
