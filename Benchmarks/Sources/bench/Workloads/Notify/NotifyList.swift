// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension NotifyWorkloads {
    static let list = workload("notify_list") { watcher in
        watcher.realm.objects(BenchGroup.self).first?.members.observe { [unowned watcher] in watcher.count($0) }
    }
}
