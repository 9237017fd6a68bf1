// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// People in an encrypted file. SQLite has no encryption of its own.
enum EncryptedWorkloads {
    static let all = [insert, count, coldCount, iterate, commits, open]

    private static let insert = Workload(
        name: "enc_insert",
        realm: { bed in
            let realm: Realm = try bed.prepared()
            try PersonDatabase.fill(realm, bed.people)
            return (bed.people.rows.count, 0)
        }, grdb: nil,
        prepare: { bed in
            bed.prepared = try PersonDatabase.openRealm(bed.scratchURL("realm"), key: EncryptedBed.key)
        }, growth: .logarithmic)

    private static let count = Workload(
        name: "enc_scan_count_age",
        realm: { bed in
            let realm = try bed.encrypted().realm
            return (bed.people.rows.count, realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        }, grdb: nil)

    /// With opening and decryption.
    private static let coldCount = Workload(
        name: "enc_scan_count_age_cold",
        realm: { bed in
            let realm = try PersonDatabase.openRealm(bed.prepared(), key: EncryptedBed.key)
            return (bed.people.rows.count, realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        }, grdb: nil, prepare: { bed in bed.prepared = try bed.scratchCopy(of: bed.encrypted().url) })

    private static let iterate = Workload(
        name: "enc_iterate_all_props",
        realm: { bed in
            var sum = 0
            for person in try bed.encrypted().realm.objects(BenchPerson.self) { sum &+= person.fingerprint }
            return (bed.people.rows.count, sum)
        }, grdb: nil)

    private static let commits = Workload(
        name: "enc_small_commits",
        realm: { bed in (try CommitWorkloads.commitNear(bed.prepared(), bed.people), 0) }, grdb: nil,
        prepare: { bed in
            let copy = try bed.scratchCopy(of: bed.encrypted().url)
            bed.prepared = try PersonDatabase.openRealm(copy, key: EncryptedBed.key)
        })

    private static let open = Workload(
        name: "enc_open_first_read",
        realm: { bed in (FileWorkloads.opens, try FileWorkloads.read(bed.prepared(), key: EncryptedBed.key)) },
        grdb: nil, prepare: { bed in bed.prepared = try bed.scratchCopy(of: bed.encrypted().url) })
}

/// The filled file once more, encrypted.
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

extension TestBed {
    func encrypted() throws -> EncryptedBed { try topic(EncryptedBed.self) { try EncryptedBed($0, people) } }
}
