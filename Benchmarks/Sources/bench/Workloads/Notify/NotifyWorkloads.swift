// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

final class BenchGroup: Object {
    @Persisted var members: List<BenchPerson>
}

/// The cost of an observer after a commit: computing the changes, and the call. Another thread has made 1,000 changes
/// before, which isn't measured, unless the name gives another number, but at most as many as there are people. Eight
/// of ten change a property, one removes a person, and one adds one. GRDB doesn't report changes.
enum NotifyWorkloads {
    static let all = [table, tableOneChange, tableManyChanges, results, sorted, list]

    static func observingTable(_ name: String, changes: Int = 1000) -> Workload {
        workload(name, changes: changes) { watcher in
            watcher.realm.objects(BenchPerson.self).observe { [unowned watcher] in watcher.count($0) }
        }
    }

    static func workload(
        _ name: String, changes: Int = 1000, _ observe: @escaping @Sendable (Watcher) -> NotificationToken?
    ) -> Workload {
        let growth =
            changes > 1000
            ? Growth.linear("more people, more changes")
            : changes > 1 ? .linear("changes lie in more leaves") : .logarithmic
        return Workload(
            name: name,
            realm: { bed in
                guard let watcher = bed.watchers[name] else { return (0, 0) }
                watcher.realm.refresh()
                return (1, watcher.changes)
            }, grdb: nil,
            prepare: { bed in
                let watcher = try bed.watchers[name] ?? Watcher(bed, observe)
                // Keeps only this watcher, because each has a copy of the file.
                bed.watchers = [name: watcher]
                try watcher.change(min(changes, bed.people.rows.count), of: bed.people.rows.count)
            }, growth: growth)
    }
}

final class Watcher {
    let realm: Realm
    private let url: URL
    private var token: NotificationToken?
    private(set) var changes = 0
    private var isReady = false
    private var round = 0

    init(_ bed: TestFixture, _ observe: (Watcher) -> NotificationToken?) throws {
        url = bed.folder.appendingPathComponent("\(UUID().uuidString).realm")
        try FileManager.default.copyItem(at: bed.realmURL, to: url)
        realm = try Realm(configuration: Watcher.configuration(url))
        realm.autorefresh = false
        try realm.write {
            let group = BenchGroup()
            realm.add(group)
            group.members.append(objectsIn: realm.objects(BenchPerson.self))
        }
        token = observe(self)
        while !isReady { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
    }

    private static func configuration(_ url: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, objectTypes: [BenchPerson.self, BenchGroup.self])
    }

    func count<Collection>(_ change: RealmCollectionChange<Collection>) {
        switch change {
        case .initial: isReady = true
        case .update(_, let deletions, let insertions, let modifications):
            changes = deletions.count + insertions.count + modifications.count
        case .error: changes = -1
        }
    }

    /// Commits the changes of one round in another thread with its own Realm.
    func change(_ changes: Int, of count: Int) throws {
        round += 1
        let (url, round) = (url, round)
        try inThread { try Watcher.change(url, changes, of: count, round) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static func change(_ url: URL, _ changes: Int, of count: Int, _ round: Int) throws {
        let realm = try Realm(configuration: configuration(url))
        var random = XorShift(state: UInt64(round) &* 0x9E37_79B9_7F4A_7C15 | 1)
        try realm.write {
            let people = realm.objects(BenchPerson.self)
            guard let members = realm.objects(BenchGroup.self).first?.members else { return }
            let tenth = changes / 10
            for _ in 0..<changes - 2 * tenth {
                people[Int(random.next() % UInt64(people.count))].age = Int(random.next() % 100)
            }
            for _ in 0..<tenth { realm.delete(people[Int(random.next() % UInt64(people.count))]) }
            for index in 0..<tenth {
                let person = BenchPerson()
                person.id = count + changes * round + index
                (person.age, person.score) = (Int(random.next() % 100), Double(random.next() % 1000))
                realm.add(person)
                members.insert(person, at: Int(random.next() % UInt64(members.count + 1)))
            }
        }
    }
}
