// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

enum FileWorkloads {
    static let all = [open, compact]
    static let opens = 20

    /// Opens, reads, and closes a file `times` times.
    static func read(_ url: URL, key: Data? = nil, times: Int = opens) throws -> Int {
        var sum = 0
        for _ in 0..<times {
            let realm = try PersonDatabase.openRealm(url, key: key)
            sum &+= realm.objects(BenchPerson.self).first?.age ?? 0
        }
        return sum
    }

    /// A copy that has been opened before, so its auxiliary files exist.
    static func openedCopy(_ bed: TestFixture, of url: URL, key: Data? = nil) throws -> URL {
        let copy = try bed.scratchCopy(of: url)
        _ = try read(copy, key: key, times: 1)
        return copy
    }
}
