// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Objects of five properties with a primary key and an indexed string, in one transaction, into an empty file.
enum InsertWorkload {
    static let workload = Workload(
        name: "insert",
        realm: { bed in
            let url = bed.folder.appendingPathComponent("\(UUID().uuidString).realm")
            let realm = try TestBed.openRealm(url)
            try TestBed.fill(realm, bed.people)
            return (bed.people.rows.count, realm.objects(BenchPerson.self).count)
        },
        grdb: { bed in
            let url = bed.folder.appendingPathComponent("\(UUID().uuidString).sqlite")
            let queue = try TestBed.openQueue(url)
            try TestBed.fill(queue, bed.people)
            return (bed.people.rows.count, try queue.read { try PersonRecord.fetchCount($0) })
        })
}
