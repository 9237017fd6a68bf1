// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension NotifyWorkloads {
    static let results = workload("notify_results") { watcher in
        watcher.realm.objects(BenchPerson.self).where { $0.age > 50 }.observe { [unowned watcher] in
            watcher.count($0)
        }
    }
}
