// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// People in an encrypted file. SQLite has no built-in encryption.
enum EncryptedWorkloads {
    static let all = [insert, count, coldCount, iterate, commits, open]
}

final class EncryptedBed {
    static let key = Data((0..<64).map { UInt8($0 * 3) })
    let url: URL
    let realm: Realm

    init(_ folder: URL, _ people: People) throws {
        url = folder.appendingPathComponent("encrypted.realm")
        realm = try PersonDatabase.openRealm(url, key: Self.key)
        try PersonDatabase.fill(realm, people)
    }
}

extension TestFixture {
    func encrypted() throws -> EncryptedBed { try topic(EncryptedBed.self) { try EncryptedBed($0, people) } }
}
